//! What the compressor is asked to prefer: weights, reserved sentences and shares of the budget.

use std::fmt;

/// Default budget: one pass of the embedded encoder, its two special tokens included.
pub const DEFAULT_BUDGET_TOKENS: usize = 512;

/// A named set of weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The constants of arXiv 2603.12646, section "classical compression".
    Paper,
    /// Mixed chat and document traffic.
    #[default]
    General,
    /// Source code and tool output: less weight on the edges of the text, more on rare terms.
    Coding,
    /// Long conversations: the newest turns count most.
    MultiTurn,
    /// Safety first: larger shares for suspicion and recogniser hits.
    Security,
}

impl Profile {
    /// All profiles, in the order of their names in the documentation.
    pub const ALL: [Self; 5] =
        [Self::Paper, Self::General, Self::Coding, Self::MultiTurn, Self::Security];

    /// The name used in configuration files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::General => "general",
            Self::Coding => "coding",
            Self::MultiTurn => "multi_turn",
            Self::Security => "security",
        }
    }

    /// The profile of that name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// How much each score of a sentence counts. Each is 0 to 1; they are divided by their sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Centrality: PageRank over the cosines between sentences.
    pub textrank: f32,
    /// Nearness to the start or the end.
    pub position: f32,
    /// Rarity of the terms, averaged over the sentence.
    pub tfidf: f32,
    /// Distance from the mean sentence.
    pub novelty: f32,
}

/// How the budget of guarded mode is split. Each is 0 to 1, their sum at most 1; what is left goes to the four scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shares {
    /// First and last sentences.
    pub edges: f32,
    /// Sentences that hold a flagged span.
    pub flagged: f32,
    /// The linear suspicion model.
    pub suspicion: f32,
    /// Character novelty: another language, script or encoding.
    pub strangeness: f32,
    /// Words that speak to a reader or to a model.
    pub address: f32,
    /// The sum of the three signals above, standardised within the text.
    pub mixed: f32,
    /// The best sentence of each region of the text.
    pub regions: f32,
    /// Sentences near the hits: those next to them, and those further off that are suspicious too.
    pub companions: f32,
}

/// How much each signal counts in the mixed one, which is their sum, each standardised within the text. Each is 0 to 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// The linear suspicion model.
    pub suspicion: f32,
    /// Character novelty.
    pub strangeness: f32,
    /// Words that speak to a reader or to a model.
    pub address: f32,
}

/// How much a sentence counts by who wrote it. Each is 0 to 4; 1 is neutral.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoleWeights {
    /// System and developer instructions.
    pub system: f32,
    /// User turns.
    pub user: f32,
    /// Assistant turns.
    pub assistant: f32,
    /// Tool results and tool arguments.
    pub tool: f32,
}

/// Everything that can be tuned, before it is checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Raw {
    /// Hard cap on the tokens kept, special tokens of the encoder included. 16 to 65,536.
    pub budget_tokens: usize,
    /// Weights of the four scores.
    pub weights: Weights,
    /// How far the position score falls in the middle of the text, 0 to 1.
    pub position_depth: f32,
    /// Sentences reserved at the start, 0 to 16.
    pub keep_first: usize,
    /// Sentences reserved at the end, 0 to 16.
    pub keep_last: usize,
    /// Sentences with fewer terms than this are scored down in proportion, 0 (off) to 32.
    pub full_length_terms: u32,
    /// A sentence is dropped when more than this share of its distinct terms is in one kept sentence, 0 to 1; 1 turns
    /// it off. Distinct terms, so that an attack appended to a repeated sentence is not taken for a repetition.
    pub duplicate_overlap: f32,
    /// Weights by role.
    pub roles: RoleWeights,
    /// Shares of the budget in guarded mode.
    pub shares: Shares,
    /// Weights of the mixed signal in guarded mode.
    pub mix: Mix,
    /// Equal parts of the text that each keep a sentence in guarded mode, 1 to 64.
    pub regions: usize,
    /// Text beyond this many bytes, over all passages, is not scored. 1 KiB to 64 MiB.
    pub max_text_bytes: usize,
}

