//! Percentiles, intervals, CPU time and memory of processes, and the calibration loop that makes machines comparable.
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

/// What a set of samples comes to. All in the samples' unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spread {
    /// How many samples.
    pub(crate) count: usize,
    /// The least.
    pub(crate) min: f64,
    /// Half are below.
    pub(crate) p50: f64,
    /// 95 of 100 are at or below.
    pub(crate) p95: f64,
    /// 99 of 100 are at or below.
    pub(crate) p99: f64,
    /// The greatest.
    pub(crate) max: f64,
    /// The arithmetic mean.
    pub(crate) mean: f64,
}

impl Spread {
    /// Of at least one finite sample; `None` otherwise.
    pub(crate) fn of(samples: &[f64]) -> Option<Self> {
        if samples.is_empty() || samples.iter().any(|sample| !sample.is_finite()) {
            return None;
        }
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        Some(Self {
            count: sorted.len(),
            min: sorted.first().copied()?,
            p50: percentile(&sorted, 50.0),
            p95: percentile(&sorted, 95.0),
            p99: percentile(&sorted, 99.0),
            max: sorted.last().copied()?,
            mean: sorted.iter().sum::<f64>() / count(sorted.len()),
        })
    }
}

/// A count as a number to calculate with.
#[allow(clippy::cast_precision_loss, reason = "counts here are far below 2^52")]
pub(crate) const fn count(value: usize) -> f64 {
    value as f64
}

/// The value at or below which `percent` of the samples lie (nearest rank). `sorted` is ascending; 0 of nothing.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rank within the slice"
)]
pub(crate) fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let rank = (percent / 100.0 * count(sorted.len())).ceil() as usize;
    sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(0.0)
}

/// The median of any samples; 0 of nothing.
pub(crate) fn median(samples: &[f64]) -> f64 {
    Spread::of(samples).map_or(0.0, |spread| spread.p50)
}

/// The 95 % Wilson interval of a share.
pub(crate) fn wilson(hits: usize, total: usize) -> (f64, f64) {
    if total == 0 {
        return (0.0, 1.0);
    }
    let (n, z) = (count(total), 1.959_964);
    let share = count(hits) / n;
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// The 95 % bootstrap interval of `median(over) / median(under)`; both need samples.
pub(crate) fn ratio_interval(over: &[f64], under: &[f64], seed: u64) -> (f64, f64) {
    const ROUNDS: usize = 1000;
    let mut random = Random::new(seed);
    let mut draw = |samples: &[f64]| {
        let drawn: Vec<f64> = samples
            .iter()
            .filter_map(|_| samples.get(random.below(samples.len())))
            .copied()
            .collect();
        median(&drawn)
    };
    let mut ratios: Vec<f64> = (0..ROUNDS).map(|_| draw(over) / draw(under)).collect();
    ratios.sort_by(f64::total_cmp);
    (percentile(&ratios, 2.5), percentile(&ratios, 97.5))
}

/// A small generator (splitmix64): the same numbers on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// From a seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when `bound` is 0.
    #[allow(clippy::cast_possible_truncation, reason = "the remainder is below a usize")]
    pub(crate) const fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }
}

/// CPU time that this thread has used, to the nanosecond.
pub(crate) fn thread_cpu() -> Result<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Ok(Duration::new(u64::try_from(now.tv_sec)?, u32::try_from(now.tv_nsec)?))
}

/// CPU time that a process has used: the sum over its living threads, to the nanosecond, or what the kernel has counted for
/// the whole process, in hundredths of a second, where threads that have ended make that more.
pub(crate) fn process_cpu(pid: u32) -> Result<Duration> {
    let folder = format!("/proc/{pid}/task");
    let tasks = std::fs::read_dir(&folder).with_context(|| folder.clone())?;
    let mut sum = Duration::ZERO;
    for task in tasks.flatten() {
        // A thread may end between the two looks.
        sum += schedstat(&task.path().join("schedstat")).unwrap_or_default();
    }
    let path = format!("/proc/{pid}/stat");
    let text = std::fs::read_to_string(&path).with_context(|| path.clone())?;
    // The name, in parentheses, may hold anything; utime and stime are the 12th and 13th field behind it.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: Vec<u64> = fields.skip(11).take(2).filter_map(|field| field.parse().ok()).collect();
    ensure!(ticks.len() == 2, "{path}: `{text}`");
    Ok(sum.max(Duration::from_millis(ticks.iter().sum::<u64>() * 10)))
}

fn schedstat(path: &Path) -> Result<Duration> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    let first = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Ok(Duration::from_nanos(first.with_context(|| format!("{}: `{text}`", path.display()))?))
}

/// Forgets the peak of a process's resident memory, so that the next look tells the peak since now.
pub(crate) fn reset_peak(pid: u32) -> Result<()> {
    let path = format!("/proc/{pid}/clear_refs");
    std::fs::write(&path, "5").with_context(|| path.clone())
}

