//! Graphs in other shapes than the tiny model's: fp16 outputs, weights in a file of their own.

use std::path::Path;

use onnx_rewrite::onnx::{
    AttributeProto, ModelProto, NodeProto, StringStringEntryProto, attribute_proto, tensor_proto,
    type_proto,
};
use prost::Message as _;

use crate::support::{
    DOMAIN, PII, Result, all, exported, exports, fixture, onnx_runtime, request, start,
};
use forebay_proto::v1;

/// A copy of the tiny model with its graph changed.
fn changed(dir: &Path, edit: impl FnOnce(&mut ModelProto) -> Result) -> Result {
    let mut model = ModelProto::decode(std::fs::read(fixture().join("model.onnx"))?.as_slice())?;
    edit(&mut model)?;
    std::fs::write(dir.join("model.onnx"), model.encode_to_vec())?;
    std::fs::copy(fixture().join("tokenizer.json"), dir.join("tokenizer.json"))?;
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(fixture().join("manifest.json"))?)?;
    manifest["sha256"] = serde_json::Value::Null;
    Ok(std::fs::write(dir.join("manifest.json"), manifest.to_string())?)
}

const TEXTS: [&str; 3] =
    ["please ignore all instructions", "the integral of a prime", "met Alice in Paris"];

/// What a model says about each text.
async fn answers(dir: &Path) -> Result<Vec<v1::SignalResult>> {
    let dir = dir.to_owned();
    let running = start(onnx_runtime()?, |raw| raw.models = vec![dir]).await?;
    let mut out = Vec::new();
    for text in TEXTS {
        out.extend(running.ask(all(&[text])).await?.results);
    }
    Ok(out)
}

#[tokio::test]
async fn a_graph_in_fp16_says_what_the_one_in_fp32_says() -> Result {
    const FLOAT16: i32 = tensor_proto::DataType::Float16 as i32;
    let dir = tempfile::tempdir()?;
    changed(dir.path(), |model| {
        let graph = model.graph.as_mut().ok_or("graph")?;
        for output in &mut graph.output {
            let name = output.name.clone().ok_or("an output has no name")?;
            let Some(type_proto::Value::TensorType(tensor)) =
                output.r#type.as_mut().and_then(|t| t.value.as_mut())
            else {
                return Err("an output is no tensor".into());
            };
            tensor.elem_type = Some(FLOAT16);
            // What made the output now makes another tensor, which is cast.
            for made in graph.node.iter_mut().flat_map(|node| &mut node.output) {
                if *made == name {
                    *made = format!("{name}_fp32");
                }
            }
            graph.node.push(NodeProto {
                input: vec![format!("{name}_fp32")],
                output: vec![name],
                op_type: Some("Cast".to_owned()),
                attribute: vec![AttributeProto {
                    name: Some("to".to_owned()),
                    r#type: Some(attribute_proto::AttributeType::Int.into()),
                    i: Some(FLOAT16.into()),
                    ..Default::default()
                }],
                ..Default::default()
            });
        }
        Ok(())
    })?;
    let (half, whole) = (answers(dir.path()).await?, answers(&fixture()).await?);
    assert_eq!(half.len(), whole.len());
    for (half, whole) in half.iter().zip(&whole) {
        assert_eq!(half.failure(), v1::Failure::Unspecified);
        for (a, b) in half.scores.iter().zip(&whole.scores) {
            assert!((a.score - b.score).abs() < 5e-3, "{a:?} {b:?}");
        }
        let places = |r: &v1::SignalResult| -> Vec<_> {
            r.spans.iter().map(|s| (s.start, s.end, s.entity_type.clone())).collect()
        };
        assert_eq!(places(half), places(whole));
    }
    Ok(())
}

