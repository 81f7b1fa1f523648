//! A real export, rewritten by the command and run with the operator library of this build.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Result, exported, exports};

/// The operator library that cargo built for this test binary.
fn operator_library() -> Result<PathBuf> {
    let binary = std::env::current_exe()?;
    let folder = binary.parent().ok_or("a test binary lies in a folder")?;
    let candidates = [folder.to_owned(), folder.join(".."), folder.join("../deps")];
    let mut found = candidates.iter().map(|folder| folder.join("libforebay_ck_op.so"));
    Ok(found.find(|path| path.exists()).ok_or("no libforebay_ck_op.so beside the tests")?)
}

/// Runs a copy of the binary in a folder of its own, so that it finds no operator library beside itself.
fn inferd(dir: &Path, args: &[&str]) -> Result<Output> {
    let binary = dir.join("inferd");
    if !binary.exists() {
        let built = env!("CARGO_BIN_EXE_inferd");
        std::fs::hard_link(built, &binary).or_else(|_| std::fs::copy(built, &binary).map(drop))?;
    }
    let cache = dir.join("cache");
    Ok(Command::new(binary)
        .args(args)
        .env("XDG_CACHE_HOME", cache)
        .env_remove("CACHE_DIRECTORY")
        .env_remove("FOREBAY_OPERATOR_LIB")
        .output()?)
}

/// A folder with a ModernBERT of three layers and 64 ids as torch exports it, and a tokenizer for it.
fn model(dir: &Path) -> Result {
    let head = serde_json::json!({"signal": "domain", "output": "logits", "kind": "sequence",
                                  "labels": ["math", "law", "other"], "threshold": 0.5});
    exported(dir, &exports().join("modernbert-legacy17-sdpa.onnx.gz"), &head)
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn a_rewritten_model_runs_where_its_operator_is_and_says_what_it_needs_elsewhere() -> Result {
    let dir = tempfile::tempdir()?;
    model(dir.path())?;
    let library = operator_library()?.display().to_string();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (plain, flash) = (path("model.onnx"), path("model_fa.onnx"));

    // Without the library there is nothing to compare with.
    let output = inferd(dir.path(), &["rewrite", "--in", &plain])?;
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("--operator-library"), "{}", said(&output));
    assert!(!Path::new(&flash).exists());

    let rewrite = ["rewrite", "--in", &plain, "--operator-library", &library, "--json"];
    let output = inferd(dir.path(), &rewrite)?;
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let layers = report["layers"].as_array().ok_or("layers")?;
    // Layer 0 sees everything, the others eight positions to each side.
    let windows: Vec<_> = layers.iter().map(|l| l["keys_before"].as_u64()).collect();
    assert_eq!(windows, [None, Some(8), Some(8)]);
    let output = inferd(
        dir.path(),
        &["rewrite", "--operator-library", &library, "--check", &plain, &flash],
    )?;
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));

    // What is configured decides, and what is missing is named.
    let yaml = path("inferd.yaml");
    let list = |attention: &str, more: &[&str]| -> Result<Output> {
        std::fs::write(&yaml, format!("models: ['.']\nattention: {{small: {attention}}}"))?;
        let args = ["classify", "the fox", "--config", &yaml, "--json"];
        inferd(dir.path(), &[&args, more].concat())
    };
    let output = list("flash", &[])?;
    assert_eq!(output.status.code(), Some(4), "{}", said(&output));
    assert!(said(&output).contains("libforebay_ck_op.so"), "{}", said(&output));
    let with_library = ["--operator-library", library.as_str()];
    let mut answers = Vec::new();
    for (attention, more) in
        [("plain", [].as_slice()), ("auto", &[]), ("auto", &with_library), ("flash", &with_library)]
    {
        let output = list(attention, more)?;
        assert_eq!(output.status.code(), Some(0), "{attention}: {}", said(&output));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout)?;
        let results = answer["results"].as_array().ok_or("results")?;
        let domain = results.iter().find(|r| r["signal"] == "domain").ok_or("domain")?;
        answers.push(domain["scores"][0]["label"].clone());
    }
    assert!(answers.iter().all(|a| a.is_string() && *a == answers[0]), "{answers:?}");

    // A name that no model has is a slip of the pen.
    std::fs::write(&yaml, "models: ['.']\nattention: {smal: flash}")?;
    let output = inferd(dir.path(), &["classify", "the fox", "--config", &yaml])?;
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("\"smal\""), "{}", said(&output));

    // A folder whose only graph is the rewritten one.
    std::fs::rename(&flash, &plain)?;
    let output = inferd(dir.path(), &["models", "verify", &path("")])?;
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("--operator-library"), "{}", said(&output));
    let output =
        inferd(dir.path(), &["models", "verify", &path(""), "--operator-library", &library])?;
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("attention  flash"), "{}", said(&output));
    Ok(())
}

#[test]
fn a_model_is_rewritten_once_and_a_bad_cache_costs_no_answer() -> Result {
    let dir = tempfile::tempdir()?;
    model(dir.path())?;
    let library = operator_library()?.display().to_string();
    let with_library = ["--operator-library", library.as_str()];
    let yaml = dir.path().join("inferd.yaml").display().to_string();
    let ask = |attention: &str, more: &[&str]| -> Result<Option<i32>> {
        std::fs::write(&yaml, format!("models: ['.']\nruntime: {{attention: {attention}}}"))?;
        let args = ["classify", "the fox", "--config", &yaml];
        Ok(inferd(dir.path(), &[&args, more].concat())?.status.code())
    };
    let cache = dir.path().join("cache");
    let cached = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(cache.join("forebay")).into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
    };
    assert_eq!(ask("auto", &[])?, Some(0));
    assert_eq!(ask("plain", &with_library)?, Some(0));
    assert!(cached().is_empty(), "nothing asked for it: {:?}", cached());

    assert_eq!(ask("flash", &with_library)?, Some(0));
    let made = cached();
    let [file] = made.as_slice() else { return Err(format!("one file, not {made:?}").into()) };
    let written = std::fs::metadata(file)?.modified()?;
    let output =
        inferd(dir.path(), &["models", "verify", &dir.path().display().to_string(), "--json"])?;
    assert!(said(&output).contains("\"attention\": \"plain\""), "{}", said(&output));
    assert_eq!(ask("auto", &with_library)?, Some(0));
    assert_eq!(std::fs::metadata(file)?.modified()?, written, "made again");

    // A damaged file costs speed until the next start.
    std::fs::write(file, "not a graph")?;
    assert_eq!(ask("auto", &with_library)?, Some(0));
    assert!(cached().is_empty(), "{:?}", cached());
    assert_eq!(ask("auto", &with_library)?, Some(0));
    assert_eq!(cached(), made);

    // No place to keep it.
    std::fs::remove_dir_all(&cache)?;
    std::fs::write(&cache, "in the way")?;
    assert_eq!(ask("auto", &with_library)?, Some(0));
    assert_eq!(ask("flash", &with_library)?, Some(4), "it was asked for");
    Ok(())
}
