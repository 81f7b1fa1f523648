//! What the environment asks of the operator library. It is read once for each process, so each case has a process of its
//! own: this test binary again, with [`child`] as the only test.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "test code")]

#[path = "support/node.rs"]
mod node;
#[path = "support/runtime.rs"]
mod runtime;

use std::path::{Path, PathBuf};
use std::process::Command;

use half::f16;
use node::{FOUR, model, run};
use onnx_rewrite::onnx::tensor_proto::DataType;

/// What a child is to do; its answer is the line after [`ANSWER`].
const TASK: &str = "FOREBAY_TEST_TASK";
const ANSWER: &str = "the child's answer: ";

/// Runs the task in a process with these settings: `Ok` or the message of the error.
fn answer(task: &str, settings: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    for name in ["FOREBAY_CK_ISA", "FOREBAY_CK_HIP_LIB", "FOREBAY_CK_HIP_PROVIDER"] {
        command.env_remove(name);
    }
    command
        .args(["--exact", "child", "--nocapture"])
        .env(TASK, task)
        .envs(settings.iter().copied());
    let output = command.output().expect("a child");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (_, answer) = text.split_once(ANSWER).unwrap_or_else(|| {
        panic!("{task}: no answer: {text}{}", String::from_utf8_lossy(&output.stderr))
    });
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn child() {
    // Run by itself, as any test is, there is nothing to do.
    let Ok(task) = std::env::var(TASK) else { return };
    let result = match task.as_str() {
        "float32" => float32(),
        "float16" => float16(&[("scale", 0.25), ("window_size_left", 3.0)]),
        "float16 tokens first" => float16(&[("scale", 0.25), ("tokens_first", 1.0)]),
        _ => panic!("{task}"),
    };
    let answer =
        result.map_or_else(|error| error.to_string().replace('\n', " "), |()| "ok".to_owned());
    println!("{ANSWER}{answer}");
}

/// Attention to two equal keys: the mean of their values.
fn float32() -> ort::Result<()> {
    let attributes = [("scale", 0.125), ("allow_bf16", 1.0)];
    let mut session = runtime::open(&model(DataType::Float, &FOUR[..3], &attributes))?;
    let mut values = vec![1.0f32; 64];
    values.extend([2.0; 64]);
    let q = ("q", vec![1, 1, 1, 64], vec![0.5f32; 64]);
    let k = ("k", vec![1, 1, 2, 64], vec![0.25; 128]);
    let out = run(&mut session, &[q, k, ("v", vec![1, 1, 2, 64], values)])?;
    assert!(out.iter().all(|x| (x - 1.5).abs() < 1e-3), "{out:?}");
    Ok(())
}

fn float16(attributes: &[(&str, f64)]) -> ort::Result<()> {
    let names = FOUR;
    let mut session = runtime::open(&model(DataType::Float16, &names, attributes))?;
    let tensor =
        |rows: usize, x: f32| (vec![2, 3, rows, 32], vec![f16::from_f32(x); 6 * rows * 32]);
    let (q, k, v) = (tensor(5, 1.0), tensor(7, 2.0), tensor(7, -1.0));
    let bias = (vec![2, 1, 1, 7], vec![f16::from_f32(0.5); 14]);
    let out = run::<f16>(
        &mut session,
        &[("q", q.0, q.1), ("k", k.0, k.1), ("v", v.0, v.1), ("bias", bias.0, bias.1)],
    )?;
    assert!(out.iter().all(|&x| x == f16::from_f32(-1.0)), "{out:?}");
    Ok(())
}

#[test]
fn each_instruction_set_can_be_asked_for_and_a_wrong_name_is_told() {
    // What this CPU lacks is no error: the setting is the highest that may be used.
    for isa in ["portable", "avx2", "avx512", "avx512-bf16"] {
        assert_eq!(answer("float32", &[("FOREBAY_CK_ISA", isa)]), "ok", "{isa}");
    }
    for wrong in ["sse9", "AVX2", ""] {
        let message = answer("float32", &[("FOREBAY_CK_ISA", wrong)]);
        let wanted = format!(
            "FOREBAY_CK_ISA is {wrong:?}; it must be portable, avx2, avx512 or avx512-bf16"
        );
        assert!(message.contains(&wanted), "{message}");
    }
}

/// The stub as a library; `version` is what it says of the interface.
fn stub(folder: &Path, version: Option<u32>) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/hip_stub.c");
    let library = folder.join("libstub.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source);
    if let Some(version) = version {
        compiler.arg(format!("-DSTUB_ABI={version}"));
    }
    assert!(compiler.status().expect("a C compiler").success());
    library
}

fn with_hip(task: &str, library: &Path) -> String {
    let library = library.to_str().expect("a plain path");
    let provider = ("FOREBAY_CK_HIP_PROVIDER", "CPUExecutionProvider");
    answer(task, &[("FOREBAY_CK_HIP_LIB", library), provider])
}

#[test]
fn a_hip_library_that_is_none_is_told_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = with_hip("float32", &folder.path().join("nowhere.so"));
    assert!(missing.contains("FOREBAY_CK_HIP_LIB") && missing.contains("nowhere.so"), "{missing}");
    assert!(missing.contains("No such file"), "{missing}");
    let other = with_hip("float32", &runtime::operator_library());
    assert!(other.contains("forebay_hip_abi"), "{other}");
    let old = with_hip("float32", &stub(folder.path(), Some(99)));
    assert!(old.contains("it has version 99 of the interface; this library has 1"), "{old}");
}

#[test]
fn the_hip_back_end_is_asked_for_what_the_node_says_and_its_refusal_is_passed_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let message = with_hip("float16", &stub(folder.path(), None));
    let wanted = "CKFlashAttention: no kernel for this GPU: batch 2 heads 3 queries 5 keys 7 head_dim 32 bias_rows 2 \
                  window 3 -1 scale 0.25 element 0 first 3c00 4000 bc00 bias 3800";
    assert!(message.contains(wanted), "{message}");
}

#[test]
fn what_the_hip_back_end_cannot_do_is_refused_before_it_is_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let message = with_hip("float16 tokens first", &stub(folder.path(), None));
    assert!(message.contains("tokens_first is 1; the HIP back end takes 0"), "{message}");
}

#[test]
fn without_the_rocm_provider_the_cpu_serves_half_precision() {
    // The HIP operators go to a provider that this ONNX Runtime does not have.
    let folder = tempfile::tempdir().expect("a folder");
    let library = stub(folder.path(), None);
    let library = library.to_str().expect("a plain path");
    assert_eq!(answer("float16", &[("FOREBAY_CK_HIP_LIB", library)]), "ok");
}
