//! `inferd models`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::{CliError, Config, Env, Libraries, Local, block_on, print};
use crate::backend::Runtime;
use crate::daemon;
use crate::engine::Engine;
use crate::evaluate::disguise::Disguise;
use crate::evaluate::{self, Observation, data, report};
use crate::loaded::Loaded;
use crate::models::{ModelSpec, Signal};
use crate::telemetry::Metrics;

/// Look at model folders.
#[derive(Debug, Args)]
pub(super) struct Models {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the models of the configuration
    List(List),
    /// Check a folder: files, digests, graph, labels, and a probe run
    Verify(Verify),
    /// Measure a model on labelled text through the product's whole path
    Evaluate(Evaluate),
    /// Print the JSON Schema of a folder's manifest.json
    Schema,
}

#[derive(Debug, Args)]
struct List {
    #[command(flatten)]
    local: Local,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Verify {
    /// Model folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    libraries: Libraries,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Evaluate {
    #[command(flatten)]
    local: Local,
    /// What the data is about
    #[arg(long, value_enum)]
    task: Signal,
    /// JSON lines: `text`, `label` (jailbreak or benign, or a domain) or `spans` (`start`, `end` in bytes, `type`), and `source` if known
    #[arg(long, value_name = "FILE.jsonl")]
    data: PathBuf,
    /// Write the report as JSON
    #[arg(long, value_name = "OUT")]
    json: Option<PathBuf>,
    /// Threshold to use instead of the model's
    #[arg(long, value_name = "0..1")]
    threshold: Option<f32>,
    /// Repeat each recognised attack in harmless disguises and report how many verdicts flip (jailbreak only)
    #[arg(long)]
    robustness: bool,
}

impl Models {
    pub(super) fn run(self, env: Env<'_>) -> Result<(), CliError> {
        match self.command {
            Command::List(command) => command.run(),
            Command::Verify(command) => command.run(env),
            Command::Evaluate(command) => command.run(env),
            Command::Schema => print(&format!("{:#}\n", crate::models::schema())),
        }
    }
}

fn described(spec: &ModelSpec) -> serde_json::Value {
    json!({
        "name": spec.name,
        "version": spec.version,
        "dir": spec.dir,
        "file": spec.file,
        "sha256": spec.sha256,
        "tokenizer_sha256": spec.tokenizer_sha256,
        "max_tokens": spec.max_tokens,
        "window_overlap_tokens": spec.window_overlap_tokens,
        "lowercase_shouting": spec.lowercase_shouting,
        "quantises_at_run_time": spec.quantises_at_run_time,
        "attention": if spec.uses_operator { "flash" } else { "plain" },
        "heads": spec.heads.iter().map(|h| json!({
            "signal": h.signal.name(), "output": h.output, "labels": h.labels, "threshold": h.threshold,
            "type_thresholds": h.type_thresholds, "temperature": h.temperature, "window_prior": h.window_prior,
        })).collect::<Vec<_>>(),
    })
}

fn shown(spec: &ModelSpec) -> String {
    let mut out = format!("{} {}  ({})\n", spec.name, spec.version, spec.dir.display());
    for head in &spec.heads {
        let labels = head.labels.len();
        _ = writeln!(
            out,
            "  {:<10} output {:<12} {labels} labels, threshold {}, temperature {}{}",
            head.signal.name(),
            head.output,
            head.threshold,
            head.temperature,
            if head.window_prior > 0.0 {
                format!(", window prior {}", head.window_prior)
            } else {
                String::new()
            }
        );
    }
    _ = writeln!(
        out,
        "  windows of {} tokens, overlap {}",
        spec.max_tokens, spec.window_overlap_tokens
    );
    out
}

impl List {
    fn run(self) -> Result<(), CliError> {
        let raw = self.local.raw()?;
        let specs =
            raw.models.iter().map(|dir| ModelSpec::load(dir)).collect::<Result<Vec<_>, _>>()?;
        if self.json {
            let list: Vec<_> = specs.iter().map(described).collect();
            return print(&format!("{:#}\n", json!({"models": list})));
        }
        print(&specs.iter().map(shown).collect::<String>())
    }
}

impl Verify {
    fn run(self, env: Env<'_>) -> Result<(), CliError> {
        let local = Local { config: None, models: vec![self.dir], libraries: self.libraries };
        let mut config = Config::try_from(local.raw()?)?;
        config.session.read_back = true;
        let runtime = local.runtime(&config, env)?;
        let engine = engine(&config, &runtime)?;
        let loaded =
            engine.loaded().ok_or_else(|| CliError::Failed("nothing was loaded".to_owned()))?;
        let nodes = runtime.describe().nodes;
        let mut out = String::new();
        for model in &loaded.models {
            let info = json!({
                "ok": true,
                "model": described(&model.spec),
                "vocabulary": model.tokenizer.vocabulary(),
                "special_tokens_per_window": model.tokenizer.frame_tokens(),
                "nodes": nodes,
            });
            if self.json {
                _ = writeln!(out, "{info:#}");
                continue;
            }
            out.push_str(&shown(&model.spec));
            _ = writeln!(
                out,
                "  tokenizer  {} ids, {} special tokens in each window",
                model.tokenizer.vocabulary(),
                model.tokenizer.frame_tokens()
            );
            _ = writeln!(out, "  sha256     {}", model.spec.sha256);
            for (provider, count) in &nodes {
                _ = writeln!(out, "  nodes      {count} run by {provider}");
            }
            if model.spec.uses_operator {
                _ = writeln!(out, "  attention  flash: {}", model.spec.file.display());
            }
            if model.spec.quantises_at_run_time {
                _ = writeln!(
                    out,
                    "  quantises activations at run time: windows run one by one unless runtime.batching is `always`"
                );
            }
            _ = writeln!(out, "  ok: digests, graph, labels and a probe run");
        }
        loaded.close();
        print(&out)
    }
}

/// Loads the models of the flags, with a threshold for one signal if given.
fn load(
    local: &Local,
    env: Env<'_>,
    threshold: Option<(Signal, f32)>,
) -> Result<(Arc<Engine>, Config), CliError> {
    let mut raw = local.raw()?;
    raw.thresholds.extend(threshold);
    let config = Config::try_from(raw)?;
    let runtime = local.runtime(&config, env)?;
    Ok((engine(&config, &runtime)?, config))
}

fn engine(config: &Config, runtime: &Arc<dyn Runtime>) -> Result<Arc<Engine>, CliError> {
    let metrics = Arc::new(Metrics::new().map_err(|e| CliError::Failed(e.to_string()))?);
    let loaded = Loaded::load(&daemon::plan(config), runtime, &metrics)?;
    let engine = Engine::new(config.engine, metrics);
    engine.swap(Some(Arc::new(loaded)));
    Ok(Arc::new(engine))
}

impl Evaluate {
    fn run(self, env: Env<'_>) -> Result<(), CliError> {
        let (engine, _) = load(&self.local, env, self.threshold.map(|t| (self.task, t)))?;
        let loaded =
            engine.loaded().ok_or_else(|| CliError::Failed("nothing was loaded".to_owned()))?;
        let spec = loaded
            .serves(self.task)
            .and_then(|(index, _)| loaded.models.get(index))
            .map(|m| Arc::clone(&m.spec));
        let spec =
            spec.ok_or_else(|| CliError::Failed(format!("no model serves {}", self.task)))?;
        let head = spec
            .head(self.task)
            .ok_or_else(|| CliError::Failed(format!("no head serves {}", self.task)))?;
        let rows = data::read(&self.data, self.task, head).map_err(CliError::failed)?;
        let seen = self.observe(&engine, &rows, "rows")?;
        let disguised = if self.robustness {
            self.disguise(&engine, &rows, &seen, head.threshold)?
        } else {
            Vec::new()
        };
        let name =
            self.data.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let subject = report::Subject { task: self.task, spec: &spec, head, data: &name };
        let report = report::report(subject, &rows, &seen, &disguised);
        loaded.close();
        if let Some(path) = &self.json {
            let text = format!("{:#}\n", report.json);
            std::fs::write(path, text)
                .map_err(CliError::io(format!("cannot write {}", path.display())))?;
        }
        print(&report.table)
    }