impl Raw {
    /// The values of a profile.
    #[must_use]
    pub fn profile(profile: Profile) -> Self {
        let general = Self {
            budget_tokens: DEFAULT_BUDGET_TOKENS,
            weights: Weights { textrank: 0.20, position: 0.40, tfidf: 0.35, novelty: 0.05 },
            position_depth: 0.5,
            keep_first: 3,
            keep_last: 2,
            full_length_terms: 8,
            duplicate_overlap: 0.85,
            roles: RoleWeights { system: 1.1, user: 1.0, assistant: 0.8, tool: 0.9 },
            shares: Shares {
                edges: 0.08,
                flagged: 0.05,
                suspicion: 0.14,
                strangeness: 0.09,
                address: 0.03,
                mixed: 0.51,
                regions: 0.04,
                companions: 0.06,
            },
            mix: Mix { suspicion: 1.0, strangeness: 0.85, address: 0.4 },
            regions: 8,
            max_text_bytes: 8 << 20,
        };
        match profile {
            Profile::Paper => Self {
                full_length_terms: 0,
                duplicate_overlap: 1.0,
                roles: RoleWeights { system: 1.0, user: 1.0, assistant: 1.0, tool: 1.0 },
                ..general
            },
            Profile::General => general,
            Profile::Coding => Self {
                weights: Weights { textrank: 0.15, position: 0.30, tfidf: 0.40, novelty: 0.15 },
                position_depth: 0.6,
                keep_first: 2,
                keep_last: 4,
                full_length_terms: 5,
                ..general
            },
            Profile::MultiTurn => Self {
                weights: Weights { textrank: 0.15, position: 0.25, tfidf: 0.35, novelty: 0.10 },
                keep_first: 2,
                keep_last: 5,
                ..general
            },
            Profile::Security => Self {
                weights: Weights { textrank: 0.15, position: 0.30, tfidf: 0.25, novelty: 0.30 },
                position_depth: 0.6,
                keep_first: 2,
                keep_last: 3,
                shares: Shares { edges: 0.06, mixed: 0.53, ..general.shares },
                ..general
            },
        }
    }
}

/// A checked configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config(Raw);

impl Config {
    /// The checked values.
    #[must_use]
    pub fn values(&self) -> &Raw {
        &self.0
    }
}

impl From<Profile> for Config {
    fn from(profile: Profile) -> Self {
        // A test holds every profile to the same checks as a configuration file.
        Self(Raw::profile(profile))
    }
}

impl Default for Config {
    fn default() -> Self {
        Profile::default().into()
    }
}

/// A value outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{key} is {got}, allowed is {min} to {max}")]
pub struct ConfigError {
    key: &'static str,
    got: f64,
    min: f64,
    max: f64,
}

impl ConfigError {
    /// The key of the bad value, with dots between levels.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.key
    }
}

impl TryFrom<Raw> for Config {
    type Error = ConfigError;

