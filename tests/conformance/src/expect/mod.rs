//! Whether what was observed is what a case expects.
//!
//! Each member of `expected` is checked by its name. A name that no rule knows fails the case, since a check that is
//! skipped in silence looks like a check that passed.

mod http;
mod never;
pub(crate) mod words;

pub(crate) use http::FORGED;
pub(crate) use never::CRASH_WORDS;

use serde_json::{Map, Value};

use crate::body::Body;
use crate::observed::Observed;
use crate::settings::Settings;

/// What one check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It holds.
    Holds,
    /// It does not; what was got instead, without any text of the prompt.
    Fails(String),
    /// It cannot be seen in this layer, and why.
    NotHere(String),
}

impl Finding {
    /// `Holds` when `true`, else `Fails` with what was got.
    #[must_use]
    pub(crate) fn of(holds: bool, got: impl FnOnce() -> String) -> Self {
        if holds { Self::Holds } else { Self::Fails(got()) }
    }

    /// The same for something that the layer may not see.
    #[must_use]
    pub(crate) fn of_seen<T>(seen: Option<T>, what: &str, holds: impl FnOnce(T) -> Self) -> Self {
        seen.map_or_else(|| Self::NotHere(format!("{what} is not seen in this layer")), holds)
    }
}

/// One exchange with all that its checks need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// What came of it.
    pub(crate) observed: &'a Observed,
    /// What was sent.
    pub(crate) sent: &'a Body,
    /// Headers that were sent.
    pub(crate) sent_headers: &'a [(String, String)],
    /// The filter's settings.
    pub(crate) settings: &'a Settings,
    /// A plain request right after, when the case asks for one.
    pub(crate) next: Option<&'a Observed>,
    /// A benign request with the same headers, when the case is about headers that must not pass.
    pub(crate) benign: Option<&'a Observed>,
}

/// Checks all of `expected`. One entry for each failure or for what cannot be seen.
#[must_use]
pub(crate) fn http(expected: &Map<String, Value>, seen: &Seen<'_>) -> Report {
    let mut report = Report::default();
    for (name, value) in expected {
        if name == "any_of" {
            report.add(name, any_of(value, seen));
        } else {
            report.add(name, http::check(name, value, expected, seen));
        }
    }
    if let Some(trap) = &seen.observed.trap {
        report.add("no trap", Finding::Fails(trap.clone()));
    }
    report
}

fn any_of(value: &Value, seen: &Seen<'_>) -> Finding {
    let Some(choices) = value.as_array() else {
        return Finding::Fails("any_of is no array".to_owned());
    };
    let mut failures = Vec::new();
    for choice in choices {
        let Some(choice) = choice.as_object() else {
            failures.push("not an object".to_owned());
            continue;
        };
        let report = http(choice, seen);
        if report.failed.is_empty() {
            return Finding::Holds;
        }
        failures.push(report.failed.join(", "));
    }
    Finding::Fails(failures.join(" | "))
}

/// The checks of one case in one layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Report {
    /// Checks that hold.
    pub(crate) held: usize,
    /// Checks that do not, as `name: got`.
    pub(crate) failed: Vec<String>,
    /// Checks that this layer cannot make, as `name: why`.
    pub(crate) not_here: Vec<String>,
}

impl Report {
    /// Adds a check.
    pub(crate) fn add(&mut self, name: &str, finding: Finding) {
        match finding {
            Finding::Holds => self.held += 1,
            Finding::Fails(got) => self.failed.push(format!("{name}: {got}")),
            Finding::NotHere(why) => self.not_here.push(format!("{name}: {why}")),
        }
    }

    /// Adds the checks of another run, its failures marked with where they were seen.
    pub(crate) fn merge(&mut self, label: &str, other: Self) {
        self.held += other.held;
        for failure in other.failed {
            // The first run that shows a failure stands for all that show the same.
            if !self.failed.iter().any(|known| known.ends_with(&format!("] {failure}"))) {
                self.failed.push(format!("[{label}] {failure}"));
            }
        }
        for why in other.not_here {
            if !self.not_here.contains(&why) {
                self.not_here.push(why);
            }
        }
    }
}
