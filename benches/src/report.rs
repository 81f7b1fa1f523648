//! What a bench found, and how it is written down: CSV for figures, JSON for the record, SVG for charts.
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::Common;
use crate::chart::Chart;
use crate::machine::Machine;
use crate::stats::calibrate_ms;

/// A goal of the design. Each is a line of the README's table, measured or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Goal {
    /// Stage 0 over the final pipeline at 8K tokens, embedded model, two cores.
    Pipeline,
    /// The final pipeline's cost from 2K to 32K tokens.
    Flat,
    /// Peak memory of attention at 8K tokens against the plain graph.
    AttentionMemory,
    /// 32K tokens where the plain graph cannot.
    AttentionLong,
    /// The kernel against ONNX Runtime's own flash attention, no mask.
    FlashGlobal,
    /// The kernel on local layers at 2K.
    FlashLocal,
    /// The compressor against the reference implementation.
    CompressSpeed,
    /// The compressor in Envoy's V8, for each 32 KiB.
    CompressV8,
    /// What of it is left to do after the last byte.
    CompressTail,
    /// The filter without the daemon against plain Envoy.
    Overhead,
    /// The filter with the daemon's transport against ext_proc.
    ExtProc,
    /// Recall of planted sentences at every depth.
    PlantedRecall,
    /// Requests failed through an upgrade of the daemon.
    Upgrade,
    /// Requests that hang under any fault.
    Hung,
}

impl Goal {
    /// In the order of the design.
    pub(crate) const ALL: [Self; 14] = [
        Self::Pipeline,
        Self::Flat,
        Self::AttentionMemory,
        Self::AttentionLong,
        Self::FlashGlobal,
        Self::FlashLocal,
        Self::CompressSpeed,
        Self::CompressV8,
        Self::CompressTail,
        Self::Overhead,
        Self::ExtProc,
        Self::PlantedRecall,
        Self::Upgrade,
        Self::Hung,
    ];

    /// What is to be reached.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Pipeline => {
                "8K tokens end to end, embedded model, 2 cores: stage 0 over the final pipeline ≥ 98×"
            }
            Self::Flat => "the final pipeline's cost flat (±10 %) from 2K to 32K tokens",
            Self::AttentionMemory => {
                "attention at 8K tokens in ≤ 1/20 of the plain graph's peak memory"
            }
            Self::AttentionLong => "32K tokens run where the plain graph cannot",
            Self::FlashGlobal => {
                "CPU kernel never slower than ONNX Runtime's own flash attention, no mask"
            }
            Self::FlashLocal => "CPU kernel ≥ 10× on local layers at 2K",
            Self::CompressSpeed => "compressor ≥ 10× the reference implementation's speed",
            Self::CompressV8 => "compressor ≤ 2 ms for 32 KiB in Envoy's V8",
            Self::CompressTail => "compressor ≤ 1 ms after the last byte",
            Self::Overhead => {
                "filter without the daemon ≤ 1.15× plain Envoy's p50 at 1, 32, 256 KiB"
            }
            Self::ExtProc => "filter with the daemon's transport below ext_proc",
            Self::PlantedRecall => {
                "recall of a planted sentence at every depth within 2 points of it alone (`guarded`)"
            }
            Self::Upgrade => "0 failed requests through a daemon upgrade",
            Self::Hung => "0 hung requests under any fault",
        }
    }
}

/// A goal and what was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// Which.
    pub(crate) goal: Goal,
    /// The figure, with its unit and what bounds it.
    pub(crate) measured: String,
    /// Whether the goal is reached.
    pub(crate) met: bool,
}

