//! Flame graphs: samples of a process by Linux's `perf`, folded into a tree and drawn as [`Chart::Flame`].
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::chart::{Chart, Frame};
use crate::stats::count;

/// Frames narrower than this share of all samples are left out: they could not be seen.
const LEAST_SHARE: f64 = 0.004;
/// Frames above this depth are left out.
const MOST_DEEP: usize = 48;

/// A recording in progress.
#[derive(Debug)]
pub(crate) struct Sampler {
    perf: Child,
    folder: tempfile::TempDir,
}

/// Whether `perf` is there and may look at processes.
pub(crate) fn is_possible() -> bool {
    Command::new("perf")
        .args(["record", "-q", "-o", "/dev/null", "--", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

impl Sampler {
    /// Starts to sample a process and its threads, with whole stacks.
    pub(crate) async fn start(pid: u32) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let perf = Command::new("perf")
            .args(["record", "-q", "-F", "499", "--call-graph", "dwarf,16384", "-p"])
            .arg(pid.to_string())
            .arg("-o")
            .arg(folder.path().join("perf.data"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("perf")?;
        // It says nothing when it begins; a chart misses the start at worst.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        Ok(Self { perf, folder })
    }

    /// Ends the recording; all its stacks, outermost frame first.
    pub(crate) fn end(mut self) -> Result<Vec<Vec<String>>> {
        let pid = i32::try_from(self.perf.id()).ok().and_then(rustix::process::Pid::from_raw);
        rustix::process::kill_process(
            pid.context("perf has no id")?,
            rustix::process::Signal::INT,
        )?;
        self.perf.wait()?;
        let stacks = stacks(&self.folder.path().join("perf.data"))?;
        ensure!(!stacks.is_empty(), "perf took no sample");
        Ok(stacks)
    }
}

fn stacks(data: &Path) -> Result<Vec<Vec<String>>> {
    let output = Command::new("perf")
        .args(["script", "--no-inline", "-F", "comm,ip,sym", "-i"])
        .arg(data)
        .stderr(Stdio::null())
        .output()?;
    ensure!(output.status.success(), "perf script: {}", output.status);
    Ok(read(&String::from_utf8_lossy(&output.stdout)))
}

/// Reads `perf script`: a line with the thread's name, a line for each frame from the innermost, an empty line.
fn read(text: &str) -> Vec<Vec<String>> {
    let mut stacks = Vec::new();
    let mut stack: Vec<String> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.trim().is_empty() {
            if !stack.is_empty() {
                // The thread's name came first, and stands below all frames.
                stack.get_mut(1..).unwrap_or_default().reverse();
                stacks.push(std::mem::take(&mut stack));
            }
        } else if line.starts_with(char::is_whitespace) && !stack.is_empty() {
            let symbol = line.trim().split_once(' ').map_or("?", |(_, symbol)| symbol.trim());
            stack.push(short(symbol));
        } else {
            stack = vec![line.trim().to_owned()];
        }
    }
    stacks
}

/// A symbol without its hash and its generic arguments' inside.
fn short(symbol: &str) -> String {
    if symbol.is_empty() || symbol == "[unknown]" {
        return "?".to_owned();
    }
    let is_hash = |last: &str| {
        last.len() == 17
            && last.starts_with('h')
            && last.bytes().skip(1).all(|b| b.is_ascii_hexdigit())
    };
    let symbol = match symbol.rsplit_once("::") {
        Some((name, last)) if is_hash(last) => name,
        _ => symbol,
    };
    let mut name = String::new();
    let mut depth = 0usize;
    for char in symbol.chars() {
        match char {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 || name.is_empty() => name.push(char),
            _ => {}
        }
    }
    if name.is_empty() { symbol.to_owned() } else { name.chars().take(80).collect() }
}

#[derive(Debug, Default)]
struct Node {
    samples: usize,
    below: BTreeMap<String, Self>,
}

/// The picture of all stacks.
pub(crate) fn chart(name: &str, title: &str, stacks: &[Vec<String>]) -> Chart {
    let mut root = Node::default();
    for stack in stacks {
        root.samples += 1;
        let mut node = &mut root;
        let mut last: Option<&String> = None;
        for frame in stack.iter().take(MOST_DEEP) {
            // Frames that cannot be named say nothing twice.
            if frame == "?" && last == Some(frame) {
                continue;
            }
            node = node.below.entry(frame.clone()).or_default();
            node.samples += 1;
            last = Some(frame);
        }
    }
    let mut frames = Vec::new();
    lay(&root, 0, 0.0, count(root.samples.max(1)), &mut frames);
    Chart::Flame { name: name.to_owned(), title: title.to_owned(), frames }
}

fn lay(node: &Node, depth: usize, from: f64, all: f64, frames: &mut Vec<Frame>) {
    let mut start = from;
    for (label, below) in &node.below {
        let share = count(below.samples) / all;
        if share >= LEAST_SHARE {
            // Four digits draw the same picture and keep the record small.
            let rounded = |value: f64| (value * 1e4).round() / 1e4;
            frames.push(Frame {
                label: label.clone(),
                depth,
                start: rounded(start),
                share: rounded(share),
            });
            lay(below, depth + 1, start, all, frames);
        }
        start += share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "worker-0\n\t    55d0 head::inner::h0123456789abcdef\n\t    55d1 outer<a::b>::call\n\nworker-0\n\t    55d1 outer<a::b>::call\n\n";

    #[test]
    fn stacks_begin_with_the_thread_and_end_with_the_innermost_frame() {
        let stacks = read(TEXT);
        assert_eq!(stacks[0], ["worker-0", "outer::call", "head::inner"]);
        assert_eq!(stacks[1], ["worker-0", "outer::call"]);
    }

    #[test]
    fn a_frame_is_as_wide_as_its_share_of_samples() {
        let Chart::Flame { frames, .. } = chart("n", "t", &read(TEXT)) else { panic!("no flame") };
        let shares: Vec<_> =
            frames.iter().map(|frame| (frame.label.as_str(), frame.depth, frame.share)).collect();
        assert_eq!(
            shares,
            [("worker-0", 0, 1.0), ("outer::call", 1, 1.0), ("head::inner", 2, 0.5)]
        );
    }

    #[test]
    fn too_narrow_frames_are_left_out() {
        let mut stacks = vec![vec!["a".to_owned()]; 999];
        stacks.push(vec!["b".to_owned()]);
        let Chart::Flame { frames, .. } = chart("n", "t", &stacks) else { panic!("no flame") };
        assert_eq!(frames.len(), 1);
    }
}
