//! Has anything become slower since the last record? Costs are compared as multiples of the calibration loop of their own
//! run, so that another machine, or a slower day of this one, is no regression.
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::report::Summary;

/// Costs of two runs that have the same name.
#[derive(Debug, Default)]
pub(crate) struct Growth {
    /// Name, and cost now over cost then, both as multiples of their calibration loop.
    ratios: Vec<(String, f64)>,
    /// Day of the record.
    day: String,
}

/// Compares with the record of the same bench, if there is one.
///
/// # Errors
///
/// Fails when the record cannot be read.
pub(crate) fn against_record(summary: &Summary, folder: &Path) -> Result<Growth> {
    let path = folder.join(format!("{}.json", summary.name));
    if !path.exists() {
        return Ok(Growth::default());
    }
    let text = std::fs::read_to_string(&path)?;
    let record: Summary =
        serde_json::from_str(&text).with_context(|| format!("{}", path.display()))?;
    Ok(compare(summary, &record))
}

fn compare(now: &Summary, then: &Summary) -> Growth {
    // Of the two loops of a run the faster: the other was disturbed.
    let loop_ms = |summary: &Summary| summary.calibration_ms[0].min(summary.calibration_ms[1]);
    let (unit_now, unit_then) = (loop_ms(now), loop_ms(then));
    let mut ratios = Vec::new();
    for cost in &now.costs {
        let old = then.costs.iter().find(|old| old.name == cost.name);
        if let Some(old) = old.filter(|old| old.ms > 0.0 && unit_now > 0.0 && unit_then > 0.0) {
            ratios.push((cost.name.clone(), (cost.ms / unit_now) / (old.ms / unit_then)));
        }
    }
    Growth { ratios, day: then.before.day().to_owned() }
}

impl Growth {
    /// For people; nothing when there is no record.
    pub(crate) fn table(&self) -> String {
        let mut text = String::new();
        if !self.ratios.is_empty() {
            let _ = writeln!(text, "\ncost now over that of {}, by the calibration loop", self.day);
        }
        for (name, ratio) in &self.ratios {
            let _ = writeln!(text, "{ratio:>7.2}×  {name}");
        }
        text
    }

    /// Fails when a cost has grown by more than `percent`.
    ///
    /// # Errors
    ///
    /// Names the costs.
    pub(crate) fn check(&self, percent: Option<f64>) -> Result<()> {
        let Some(percent) = percent else { return Ok(()) };
        let grown: Vec<String> = self
            .ratios
            .iter()
            .filter(|(_, ratio)| *ratio > 1.0 + percent / 100.0)
            .map(|(name, ratio)| format!("{name} ({ratio:.2}×)"))
            .collect();
        if !grown.is_empty() {
            bail!("slower than the record of {}: {}", self.day, grown.join(", "));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(calibration: [f64; 2], ms: f64) -> Summary {
        let mut summary = Summary::new("a", "A");
        summary.calibration_ms = calibration;
        summary.cost("parse", ms);
        summary
    }

    #[test]
    fn a_machine_half_as_fast_is_no_regression() {
        let growth = compare(&run([20.0, 24.0], 10.0), &run([10.0, 10.0], 5.0));
        assert!(growth.check(Some(1.0)).is_ok(), "{growth:?}");
    }

    #[test]
    fn a_cost_that_grew_more_than_allowed_is_named() {
        let growth = compare(&run([10.0, 10.0], 6.5), &run([10.0, 12.0], 5.0));
        assert!(growth.check(Some(31.0)).is_ok());
        let error = growth.check(Some(20.0)).unwrap_err().to_string();
        assert!(error.contains("parse (1.30×)"), "{error}");
        assert!(growth.check(None).is_ok());
    }

    #[test]
    fn without_a_record_there_is_nothing_to_compare() {
        let folder = tempfile::tempdir().unwrap();
        let growth = against_record(&run([1.0, 1.0], 1.0), folder.path()).unwrap();
        assert!(growth.table().is_empty() && growth.check(Some(0.0)).is_ok());
    }
}