/// Figures in rows; becomes `NAME.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Table {
    /// Of the file, and the heading: `overhead-latency`.
    pub(crate) name: String,
    /// Column names, units included.
    pub(crate) columns: Vec<String>,
    /// As many cells in each row as there are columns.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty one.
    pub(crate) fn new(name: &str, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { name: name.to_owned(), columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row<T: ToString>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(|cell| cell.to_string()).collect());
    }

    fn csv(&self, machine: &Machine) -> String {
        let quote = |cell: &String| {
            if cell.contains(['"', ',', '\n']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.clone()
            }
        };
        let line = |cells: &[String]| cells.iter().map(quote).collect::<Vec<_>>().join(",") + "\n";
        let mut text = format!(
            "# {}; {}; {} cores, {} GiB; kernel {}; load {:.2}; commit {}\n",
            machine.time,
            machine.cpu,
            machine.cores,
            machine.memory_gib,
            machine.kernel,
            machine.load_1min,
            machine.commit
        );
        text.push_str(&line(&self.columns));
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text
    }

    /// As Markdown.
    pub(crate) fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let mut text = line(&self.columns);
        text.push_str(&format!("|{}\n", "---|".repeat(self.columns.len())));
        for row in &self.rows {
            text.push_str(&line(row));
        }
        text
    }

    fn aligned(&self) -> String {
        let all = || std::iter::once(&self.columns).chain(&self.rows);
        let width = |column: usize| {
            all()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for row in all() {
            for (cell, width) in row.iter().zip(&widths) {
                let _ = write!(text, "{cell:<width$}  ");
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text
    }
}

/// All that one bench found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The subcommand.
    pub(crate) name: String,
    /// One line for people.
    pub(crate) title: String,
    /// Whether it was a look and not a record.
    pub(crate) quick: bool,
    /// Wall time of the whole bench.
    pub(crate) seconds: u64,
    /// Wall time of the calibration loop, before and after, in milliseconds; see [`calibrate_ms`].
    pub(crate) calibration_ms: [f64; 2],
    /// Before the first measurement.
    pub(crate) before: Machine,
    /// Load average after the last measurement.
    pub(crate) load_after: f64,
    /// Goals that this bench can tell of.
    pub(crate) outcomes: Vec<Outcome>,
    /// The figures.
    pub(crate) tables: Vec<Table>,
    /// The pictures.
    pub(crate) charts: Vec<Chart>,
    /// The few figures that the regression check compares, each in the unit that its name tells: lower is better.
    pub(crate) costs: Vec<Cost>,
    /// Single figures that programs look for, by name; they stand at the top of the JSON.
    #[serde(flatten)]
    pub(crate) figures: BTreeMap<String, f64>,
    /// What a reader must know to read the figures right; whole sentences.
    pub(crate) notes: Vec<String>,
    /// Tables that the README shows, by name.
    pub(crate) shown: Vec<String>,
}

/// A cost that later runs are held to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// `stage 3, 8K, p50`.
    pub(crate) name: String,
    /// In milliseconds.
    pub(crate) ms: f64,
}

