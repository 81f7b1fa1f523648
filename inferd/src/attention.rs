//! Which of a model's two graphs runs: the exported one, or the one that is rewritten for the attention operator. That one lies beside
//! the exported one where `inferd rewrite` put it; else the daemon makes it, once, and keeps it in its cache folder.
//!
//! Which is faster depends on the machine, the window and the runtime, so `auto` runs both when the model is loaded and keeps the better.
//! What was measured is remembered until the process ends, so that a reload does not measure again. On the CPU it is the CPU time of the
//! calling thread, which does its share of every operator: a busy machine stretches the time on the wall by chance.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backend::{Backend, Batch, Provider, Runtime, Tensor};
use crate::models::{ModelError, ModelSpec, Rewritten};
use crate::worker::{monotonic, thread_cpu};

/// What a rewritten file's name ends with, before the extension.
const SUFFIX: &str = "_fa";
/// Longest window that is measured, in tokens: what is longer gains more, and takes long.
const MEASURED_TOKENS: usize = 1024;
/// Runs of each graph, the shortest of which counts; one more warms up.
const RUNS: usize = 3;
/// No more runs are begun after this long.
const BUDGET: Duration = Duration::from_secs(4);
/// The rewritten graph must be faster by this share to be chosen.
const GAIN: f64 = 0.02;
/// How far apart the logits of the two may be, as a share of the largest or of 1: int8 models differ by a few hundredths.
const TOLERANCE: f32 = 0.2;

/// Which graph to run.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Attention {
    /// The rewritten one if the operator library is there and it is faster on this machine.
    #[default]
    Auto,
    /// The rewritten one; an error if it cannot be.
    Flash,
    /// The exported one.
    Plain,
}

/// Shortest times of the two graphs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    plain: Duration,
    flash: Duration,
    /// Whether they say the same.
    agree: bool,
}

/// By the digests of the two files.
static MEASURED: Mutex<BTreeMap<(String, String), Measured>> = Mutex::new(BTreeMap::new());

/// Where `inferd rewrite` puts the graph that it makes of `file`, if not told otherwise.
#[must_use]
pub fn rewritten_path(file: &Path) -> PathBuf {
    let stem = file.file_stem().map(std::ffi::OsStr::to_string_lossy).unwrap_or_default();
    file.with_file_name(format!("{stem}{SUFFIX}.onnx"))
}

/// The description with the graph that is to run. `window` is a full one; opening and running may take seconds.
///
/// # Errors
///
/// When the wanted graph or the operator library is not there.
pub fn choose(
    mut spec: ModelSpec,
    wanted: Attention,
    window: &[u32],
    runtime: &Arc<dyn Runtime>,
) -> Result<ModelSpec, ModelError> {
    let refused =
        |path: &Path, message: String| ModelError::Graph { path: path.to_owned(), message };
    if spec.uses_operator {
        if wanted == Attention::Plain {
            return Err(refused(
                &spec.file,
                "attention is to be plain, but this file is a rewritten one".to_owned(),
            ));
        }
        if !runtime.has_operators() {
            return Err(refused(&spec.file, missing_library("it was rewritten")));
        }
        return Ok(spec);
    }
    if wanted == Attention::Plain {
        return Ok(spec);
    }
    if !runtime.has_operators() && wanted == Attention::Auto {
        tracing::warn!(
            model = spec.name,
            "no libforebay_ck_op.so was found, so the exported graph runs, which is slower"
        );
        return Ok(spec);
    }
    let beside = spec.rewritten.take();
    let is_made = beside.is_none();
    let rewritten = match beside {
        Some(rewritten) => rewritten,
        None => match made(&spec, runtime) {
            Some(rewritten) => rewritten,
            None if wanted == Attention::Auto => return Ok(spec),
            None => {
                let path = rewritten_path(&spec.file);
                let made = format!("inferd rewrite --in {}", spec.file.display());
                return Err(refused(
                    &path,
                    format!(
                        "attention is to be flash, but there is no such file; `{made}` makes it"
                    ),
                ));
            }
        },
    };
    let flash = ModelSpec {
        file: rewritten.file,
        sha256: rewritten.sha256,
        uses_operator: true,
        ..spec.clone()
    };
    if !runtime.has_operators() {
        return Err(refused(&flash.file, missing_library("attention is to be flash")));
    }
    if wanted == Attention::Flash {
        return Ok(flash);
    }
    let key = (spec.sha256.clone(), flash.sha256.clone());
    let known = MEASURED.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
    let measured = match known {
        Some(measured) => measured,
        None => match measure(&spec, &flash, window, runtime) {
            Ok(measured) => {
                MEASURED.lock().unwrap_or_else(PoisonError::into_inner).insert(key, measured);
                measured
            }
            Err(error) => {
                tracing::warn!(model = spec.name, %error, "the rewritten graph cannot be used");
                if is_made {
                    // Damaged, perhaps; the next start makes it anew.
                    drop(std::fs::remove_file(&flash.file));
                }
                return Ok(spec);
            }
        },
    };
    let is_faster = measured.flash.as_secs_f64() < measured.plain.as_secs_f64() * (1.0 - GAIN);
    let use_flash = is_faster && measured.agree;
    if !measured.agree {
        tracing::warn!(
            model = spec.name,
            "the rewritten graph says something else than the exported one, so it is not used; rewrite it anew"
        );
    }
    tracing::info!(
        model = spec.name,
        tokens = window.len().min(MEASURED_TOKENS),
        plain_ms = measured.plain.as_secs_f64() * 1e3,
        flash_ms = measured.flash.as_secs_f64() * 1e3,
        chosen = if use_flash { "flash" } else { "plain" },
        "attention measured"
    );
    Ok(if use_flash { flash } else { spec })
}

