//! What to look for and what to let through.

use crate::entity::{Entity, EntitySet};

/// Most allow rules in one configuration.
pub const MAX_ALLOW_RULES: usize = 1024;
/// Longest allow pattern, in bytes.
pub const MAX_ALLOW_PATTERN_BYTES: usize = 256;

/// Values that are not reported although they look like an entity.
///
/// `*` stands for any characters and `?` for one; letter case of ASCII is ignored. A pattern without `*` and `?` also matches a
/// number written with other separators, so `4111 1111 1111 1111` allows `4111111111111111`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allow {
    /// Only for this entity; for all when absent.
    pub entity: Option<Entity>,
    /// The pattern for the whole value.
    pub pattern: String,
}

/// Settings of a [`Recogniser`]; every field has a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// What is reported. Default: everything.
    pub entities: EntitySet,
    /// Exceptions. Default: none.
    pub allow: Vec<Allow>,
}

impl Default for Config {
    fn default() -> Self {
        Self { entities: EntitySet::ALL, allow: Vec::new() }
    }
}

/// A configuration that was refused. `rule` is the index into [`Config::allow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// More than [`MAX_ALLOW_RULES`] rules.
    #[error("allow: {got} rules, at most {MAX_ALLOW_RULES} are allowed")]
    TooManyRules {
        /// How many there were.
        got: usize,
    },
    /// A pattern of no bytes.
    #[error("allow[{rule}].pattern is empty")]
    EmptyPattern {
        /// Which rule.
        rule: usize,
    },
    /// A pattern longer than [`MAX_ALLOW_PATTERN_BYTES`].
    #[error("allow[{rule}].pattern has {got} bytes, at most {MAX_ALLOW_PATTERN_BYTES} are allowed")]
    PatternTooLong {
        /// Which rule.
        rule: usize,
        /// Its length in bytes.
        got: usize,
    },
    /// A pattern of `*` alone, which would switch an entity off by accident; leave the entity out of the list instead.
    #[error("allow[{rule}].pattern matches everything")]
    MatchesEverything {
        /// Which rule.
        rule: usize,
    },
}

/// A checked configuration: what to report and what to let through.
#[derive(Clone, Debug)]
pub struct Recogniser {
    entities: EntitySet,
    allow: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    entity: Option<Entity>,
    pattern: Vec<u8>,
    /// The pattern's digits and letters, when it has no wildcard.
    bare: Option<Vec<u8>>,
}

impl Default for Recogniser {
    fn default() -> Self {
        Self { entities: EntitySet::ALL, allow: Vec::new() }
    }
}

impl Recogniser {
    /// Checks a configuration.
    ///
    /// # Errors
    ///
    /// The first [`ConfigError`] found, which names the rule.
    pub fn new(config: &Config) -> Result<Self, ConfigError> {
        if config.allow.len() > MAX_ALLOW_RULES {
            return Err(ConfigError::TooManyRules { got: config.allow.len() });
        }
        let mut allow = Vec::with_capacity(config.allow.len());
        for (rule, item) in config.allow.iter().enumerate() {
            let bytes = item.pattern.as_bytes();
            if bytes.is_empty() {
                return Err(ConfigError::EmptyPattern { rule });
            }
            if bytes.len() > MAX_ALLOW_PATTERN_BYTES {
                return Err(ConfigError::PatternTooLong { rule, got: bytes.len() });
            }
            if bytes.iter().all(|&b| b == b'*') {
                return Err(ConfigError::MatchesEverything { rule });
            }
            let wild = bytes.iter().any(|b| matches!(b, b'*' | b'?'));
            allow.push(Rule {
                entity: item.entity,
                pattern: bytes.to_ascii_lowercase(),
                bare: (!wild)
                    .then(|| bare(bytes))
                    .filter(|bare| bare.iter().any(u8::is_ascii_digit)),
            });
        }
        Ok(Self { entities: config.entities, allow })
    }

    /// Whether a find of this entity and text is to be reported.
    #[must_use]
    pub fn reports(&self, entity: Entity, value: &str) -> bool {
        self.entities.contains(entity)
            && !self.allow.iter().any(|rule| rule.allows(entity, value.as_bytes()))
    }
}

impl Rule {
    fn allows(&self, entity: Entity, value: &[u8]) -> bool {
        if self.entity.is_some_and(|only| only != entity) {
            return false;
        }
        glob(&self.pattern, value)
            || (is_numeric(entity)
                && self.bare.as_deref().is_some_and(|pattern| pattern == bare(value).as_slice()))
    }
}

const fn is_numeric(entity: Entity) -> bool {
    matches!(
        entity,
        Entity::PhoneNumber
            | Entity::CreditCard
            | Entity::IbanCode
            | Entity::UsSsn
            | Entity::UsDriverLicense
            | Entity::ZipCode
    )
}