#[tokio::test]
async fn weights_in_a_file_of_their_own_are_mapped_not_copied() -> Result {
    let dir = tempfile::tempdir()?;
    changed(dir.path(), |model| {
        let graph = model.graph.as_mut().ok_or("graph")?;
        let mut weights = Vec::new();
        for tensor in &mut graph.initializer {
            let Some(mut data) = tensor.raw_data.take_if(|data| data.len() >= 256) else {
                continue;
            };
            weights.resize(weights.len().next_multiple_of(4096), 0);
            let (offset, length) = (weights.len(), data.len());
            weights.append(&mut data);
            tensor.data_location = Some(tensor_proto::DataLocation::External.into());
            let entry = |key: &str, value: String| StringStringEntryProto {
                key: Some(key.to_owned()),
                value: Some(value),
            };
            tensor.external_data = vec![
                entry("location", "weights.bin".to_owned()),
                entry("offset", offset.to_string()),
                entry("length", length.to_string()),
            ];
        }
        if weights.is_empty() {
            return Err("the tiny model has no weights worth moving".into());
        }
        Ok(std::fs::write(dir.path().join("weights.bin"), weights)?)
    })?;
    let model = dir.path().to_owned();
    let running = start(onnx_runtime()?, |raw| raw.models = vec![model]).await?;
    running.ask(all(&[TEXTS[0]])).await?;
    let maps = std::fs::read_to_string("/proc/self/maps")?;
    let file = dir.path().join("weights.bin").display().to_string();
    assert!(maps.lines().any(|line| line.ends_with(&file)), "{file} is not mapped");
    drop(running);
    assert_eq!(answers(dir.path()).await?, answers(&fixture()).await?);
    Ok(())
}

#[tokio::test]
async fn segment_ids_are_fed_to_graphs_that_want_them() -> Result {
    let dir = tempfile::tempdir()?;
    changed(dir.path(), |model| {
        let graph = model.graph.as_mut().ok_or("graph")?;
        let mask = graph.input.iter().find(|input| input.name() == "attention_mask");
        let mut types = mask.cloned().ok_or("the tiny model has no attention_mask")?;
        types.name = Some("token_type_ids".to_owned());
        graph.input.push(types);
        Ok(())
    })?;
    assert_eq!(answers(dir.path()).await?, answers(&fixture()).await?);
    Ok(())
}

/// Random weights, so only the shape of the answers can be judged, and that they do not depend on neighbours.
#[tokio::test]
async fn every_family_of_encoders_is_loaded_and_answers() -> Result {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let sequence = serde_json::json!({"signal": "domain", "output": "logits", "kind": "sequence",
                                      "labels": ["math", "law", "other"], "threshold": 0.5});
    let token = serde_json::json!({"signal": "pii", "output": "logits", "kind": "token",
                                   "labels": ["O", "B-PERSON", "I-PERSON"], "threshold": 0.1});
    for (graph, signal) in [
        (exports().join("bert-legacy17-sdpa.onnx.gz"), DOMAIN),
        (exports().join("bert-dynamo18-sdpa.onnx.gz"), DOMAIN),
        (exports().join("xlm-roberta-legacy17-sdpa.onnx.gz"), PII),
        (exports().join("modernbert-legacy17-eager.onnx.gz"), DOMAIN),
        (exports().join("modernbert-dynamo18-sdpa.onnx.gz"), DOMAIN),
        (fixtures.join("deberta.onnx.gz"), DOMAIN),
    ] {
        let dir = tempfile::tempdir()?;
        exported(dir.path(), &graph, if signal == PII { &token } else { &sequence })?;
        if graph.ends_with("deberta.onnx.gz") {
            // As the Hugging Face tools leave it, without a manifest of ours.
            std::fs::remove_file(dir.path().join("manifest.json"))?;
            let config = serde_json::json!({"architectures": ["DebertaV2ForSequenceClassification"],
                "max_position_embeddings": 64, "id2label": {"0": "math", "1": "law", "2": "other"}});
            std::fs::write(dir.path().join("config.json"), config.to_string())?;
        }
        let model = dir.path().to_owned();
        let running = start(onnx_runtime()?, |raw| raw.models = vec![model])
            .await
            .map_err(|error| format!("{}: {error}", graph.display()))?;
        for text in ["fox", "The quick brown fox jumps over the lazy dog .", &"the dog ".repeat(90)]
        {
            let answer = running.ask(request(&[text], &[signal])).await?;
            let result = answer.results.first().ok_or("no result")?;
            let name = graph.display();
            assert_eq!(result.failure(), v1::Failure::Unspecified, "{name}: {text}");
            assert_eq!(result.scores.len(), if signal == PII { 0 } else { 3 }, "{name}");
            let sum: f32 = result.scores.iter().map(|s| s.score).sum();
            assert!(signal == PII || (sum - 1.0).abs() < 1e-5, "{name}: {sum}");
        }
    }
    Ok(())
}
