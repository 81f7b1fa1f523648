use std::time::Duration;

use super::*;
use crate::backend::{RunError, RuntimeInfo};
use crate::models::{Inputs, Rewritten};

/// Takes as long as the file's name says, and answers what it says.
#[derive(Debug)]
struct Scripted {
    has_operators: bool,
}

struct Session {
    millis: u64,
    answer: f32,
}

impl Runtime for Scripted {
    fn open(&self, spec: &ModelSpec) -> Result<Box<dyn Backend>, ModelError> {
        // `<id>-<milliseconds>-<answer>`
        let name = spec.file.display().to_string();
        let fields: Vec<&str> = name.split('-').collect();
        let [_, millis, answer] = fields.as_slice() else {
            return Err(ModelError::Graph { path: spec.file.clone(), message: "broken".into() });
        };
        Ok(Box::new(Session { millis: millis.parse().unwrap(), answer: answer.parse().unwrap() }))
    }

    fn has_operators(&self) -> bool {
        self.has_operators
    }

    fn describe(&self) -> RuntimeInfo {
        RuntimeInfo {
            version: "scripted".to_owned(),
            provider: "scripted",
            fell_back: false,
            nodes: BTreeMap::new(),
        }
    }
}

impl Backend for Session {
    fn run(&mut self, batch: &Batch) -> Result<Vec<Tensor>, RunError> {
        assert_eq!(batch.rows, 1);
        let began = Instant::now();
        while began.elapsed() < Duration::from_millis(self.millis) {
            std::hint::spin_loop();
        }
        Ok(vec![Tensor { shape: vec![1, 1], data: vec![self.answer] }])
    }
}

fn spec(plain: &str, flash: Option<&str>) -> ModelSpec {
    ModelSpec {
        dir: ".".into(),
        name: "m".into(),
        version: "1".into(),
        file: plain.into(),
        sha256: plain.into(),
        quantises_at_run_time: false,
        uses_operator: false,
        has_external_data: false,
        rewritten: flash.map(|name| Rewritten { file: name.into(), sha256: name.into() }),
        tokenizer: "t".into(),
        tokenizer_sha256: String::new(),
        max_tokens: 64,
        window_overlap_tokens: 0,
        text_prefix: String::new(),
        lowercase_shouting: false,
        inputs: Inputs { ids: "i".into(), mask: "m".into(), types: None },
        heads: Vec::new(),
    }
}

fn chosen(
    plain: &str,
    flash: Option<&str>,
    wanted: Attention,
    has_operators: bool,
) -> Result<String, String> {
    let runtime: Arc<dyn Runtime> = Arc::new(Scripted { has_operators });
    choose(spec(plain, flash), wanted, &[1; 8], &runtime)
        .map(|spec| spec.file.display().to_string())
        .map_err(|error| error.to_string())
}

#[test]
fn the_faster_graph_is_chosen_if_both_say_the_same() {
    let auto =
        |plain: &str, flash: &str| chosen(plain, Some(flash), Attention::Auto, true).unwrap();
    assert_eq!(auto("a-30-1", "b-3-1"), "b-3-1");
    assert_eq!(auto("a-3-1", "b-30-1"), "a-3-1");
    assert_eq!(auto("a-30-1", "c-3-9"), "a-30-1", "it says something else");
    assert_eq!(auto("a-30-1", "broken"), "a-30-1");
}

#[test]
fn what_was_measured_is_remembered() {
    let began = Instant::now();
    for _ in 0..20 {
        chosen("r-20-1", Some("s-5-1"), Attention::Auto, true).unwrap();
    }
    // Once it takes about 100 ms; twenty times would take two seconds.
    assert!(began.elapsed() < Duration::from_millis(1500), "{:?}", began.elapsed());
}

#[test]
fn what_is_missing_is_an_error_only_if_it_was_asked_for() {
    assert_eq!(chosen("p-1-1", None, Attention::Auto, true).unwrap(), "p-1-1");
    assert_eq!(chosen("p-1-1", Some("q-1-1"), Attention::Auto, false).unwrap(), "p-1-1");
    assert_eq!(chosen("p-1-1", Some("q-1-1"), Attention::Plain, true).unwrap(), "p-1-1");
    assert_eq!(chosen("p-1-1", Some("q-1-1"), Attention::Flash, true).unwrap(), "q-1-1");
    let error = chosen("p-1-1", Some("q-1-1"), Attention::Flash, false).unwrap_err();
    assert!(
        error.contains("--operator-library") && error.contains("libforebay_ck_op.so"),
        "{error}"
    );
    let error = chosen("p.onnx", None, Attention::Flash, true).unwrap_err();
    assert!(error.contains("inferd rewrite --in p.onnx"), "{error}");
}
