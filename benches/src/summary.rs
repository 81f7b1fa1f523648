//! The README's block: the goals and how each stands, and the charts, from the recorded results alone.
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::report::{Goal, Summary, Table, read_all};

const BEGIN: &str =
    "<!-- benches: begin (written by `cargo xtask bench summary` from benches/results) -->\n";
const END: &str = "<!-- benches: end -->\n";
const FOLDER: &str = "benches/results";

/// Arguments of `summary`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Change nothing; fail if README or charts differ from the recorded results.
    #[arg(long)]
    check: bool,
}

/// Writes or checks the block and the charts.
///
/// # Errors
///
/// Fails when a file cannot be read or written, the README has no block, or, checking, something differs.
pub(crate) fn run(args: &Args) -> Result<()> {
    let root = crate::root();
    if args.check {
        return check(&root);
    }
    let summaries = read_all(&root.join(FOLDER))?;
    for summary in &summaries {
        for chart in &summary.charts {
            let path = root.join(FOLDER).join(summary.chart_file(chart));
            std::fs::write(&path, chart.svg()).with_context(|| format!("{}", path.display()))?;
        }
    }
    let readme = root.join("README.md");
    let text = std::fs::read_to_string(&readme)?;
    let new = with_block(&text, &block(&summaries))?;
    if new != text {
        std::fs::write(&readme, new)?;
    }
    Ok(())
}

/// Fails when README or charts are not what the recorded results make of them.
fn check(root: &Path) -> Result<()> {
    let summaries = read_all(&root.join(FOLDER))?;
    let text = std::fs::read_to_string(root.join("README.md"))?;
    let agrees = with_block(&text, &block(&summaries))? == text;
    ensure!(agrees, "README.md differs from benches/results; run `cargo xtask bench summary`");
    for summary in &summaries {
        for chart in &summary.charts {
            let path = root.join(FOLDER).join(summary.chart_file(chart));
            let svg =
                std::fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
            ensure!(
                svg == chart.svg(),
                "{} differs from its record; run `cargo xtask bench summary`",
                path.display()
            );
        }
    }
    Ok(())
}

fn with_block(text: &str, block: &str) -> Result<String> {
    let (before, rest) =
        text.split_once(BEGIN).context("README.md has no block for the benches")?;
    let (_, after) = rest.split_once(END).context("README.md: the benches' block has no end")?;
    Ok(format!("{before}{BEGIN}{block}{END}{after}"))
}

/// Rows of a table beyond which only its CSV has it: the README is for people.
const LONGEST_TABLE: usize = 13;

fn block(summaries: &[Summary]) -> String {
    let mut text = String::from("| goal | measured | |\n|---|---|---|\n");
    for goal in Goal::ALL {
        let found: Vec<_> = summaries
            .iter()
            .flat_map(|summary| summary.outcomes.iter().filter(move |outcome| outcome.goal == goal))
            .collect();
        let (measured, met) = if found.is_empty() {
            ("-".to_owned(), "not measured")
        } else {
            let words: Vec<&str> = found.iter().map(|outcome| outcome.measured.as_str()).collect();
            let met = found.iter().all(|outcome| outcome.met);
            (words.join("; "), if met { "met" } else { "**not met**" })
        };
        text.push_str(&format!("| {} | {} | {met} |\n", goal.text(), measured.replace('|', "/")));
    }
    for summary in summaries {
        let machine = &summary.before;
        text.push_str(&format!(
            "\n**{}** ({}, {}, {} cores, load {:.1}, commit {}{})\n",
            summary.title,
            machine.day(),
            machine.cpu,
            machine.cores,
            machine.load_1min,
            machine.commit,
            if summary.quick { ", few rounds" } else { "" }
        ));
        let short = |table: &&Table| table.rows.len() <= LONGEST_TABLE;
        let shown = |table: &&Table| summary.shown.contains(&table.name);
        for table in summary.tables.iter().filter(shown).filter(short) {
            text.push_str(&format!("\n{}", table.markdown()));
        }
        for chart in &summary.charts {
            let file = summary.chart_file(chart);
            text.push_str(&format!("\n![{}]({FOLDER}/{file})\n", chart.title()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readme_and_charts_agree_with_the_recorded_results() {
        check(&crate::root()).unwrap();
    }

    #[test]
    fn a_goal_that_no_bench_measured_is_said_to_be_so() {
        let mut summary = Summary::new("a", "A");
        summary.outcome(Goal::Flat, false, "1.3× | at 32K");
        let text = block(&[summary]);
        assert!(text.contains("| 1.3× / at 32K | **not met** |"), "{text}");
        assert_eq!(text.matches("| not measured |").count(), Goal::ALL.len() - 1);
    }

    #[test]
    fn only_the_block_is_replaced() {
        let text = format!("a\n{BEGIN}old\n{END}b\n");
        assert_eq!(with_block(&text, "new\n").unwrap(), format!("a\n{BEGIN}new\n{END}b\n"));
        assert!(with_block("a\n", "new\n").is_err());
    }
}