impl Summary {
    /// Nothing found yet.
    pub(crate) fn new(name: &str, title: &str) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), ..Self::default() }
    }

    /// Tells how a goal stands.
    pub(crate) fn outcome(&mut self, goal: Goal, met: bool, measured: impl Into<String>) {
        self.outcomes.push(Outcome { goal, measured: measured.into(), met });
    }

    /// Adds what a reader must know.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Adds a figure that programs look for.
    pub(crate) fn figure(&mut self, name: &str, value: f64) {
        self.figures.insert(name.to_owned(), value);
    }

    /// Adds a cost that later runs are compared by.
    pub(crate) fn cost(&mut self, name: impl Into<String>, ms: f64) {
        self.costs.push(Cost { name: name.into(), ms });
    }

    /// Adds what `main` knows.
    pub(crate) fn finish(&mut self, common: &Common, before: Before, took: Duration) {
        self.quick = common.quick;
        self.seconds = took.as_secs();
        self.load_after = Machine::look().load_1min;
        self.calibration_ms = [before.calibration_ms, calibrate_ms()];
        self.before = before.machine;
    }

    /// Shows everything.
    pub(crate) fn print(&self) {
        println!(
            "\n{} ({} s{})",
            self.title,
            self.seconds,
            if self.quick { ", quick" } else { "" }
        );
        for table in &self.tables {
            println!("\n{}\n{}", table.name, table.aligned());
        }
        for note in &self.notes {
            println!("note: {note}");
        }
        for outcome in &self.outcomes {
            let met = if outcome.met { "met" } else { "NOT MET" };
            println!("{met}: {}: {}", outcome.goal.text(), outcome.measured);
        }
    }

    /// Writes `NAME.json`, `NAME-DAY-TABLE.csv` and `NAME-CHART.svg`; returns the names.
    ///
    /// # Errors
    ///
    /// Fails when a row is short or long, or a file cannot be written.
    pub(crate) fn write(&self, folder: &Path) -> Result<Vec<String>> {
        let mut written = Vec::new();
        let mut put = |name: String, text: String| {
            let path = folder.join(&name);
            std::fs::write(&path, text).with_context(|| format!("{}", path.display()))?;
            written.push(name);
            anyhow::Ok(())
        };
        for table in &self.tables {
            ensure!(
                table.rows.iter().all(|row| row.len() == table.columns.len()),
                "table {}: a row has another number of cells than there are columns",
                table.name
            );
            let name = format!("{}-{}-{}.csv", self.name, self.before.day(), table.name);
            put(name, table.csv(&self.before))?;
        }
        for chart in &self.charts {
            put(self.chart_file(chart), chart.svg())?;
        }
        put(format!("{}.json", self.name), serde_json::to_string_pretty(self)? + "\n")?;
        Ok(written)
    }

    /// The file that a chart is written to.
    pub(crate) fn chart_file(&self, chart: &Chart) -> String {
        format!("{}-{}.svg", self.name, chart.name())
    }

    /// Writes it as JSON to any file.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub(crate) fn write_json(&self, path: &Path) -> Result<()> {
        write_pretty(path, self)
    }
}

/// The state of the machine before a bench.
#[derive(Debug)]
pub(crate) struct Before {
    machine: Machine,
    calibration_ms: f64,
}

impl Before {
    /// Looks and calibrates.
    pub(crate) fn look() -> Self {
        Self { machine: Machine::look(), calibration_ms: calibrate_ms() }
    }
}

/// Writes a value as JSON.
///
/// # Errors
///
/// Fails when the file cannot be written.
pub(crate) fn write_pretty(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    std::fs::write(path, text).with_context(|| format!("{}", path.display()))
}

/// All summaries in a folder, by name.
///
/// # Errors
///
/// Fails when one is there that cannot be read.
pub(crate) fn read_all(folder: &Path) -> Result<Vec<Summary>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        // Nothing recorded yet.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("{}", folder.display())),
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path)?;
        serde_json::from_str(&text).with_context(|| format!("{}", path.display()))
    };
    paths.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Machine {
        Machine { time: "2026-11-30T03:40:00Z".to_owned(), cores: 2, ..Machine::default() }
    }

    #[test]
    fn cells_with_commas_and_quotes_survive_csv() {
        let mut table = Table::new("t", &["a", "b"]);
        table.row(["x, y", "say \"z\""]);
        let text = table.csv(&machine());
        assert!(text.ends_with("a,b\n\"x, y\",\"say \"\"z\"\"\"\n"), "{text}");
    }

    #[test]
    fn a_summary_reads_back_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut summary = Summary::new("sample", "A sample");
        summary.before = machine();
        summary.outcome(Goal::Flat, true, "1.02×");
        let mut table = Table::new("t", &["a"]);
        table.row([1]);
        summary.tables.push(table);
        summary.cost("a", 1.5);
        assert_eq!(
            summary.write(folder.path()).unwrap(),
            ["sample-2026-11-30-t.csv", "sample.json"]
        );
        assert_eq!(read_all(folder.path()).unwrap(), [summary]);
    }

    #[test]
    fn a_row_of_another_length_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut summary = Summary::new("sample", "A sample");
        let mut table = Table::new("t", &["a", "b"]);
        table.row([1]);
        summary.tables.push(table);
        assert!(summary.write(folder.path()).is_err());
    }

    #[test]
    fn every_goal_is_listed_once() {
        for (index, goal) in Goal::ALL.iter().enumerate() {
            assert!(!Goal::ALL[..index].contains(goal), "{goal:?}");
        }
    }
}