fn bare(value: &[u8]) -> Vec<u8> {
    value
        .iter()
        .filter(|b| b.is_ascii_alphanumeric() || !b.is_ascii())
        .map(u8::to_ascii_lowercase)
        .collect()
}

/// Matches a lower-case pattern with `*` and `?` against a whole value. On a mismatch only the last `*` is retried, so the work is
/// at most pattern times value, both of which are bounded.
fn glob(pattern: &[u8], value: &[u8]) -> bool {
    let (mut p, mut v) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while let Some(&byte) = value.get(v) {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, v));
                p += 1;
            }
            Some(&wanted) if wanted == b'?' || wanted == byte.to_ascii_lowercase() => {
                p += 1;
                v += 1;
            }
            Some(_) | None => match retry {
                Some((after_star, from)) => {
                    p = after_star;
                    v = from + 1;
                    retry = Some((after_star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).is_none_or(|rest| rest.iter().all(|&b| b == b'*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowing(entity: Option<Entity>, pattern: &str) -> Recogniser {
        Recogniser::new(&Config {
            allow: vec![Allow { entity, pattern: pattern.into() }],
            ..Config::default()
        })
        .unwrap()
    }

    #[test]
    fn an_allow_rule_matches_the_whole_value_without_letter_case() {
        let rules = allowing(None, "*@Example.com");
        assert!(!rules.reports(Entity::EmailAddress, "Pat.Doe@EXAMPLE.com"));
        assert!(rules.reports(Entity::EmailAddress, "pat@example.com.evil.net"));
        assert!(rules.reports(Entity::EmailAddress, "pat@xexample.org"));
        assert!(!allowing(None, "10.?.*.1").reports(Entity::IpAddress, "10.0.12.1"));
        assert!(allowing(None, "10.?.*.1").reports(Entity::IpAddress, "10.22.12.1"));
    }

    #[test]
    fn a_plain_number_allows_its_other_spellings() {
        let rules = allowing(Some(Entity::CreditCard), "4111 1111 1111 1111");
        assert!(!rules.reports(Entity::CreditCard, "4111-1111-1111-1111"));
        assert!(!rules.reports(Entity::CreditCard, "4111111111111111"));
        assert!(rules.reports(Entity::CreditCard, "4242424242424242"));
        assert!(rules.reports(Entity::PhoneNumber, "4111 1111 1111 1111"));
    }

    #[test]
    fn an_entity_left_out_is_not_reported() {
        let config =
            Config { entities: EntitySet::ALL.without(Entity::IpAddress), ..Config::default() };
        let rules = Recogniser::new(&config).unwrap();
        assert!(!rules.reports(Entity::IpAddress, "192.0.2.1"));
        assert!(rules.reports(Entity::ApiKey, "x"));
    }

    #[test]
    fn a_bad_rule_is_refused_and_named() {
        let with = |pattern: String| {
            Recogniser::new(&Config {
                allow: vec![
                    Allow { entity: None, pattern: "ok".into() },
                    Allow { entity: None, pattern },
                ],
                ..Config::default()
            })
            .err()
        };
        assert_eq!(with(String::new()), Some(ConfigError::EmptyPattern { rule: 1 }));
        assert_eq!(with("**".into()), Some(ConfigError::MatchesEverything { rule: 1 }));
        assert_eq!(with("x".repeat(257)), Some(ConfigError::PatternTooLong { rule: 1, got: 257 }));
        let many = vec![Allow { entity: None, pattern: "ok".into() }; MAX_ALLOW_RULES + 1];
        let error = Recogniser::new(&Config { allow: many, ..Config::default() }).unwrap_err();
        assert_eq!(error.to_string(), "allow: 1025 rules, at most 1024 are allowed");
    }

    #[test]
    fn a_glob_agrees_with_its_obvious_twin() {
        fn twin(p: &[u8], v: &[u8]) -> bool {
            match (p.split_first(), v.split_first()) {
                (None, None) => true,
                (Some((b'*', rest)), _) => {
                    twin(rest, v) || v.split_first().is_some_and(|(_, tail)| twin(p, tail))
                }
                (Some((&c, rest)), Some((&d, tail))) => (c == b'?' || c == d) && twin(rest, tail),
                (None, Some(_)) | (Some(_), None) => false,
            }
        }
        let letters = [b'a', b'b', b'*', b'?'];
        for p in 0..4usize.pow(5) {
            let pattern: Vec<u8> = (0..5).map(|i| letters[p / 4usize.pow(i) % 4]).collect();
            for v in 0..32usize {
                let value: Vec<u8> = (0..5).map(|i| letters[v >> i & 1]).collect();
                assert_eq!(glob(&pattern, &value), twin(&pattern, &value), "{pattern:?} {value:?}");
            }
        }
    }
}