/// The rewritten graph out of the runtime's cache.
fn made(spec: &ModelSpec, runtime: &Arc<dyn Runtime>) -> Option<Rewritten> {
    match runtime.rewritten(spec).and_then(|file| file.map(Rewritten::at).transpose()) {
        Ok(rewritten) => rewritten,
        Err(error) => {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(
                model = spec.name,
                error,
                "the graph could not be rewritten, so the exported one runs"
            );
            None
        }
    }
}

fn missing_library(why: &str) -> String {
    format!(
        "{why}, which needs the operator {}::{} of libforebay_ck_op.so: name that library by --operator-library or runtime.operator_library",
        onnx_rewrite::DOMAIN,
        onnx_rewrite::OPERATOR
    )
}

/// Both sessions are open at once for as long as it takes.
fn measure(
    plain: &ModelSpec,
    flash: &ModelSpec,
    window: &[u32],
    runtime: &Arc<dyn Runtime>,
) -> Result<Measured, ModelError> {
    let window = window.get(..window.len().min(MEASURED_TOKENS)).unwrap_or_default();
    let batch = Batch::of(&[window], 0);
    let is_cpu = runtime.describe().provider == Provider::Cpu.name();
    let clock = || if is_cpu { thread_cpu() } else { monotonic() };
    let began = Instant::now();
    let mut sessions = [plain, flash].map(|spec| (spec, runtime.open(spec)));
    let mut best = [Duration::MAX; 2];
    let mut outputs: [Vec<Tensor>; 2] = [Vec::new(), Vec::new()];
    for round in 0..=RUNS {
        for (((spec, session), best), output) in
            sessions.iter_mut().zip(&mut best).zip(&mut outputs)
        {
            let session: &mut Box<dyn Backend> = match session {
                Ok(session) => session,
                Err(error) => {
                    return Err(ModelError::Graph {
                        path: spec.file.clone(),
                        message: error.to_string(),
                    });
                }
            };
            let at = clock();
            *output = session.run(&batch).map_err(|error| ModelError::Graph {
                path: spec.file.clone(),
                message: error.to_string(),
            })?;
            // The first run of each allocates.
            if round > 0 {
                *best = clock().saturating_sub(at).min(*best);
            }
        }
        if round > 0 && began.elapsed() > BUDGET {
            break;
        }
    }
    let [plain, flash] = best;
    let [a, b] = &outputs;
    Ok(Measured { plain, flash, agree: agree(a, b) })
}

fn agree(a: &[Tensor], b: &[Tensor]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            let largest = a.data.iter().fold(1.0_f32, |m, x| m.max(x.abs()));
            a.shape == b.shape
                && a.data.iter().zip(&b.data).all(|(x, y)| (x - y).abs() <= TOLERANCE * largest)
        })
}

#[cfg(test)]
mod tests;