/// Peak of a process's resident memory since its start or the last reset, in bytes.
pub(crate) fn peak_bytes(pid: u32) -> Result<u64> {
    status_bytes(pid, "VmHWM:")
}

/// A process's resident memory now, in bytes.
pub(crate) fn resident_bytes(pid: u32) -> Result<u64> {
    status_bytes(pid, "VmRSS:")
}

/// A process's share of memory now, in bytes: pages that several processes map count in parts.
pub(crate) fn proportional_bytes(pid: u32) -> Result<u64> {
    bytes_of(&format!("/proc/{pid}/smaps_rollup"), "Pss:")
}

fn status_bytes(pid: u32, key: &str) -> Result<u64> {
    bytes_of(&format!("/proc/{pid}/status"), key)
}

fn bytes_of(path: &str, key: &str) -> Result<u64> {
    let text = std::fs::read_to_string(path).with_context(|| path.to_owned())?;
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let kib: Option<u64> =
        line.and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse().ok());
    Ok(kib.with_context(|| format!("{path}: no {key}"))? * 1024)
}

/// Wall time of a fixed piece of integer, floating-point and memory work on one core, in milliseconds: the least of
/// seven. Results of two machines, or of one machine on two days, are compared as multiples of it.
pub(crate) fn calibrate_ms() -> f64 {
    (0..7).map(|_| calibration_round()).fold(f64::INFINITY, f64::min)
}

fn calibration_round() -> f64 {
    let started = Instant::now();
    let mut random = Random::new(1);
    let mut table = vec![1.0_f32; 1 << 18];
    for _ in 0..1 << 20 {
        let at = random.below(table.len());
        if let Some(cell) = table.get_mut(at) {
            *cell = cell.mul_add(0.999, 0.25);
        }
    }
    let mut sum = 0.0_f32;
    for _ in 0..32 {
        sum += std::hint::black_box(&table)
            .iter()
            .zip(table.iter().rev())
            .map(|(a, b)| a * b)
            .sum::<f32>();
    }
    std::hint::black_box(sum);
    started.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_samples_at_the_nearest_rank() {
        let samples: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let spread = Spread::of(&samples).unwrap();
        assert_eq!((spread.p50, spread.p95, spread.p99), (50.0, 95.0, 99.0));
        assert_eq!((spread.min, spread.max, spread.mean), (1.0, 100.0, 50.5));
        assert_eq!(Spread::of(&[7.0]).unwrap().p99, 7.0);
    }

    #[test]
    fn nothing_and_what_is_not_a_number_have_no_spread() {
        assert_eq!(Spread::of(&[]), None);
        assert_eq!(Spread::of(&[1.0, f64::NAN]), None);
    }

    #[test]
    fn the_wilson_interval_agrees_with_published_values() {
        // 15 of 20: Newcombe 1998 and Brown et al. give 0.531 to 0.888.
        let (low, high) = wilson(15, 20);
        assert!((low - 0.531).abs() < 0.001 && (high - 0.888).abs() < 0.001, "{low} {high}");
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert!(wilson(0, 20).0 < 1e-9 && wilson(20, 20).1 > 1.0 - 1e-9);
    }

    #[test]
    fn the_ratio_of_medians_lies_in_its_interval() {
        let over: Vec<f64> = (0..50).map(|i| 20.0 + f64::from(i % 5)).collect();
        let under: Vec<f64> = (0..50).map(|i| 10.0 + f64::from(i % 3)).collect();
        let (low, high) = ratio_interval(&over, &under, 1);
        let ratio = median(&over) / median(&under);
        assert!(low <= ratio && ratio <= high, "{low} {ratio} {high}");
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // First outputs of splitmix64 from seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn cpu_time_and_memory_of_this_process_grow_with_work() {
        let own = std::process::id();
        let (before, thread) = (process_cpu(own).unwrap(), thread_cpu().unwrap());
        let round = calibration_round();
        assert!(round > 0.0);
        assert!(thread_cpu().unwrap() > thread);
        assert!(process_cpu(own).unwrap() > before);
        assert!(peak_bytes(own).unwrap() >= resident_bytes(own).unwrap() / 2);
    }

    #[test]
    fn a_thread_that_has_ended_keeps_counting() {
        let own = std::process::id();
        let before = process_cpu(own).unwrap();
        let used = std::thread::spawn(|| {
            while thread_cpu().unwrap() < Duration::from_millis(200) {
                std::hint::black_box(0);
            }
        });
        used.join().unwrap();
        // Before it, threads of other tests may have ended: what they took counts too, so this is a lower bound.
        assert!(process_cpu(own).unwrap() >= before + Duration::from_millis(150));
    }
}