    fn observe(
        &self,
        engine: &Arc<Engine>,
        rows: &[data::Row],
        what: &'static str,
    ) -> Result<Vec<Observation>, CliError> {
        // Hidden by itself when standard error is not a terminal.
        let bar = ProgressBar::new(rows.len() as u64);
        if let Ok(style) =
            ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {per_sec}, {eta} left")
        {
            bar.set_style(style);
        }
        bar.set_message(what);
        let seen = block_on(async {
            evaluate::observe(engine, self.task, rows, || bar.inc(1))
                .await
                .map_err(CliError::failed)
        });
        bar.finish_and_clear();
        seen
    }

    /// For each disguise: verdicts that flipped, of how many.
    fn disguise(
        &self,
        engine: &Arc<Engine>,
        rows: &[data::Row],
        seen: &[Observation],
        threshold: f32,
    ) -> Result<Vec<(Disguise, usize, usize)>, CliError> {
        if self.task != Signal::Jailbreak {
            return Err(CliError::Failed("--robustness is for the jailbreak task".to_owned()));
        }
        let positive = data::Truth::Label(report::POSITIVE.to_owned());
        let caught = rows
            .iter()
            .zip(seen)
            .filter(|(r, o)| r.truth == positive && o.score(report::POSITIVE) >= threshold);
        let caught: Vec<&data::Row> = caught.map(|(r, _)| r).collect();
        Disguise::ALL
            .into_iter()
            .map(|disguise| {
                let changed: Vec<data::Row> = caught
                    .iter()
                    .enumerate()
                    .map(|(seed, row)| data::Row {
                        text: disguise.apply(&row.text, seed),
                        ..(*row).clone()
                    })
                    .collect();
                let after = self.observe(engine, &changed, disguise.name())?;
                let flipped =
                    after.iter().filter(|o| o.score(report::POSITIVE) < threshold).count();
                Ok((disguise, flipped, changed.len()))
            })
            .collect()
    }
}
