use std::path::{Path, PathBuf};

use super::*;
use crate::backend::Runtime;
use crate::backend::fake::FakeRuntime;
use crate::config::{Config, Raw};

/// A copy of the tiny model with one of its heads and a graph of its own; the fake runtime does not read graphs.
fn one_head(dir: &Path, head: usize) -> PathBuf {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny");
    let folder = dir.join(format!("model-{head}"));
    std::fs::create_dir(&folder).unwrap();
    std::fs::copy(fixture.join("tokenizer.json"), folder.join("tokenizer.json")).unwrap();
    std::fs::write(folder.join("model.onnx"), format!("graph {head}")).unwrap();
    let text = std::fs::read(fixture.join("manifest.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_slice(&text).unwrap();
    manifest["sha256"] = serde_json::Value::Null;
    manifest["name"] = format!("tiny-{head}").into();
    let head = manifest["heads"][head].take();
    manifest["heads"] = serde_json::json!([head]);
    std::fs::write(folder.join("manifest.json"), manifest.to_string()).unwrap();
    folder
}

#[test]
fn models_with_one_tokenizer_share_the_ids_of_a_text() {
    let dir = tempfile::tempdir().unwrap();
    let models = (0..3).map(|head| one_head(dir.path(), head)).collect();
    let config = Config::try_from(Raw { models, ..Raw::default() }).unwrap();
    let runtime: Arc<dyn Runtime> = Arc::new(FakeRuntime::default());
    let metrics = Arc::new(Metrics::new().unwrap());
    let loaded = Loaded::load(&crate::daemon::plan(&config), &runtime, &metrics).unwrap();
    let passage = |id, text: &str| Passage { id, text: text.to_owned() };
    let request = Request {
        passages: vec![passage(0, "Alice met Bob"), passage(1, "in Paris")],
        questions: Signal::ALL.map(|signal| Question { signal, passages: vec![0, 1] }).to_vec(),
    };
    let plan = Plan::new(&request, Arc::new(loaded), None).unwrap();
    let models: HashSet<usize> = plan.passes.iter().map(|pass| pass.model).collect();
    assert_eq!((plan.readings.len(), plan.passes.len(), models.len()), (1, 3, 3));
    let first = &plan.passes[0].tokens;
    assert!(plan.passes.iter().all(|pass| Arc::ptr_eq(&pass.tokens, first)), "tokenised again");
}