    fn try_from(raw: Raw) -> Result<Self, ConfigError> {
        fn within(key: &'static str, got: f64, min: f64, max: f64) -> Result<(), ConfigError> {
            if got >= min && got <= max { Ok(()) } else { Err(ConfigError { key, got, min, max }) }
        }
        fn count(key: &'static str, got: usize, min: u32, max: u32) -> Result<(), ConfigError> {
            let got = u32::try_from(got).unwrap_or(u32::MAX);
            within(key, f64::from(got), f64::from(min), f64::from(max))
        }
        let weights = raw.weights;
        for (key, got) in [
            ("weights.textrank", weights.textrank),
            ("weights.position", weights.position),
            ("weights.tfidf", weights.tfidf),
            ("weights.novelty", weights.novelty),
            ("position_depth", raw.position_depth),
            ("duplicate_overlap", raw.duplicate_overlap),
            ("shares.edges", raw.shares.edges),
            ("shares.flagged", raw.shares.flagged),
            ("shares.suspicion", raw.shares.suspicion),
            ("shares.strangeness", raw.shares.strangeness),
            ("shares.address", raw.shares.address),
            ("shares.mixed", raw.shares.mixed),
            ("shares.regions", raw.shares.regions),
            ("shares.companions", raw.shares.companions),
        ] {
            within(key, f64::from(got), 0.0, 1.0)?;
        }
        let all = weights.textrank + weights.position + weights.tfidf + weights.novelty;
        within("sum of weights", f64::from(all), 0.001, 4.0)?;
        let shares = raw.shares;
        let spent = shares.edges
            + shares.flagged
            + shares.suspicion
            + shares.strangeness
            + shares.address
            + shares.mixed
            + shares.regions
            + shares.companions;
        within("sum of shares", f64::from(spent), 0.0, 1.0001)?;
        for (key, got) in [
            ("roles.system", raw.roles.system),
            ("roles.user", raw.roles.user),
            ("roles.assistant", raw.roles.assistant),
            ("roles.tool", raw.roles.tool),
            ("mix.suspicion", raw.mix.suspicion),
            ("mix.strangeness", raw.mix.strangeness),
            ("mix.address", raw.mix.address),
        ] {
            within(key, f64::from(got), 0.0, 4.0)?;
        }
        count("budget_tokens", raw.budget_tokens, 16, 65_536)?;
        count("keep_first", raw.keep_first, 0, 16)?;
        count("keep_last", raw.keep_last, 0, 16)?;
        within("full_length_terms", f64::from(raw.full_length_terms), 0.0, 32.0)?;
        count("regions", raw.regions, 1, 64)?;
        count("max_text_bytes", raw.max_text_bytes, 1 << 10, 64 << 20)?;
        Ok(Self(raw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_passes_its_own_checks() {
        for profile in Profile::ALL {
            assert_eq!(Config::try_from(Raw::profile(profile)), Ok(profile.into()), "{profile}");
            assert_eq!(Profile::from_name(profile.name()), Some(profile));
        }
        assert_eq!(Profile::from_name("Paper"), None);
    }

    #[test]
    fn the_paper_profile_has_the_papers_constants() {
        let raw = Raw::profile(Profile::Paper);
        let weights = raw.weights;
        assert_eq!(
            (weights.textrank, weights.position, weights.tfidf, weights.novelty),
            (0.20, 0.40, 0.35, 0.05)
        );
        assert_eq!((raw.position_depth, raw.keep_first, raw.keep_last), (0.5, 3, 2));
        assert_eq!(raw.budget_tokens, 512);
    }

    #[test]
    fn a_value_outside_its_range_is_refused_by_name() {
        let good = Raw::profile(Profile::General);
        let mut raw = good;
        raw.weights.tfidf = -0.1;
        assert_eq!(Config::try_from(raw).map_err(|e| e.key()), Err("weights.tfidf"));
        let mut raw = good;
        raw.weights.position = f32::NAN;
        assert_eq!(Config::try_from(raw).map_err(|e| e.key()), Err("weights.position"));
        let mut raw = good;
        raw.budget_tokens = 3;
        let error = Config::try_from(raw).unwrap_err();
        assert_eq!(error.to_string(), "budget_tokens is 3, allowed is 16 to 65536");
        let mut raw = good;
        raw.shares.suspicion = 0.9;
        assert_eq!(Config::try_from(raw).map_err(|e| e.key()), Err("sum of shares"));
        let mut raw = good;
        raw.weights = Weights { textrank: 0.0, position: 0.0, tfidf: 0.0, novelty: 0.0 };
        assert_eq!(Config::try_from(raw).map_err(|e| e.key()), Err("sum of weights"));
    }
}
