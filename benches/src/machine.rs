//! What the figures were measured on, and what else it was doing.
use std::process::Command;

use serde::{Deserialize, Serialize};

/// A machine at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    /// The processor's name.
    pub(crate) cpu: String,
    /// Logical processors that this process may use.
    pub(crate) cores: usize,
    /// Memory, in GiB, rounded.
    pub(crate) memory_gib: u64,
    /// The kernel's release.
    pub(crate) kernel: String,
    /// Load average over one minute.
    pub(crate) load_1min: f64,
    /// The commit measured; `-dirty` when files differ from it.
    pub(crate) commit: String,
    /// UTC, `2026-11-30T03:40:00Z`.
    pub(crate) time: String,
}

impl Machine {
    /// Looks at this machine now. What cannot be read is left empty.
    pub(crate) fn look() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, key: &str| {
            let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
            line.split_once(':').map_or(String::new(), |(_, value)| value.trim().to_owned())
        };
        let memory = field(&read("/proc/meminfo"), "MemTotal");
        let kib: u64 = memory.trim_end_matches("kB").trim().parse().unwrap_or(0);
        Self {
            cpu: field(&read("/proc/cpuinfo"), "model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gib: (kib + (1 << 19)) >> 20,
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            load_1min: read("/proc/loadavg")
                .split(' ')
                .next()
                .and_then(|word| word.parse().ok())
                .unwrap_or(0.0),
            commit: commit(),
            time: timestamp(seconds_since_1970()),
        }
    }

    /// The day, `2026-11-30`.
    pub(crate) fn day(&self) -> &str {
        self.time.get(..10).unwrap_or(&self.time)
    }
}

fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").current_dir(crate::root()).args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(head) = git(&["rev-parse", "--short=12", "HEAD"]) else { return String::new() };
    // Results themselves are written while benches run.
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no", "--", ":!benches/results"]);
    if changed.is_some_and(|list| !list.is_empty()) { format!("{head}-dirty") } else { head }
}

fn seconds_since_1970() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs())
}

/// UTC from seconds since 1970: days to a date by the usual count of 400-year cycles from March.
fn timestamp(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(timestamp(1_796_010_000), "2026-11-30T03:40:00Z");
    }

    #[test]
    fn this_machine_has_a_processor_and_memory() {
        let machine = Machine::look();
        assert!(machine.cores > 0 && machine.memory_gib > 0);
        assert_eq!(machine.day().len(), 10);
    }
}
