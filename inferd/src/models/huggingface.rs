//! Folders as the Hugging Face tools write them: `config.json`, `tokenizer.json` and an ONNX file, without a manifest of ours.
//!
//! What the labels mean is decided by their names, never by their order: models disagree about which class comes first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Head, Inputs, ModelError, ModelSpec, Signal, check_labels, digest, read, rewritten};

/// The configuration's name.
pub(super) const CONFIG: &str = "config.json";
/// Where exporters put the graph, in order of preference.
const GRAPHS: [&str; 6] = [
    "model.onnx",
    "onnx/model.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
    "onnx/model_int8.onnx",
    "onnx/model_fp16.onnx",
];
/// Longer windows cost the square of their length in attention; a manifest can ask for them.
const MAX_TOKENS: usize = 512;
const OVERLAP_TOKENS: usize = 64;
/// Names by which models call a harmless text and an attack.
const HARMLESS: [&str; 6] = ["benign", "safe", "legit", "legitimate", "normal", "no_injection"];
const HARMFUL: [&str; 6] =
    ["jailbreak", "injection", "prompt_injection", "unsafe", "malicious", "attack"];

#[derive(Deserialize)]
struct RawConfig {
    #[serde(default)]
    architectures: Vec<String>,
    #[serde(default)]
    model_type: String,
    #[serde(default)]
    id2label: BTreeMap<String, String>,
    max_position_embeddings: Option<usize>,
}

/// Reads a folder without a manifest.
pub(super) fn load(dir: &Path) -> Result<ModelSpec, ModelError> {
    let path = dir.join(CONFIG);
    let config = read_config(&path)?;
    let value = |key: &str, message: String| ModelError::Value {
        path: path.clone(),
        key: key.to_owned(),
        message,
    };
    let labels = labels(&config).map_err(|message| value("id2label", message))?;
    let signal = signal(&config, &labels).map_err(|message| value("architectures", message))?;
    let labels = canonical(signal, labels).map_err(|message| value("id2label", message))?;
    check_labels(signal, &labels).map_err(|message| value("id2label", message))?;
    let file = graph(dir)?;
    let tokenizer = dir.join("tokenizer.json");
    let read = digest(&file, "sha256", None)?;
    let tokenizer_sha256 = digest(&tokenizer, "tokenizer_sha256", None)?.sha256;
    // RoBERTa's positions start after the padding id.
    let reserved = if config.model_type.contains("roberta") || config.model_type == "camembert" {
        2
    } else {
        0
    };
    let positions = config.max_position_embeddings.unwrap_or(MAX_TOKENS).saturating_sub(reserved);
    if positions < 8 {
        return Err(value(
            "max_position_embeddings",
            format!("{positions} leaves no room for text"),
        ));
    }
    let max_tokens = positions.min(MAX_TOKENS);
    let canonical_dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    Ok(ModelSpec {
        name: canonical_dir
            .file_name()
            .map_or_else(|| "model".to_owned(), |n| n.to_string_lossy().into_owned()),
        version: read.sha256.chars().take(12).collect(),
        dir: dir.to_owned(),
        rewritten: rewritten(&file)?,
        file,
        sha256: read.sha256,
        quantises_at_run_time: read.quantises,
        uses_operator: read.has_operator,
        has_external_data: read.has_external_data,
        tokenizer,
        tokenizer_sha256,
        max_tokens,
        window_overlap_tokens: OVERLAP_TOKENS.min(max_tokens / 4),
        text_prefix: String::new(),
        lowercase_shouting: false,
        inputs: Inputs {
            ids: "input_ids".to_owned(),
            mask: "attention_mask".to_owned(),
            types: None,
        },
        heads: vec![Head {
            signal,
            output: "logits".to_owned(),
            kind: signal.kind(),
            labels,
            threshold: 0.5,
            type_thresholds: BTreeMap::new(),
            temperature: 1.0,
            window_prior: 0.0,
        }],
    })
}

/// Compares a manifest with the `config.json` beside it, if both name labels: they must agree in meaning and order.
pub(super) fn agrees(dir: &Path, heads: &[Head]) -> Result<(), ModelError> {
    let path = dir.join(CONFIG);
    let [head] = heads else { return Ok(()) };
    if !path.is_file() {
        return Ok(());
    }
    let config = read_config(&path)?;
    if config.id2label.is_empty() {
        return Ok(());
    }
    let value = |message: String| ModelError::Value {
        path: path.clone(),
        key: "id2label".to_owned(),
        message,
    };
    let theirs = labels(&config).and_then(|l| canonical(head.signal, l)).map_err(value)?;
    if theirs == head.labels {
        Ok(())
    } else {
        Err(value(format!("is {theirs:?}, but the manifest's labels are {:?}", head.labels)))
    }
}

fn read_config(path: &Path) -> Result<RawConfig, ModelError> {
    let bytes = read(path)?;
    serde_json::from_slice(&bytes)
        .map_err(|e| ModelError::Json { path: path.to_owned(), message: e.to_string() })
}

/// Labels by index, which must run from 0 without a gap.
fn labels(config: &RawConfig) -> Result<Vec<String>, String> {
    let mut by_index = BTreeMap::new();
    for (index, label) in &config.id2label {
        let index: usize = index.parse().map_err(|_| format!("{index:?} is not an index"))?;
        by_index.insert(index, label.clone());
    }
    if by_index.is_empty() {
        return Err("names no labels".to_owned());
    }
    if by_index.keys().copied().ne(0..by_index.len()) {
        return Err("its indices do not run from 0 without a gap".to_owned());
    }
    Ok(by_index.into_values().collect())
}

fn signal(config: &RawConfig, labels: &[String]) -> Result<Signal, String> {
    let is = |suffix: &str| config.architectures.iter().any(|a| a.ends_with(suffix));
    if is("ForTokenClassification")
        || (config.architectures.is_empty() && labels.iter().any(|l| l == "O"))
    {
        return Ok(Signal::Pii);
    }
    if is("ForSequenceClassification") || config.architectures.is_empty() {
        return Ok(if labels.len() == 2 { Signal::Jailbreak } else { Signal::Domain });
    }
    Err(format!(
        "{:?} is neither a ForSequenceClassification nor a ForTokenClassification",
        config.architectures
    ))
}

/// Our names for the model's labels, in the model's order.
fn canonical(signal: Signal, labels: Vec<String>) -> Result<Vec<String>, String> {
    if signal != Signal::Jailbreak {
        return Ok(labels);
    }
    labels
        .into_iter()
        .map(|label| {
            let name = label.to_lowercase().replace([' ', '-'], "_");
            if HARMLESS.contains(&name.as_str()) {
                Ok("benign".to_owned())
            } else if HARMFUL.contains(&name.as_str()) {
                Ok("jailbreak".to_owned())
            } else {
                Err(format!(
                    "{label:?} could mean anything; a harmless text is called {} and an attack {}",
                    HARMLESS.join(", "),
                    HARMFUL.join(", ")
                ))
            }
        })
        .collect()
}

fn graph(dir: &Path) -> Result<PathBuf, ModelError> {
    GRAPHS.iter().map(|name| dir.join(name)).find(|path| path.is_file()).ok_or_else(|| {
        ModelError::Value {
            path: dir.to_owned(),
            key: "model.onnx".to_owned(),
            message: format!("none of {} exists", GRAPHS.join(", ")),
        }
    })
}
