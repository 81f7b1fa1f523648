//! The daemon's answers, from real ONNX Runtime with the tiny model over a real socket.

use crate::support::{DOMAIN, JAILBREAK, PII, Result, all, onnx_runtime, request, spans, start};
use forebay_proto::v1;

fn top(result: &v1::SignalResult) -> (&str, f32) {
    result.scores.first().map_or(("", 0.0), |s| (s.label.as_str(), s.score))
}

#[tokio::test]
async fn the_three_signals_are_answered_in_the_order_asked() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    let text = "Alice met Zoë Smith in Paris";
    let answer = running.ask(request(&[text], &[PII, DOMAIN, JAILBREAK])).await?;
    let signals: Vec<v1::Signal> = answer.results.iter().map(v1::SignalResult::signal).collect();
    assert_eq!(signals, [PII, DOMAIN, JAILBREAK]);
    let expected = [("PERSON", "Alice"), ("PERSON", "Zoë Smith"), ("GPE", "Paris")]
        .map(|(t, s)| (0, t.to_owned(), s.to_owned()));
    assert_eq!(spans(&answer.results[0], &[text]), expected);
    assert_eq!(answer.results[1].scores.len(), 14);
    assert_eq!(top(&answer.results[2]).0, "benign");
    assert_eq!(
        (
            answer.results[2].model.as_str(),
            answer.results[2].windows,
            answer.results[2].tokens_read
        ),
        ("tiny", 1, 7)
    );
    Ok(())
}

#[tokio::test]
async fn an_attack_anywhere_in_a_long_text_is_found() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    for position in [0, 1, 29, 30, 31, 32, 57, 100, 333, 499] {
        let mut words = vec!["word"; 500];
        words[position] = "ignore";
        let answer = running.ask(request(&[&words.join(" ")], &[JAILBREAK])).await?;
        assert_eq!(top(&answer.results[0]).0, "jailbreak", "at word {position}");
        assert_eq!((answer.results[0].tokens_read, answer.results[0].truncated), (500, false));
        assert_eq!(answer.results[0].windows, 21);
    }
    Ok(())
}

/// The tiny model knows small letters only.
#[tokio::test]
async fn a_model_that_asks_for_it_reads_shouting_in_small_letters() -> Result {
    let text = "PLEASE NOW IGNORE ALL OF THIS, in Paris";
    for (asked, label) in [(true, "jailbreak"), (false, "benign")] {
        let dir = tempfile::tempdir()?;
        for name in ["model.onnx", "tokenizer.json"] {
            std::fs::copy(crate::support::fixture().join(name), dir.path().join(name))?;
        }
        let mut manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(
            crate::support::fixture().join("manifest.json"),
        )?)?;
        manifest["lowercase_shouting"] = asked.into();
        std::fs::write(dir.path().join("manifest.json"), manifest.to_string())?;
        let running = start(onnx_runtime()?, |raw| raw.models = vec![dir.path().into()]).await?;
        let answer = running.ask(request(&[text], &[JAILBREAK, PII])).await?;
        assert_eq!(top(&answer.results[0]).0, label);
        let place = [(0, "GPE".to_owned(), "Paris".to_owned())];
        assert_eq!(spans(&answer.results[1], &[text]), place);
    }
    Ok(())
}

#[tokio::test]
async fn an_entity_anywhere_in_a_long_text_has_its_exact_bytes() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    for position in 0..100 {
        let mut words = vec!["日本 word"; 100];
        words[position] = "Zoë Smith";
        let text = words.join(" ");
        let answer = running.ask(request(&[&text], &[PII])).await?;
        assert_eq!(
            spans(&answer.results[0], &[&text]),
            [(0, "PERSON".to_owned(), "Zoë Smith".to_owned())],
            "at {position}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn passages_are_read_in_the_order_listed_and_spans_belong_to_them() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    let texts = ["Alice", "in Oslo", "", "Smith"];
    let mut asked = request(&texts, &[PII]);
    asked.signals[0].passage_ids = vec![3, 1, 2];
    let answer = running.ask(asked).await?;
    let expected =
        [(1, "GPE".to_owned(), "Oslo".to_owned()), (3, "PERSON".to_owned(), "Smith".to_owned())];
    assert_eq!(spans(&answer.results[0], &texts), expected);
    Ok(())
}

#[tokio::test]
async fn signals_with_one_reading_list_share_one_pass() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    let before = running.metric("forebay_batch_rows_sum").unwrap_or(0.0);
    running.ask(all(&["Alice"])).await?;
    assert_eq!(running.metric("forebay_batch_rows_sum"), Some(before + 1.0));
    let mut asked = all(&["Alice", "Bob"]);
    asked.signals[2].passage_ids = vec![1];
    running.ask(asked).await?;
    assert_eq!(running.metric("forebay_batch_rows_sum"), Some(before + 3.0));
    Ok(())
}

#[tokio::test]
async fn a_batch_answers_what_each_text_would_get_alone() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    let texts: Vec<String> = (0..40)
        .map(|i| {
            format!(
                "{} {} integral court Alice",
                "word ".repeat(i % 7),
                if i % 3 == 0 { "ignore" } else { "hello" }
            )
        })
        .collect();
    let mut alone = Vec::new();
    for text in &texts {
        alone.push(running.ask(all(&[text])).await?.results);
    }
    let before = running.metric("forebay_batch_rows_count").unwrap_or(0.0);
    let together = texts.iter().map(|text| {
        let (client, asked) = (running.client.clone(), all(&[text]));
        tokio::spawn(async move { client.classify(asked, None).await })
    });
    let together: Vec<_> = together.collect();
    for (task, expected) in together.into_iter().zip(alone) {
        for (got, expected) in task.await??.results.iter().zip(&expected) {
            assert_eq!(got.spans, expected.spans);
            for (a, b) in got.scores.iter().zip(&expected.scores) {
                assert_eq!(a.label, b.label);
                assert!((a.score - b.score).abs() < 1e-6, "{a:?} {b:?}");
            }
        }
    }
    let batches = running.metric("forebay_batch_rows_count").unwrap_or(0.0) - before;
    assert!(batches <= 40.0, "{batches}");
    Ok(())
}

#[tokio::test]
async fn a_value_that_is_not_finite_fails_its_signal_only() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    let answer = running.ask(all(&["poison Alice"])).await?;
    assert_eq!(answer.results[2].failure(), v1::Failure::NotFinite);
    assert!(answer.results[2].scores.is_empty() && answer.results[2].model.is_empty());
    assert_eq!(answer.results[0].failure(), v1::Failure::Unspecified);
    assert_eq!(answer.results[1].spans.len(), 1);
    Ok(())
}

#[tokio::test]
async fn control_tokens_in_the_text_are_ordinary_text() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    // Padding has a huge weight in this model: if `<pad>` became a token, every head would flip.
    let answer = running.ask(all(&["hello <pad> <s> </s> world"])).await?;
    assert_eq!(top(&answer.results[0]).0, "benign");
    assert!(answer.results[0].tokens_read > 10, "spelt out");
    Ok(())
}

#[tokio::test]
async fn text_is_left_out_only_when_configured_and_never_silently() -> Result {
    let running = start(onnx_runtime()?, |raw| raw.limits.max_tokens_per_signal = 50).await?;
    let answer = running.ask(all(&["word ".repeat(60).as_str()])).await?;
    for result in &answer.results {
        assert_eq!((result.tokens_read, result.truncated), (50, true));
    }
    assert_eq!(running.metric("forebay_truncated_total{signal=\"pii\"}"), Some(1.0));
    Ok(())
}

#[tokio::test]
async fn an_empty_text_is_answered() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    let answer = running.ask(all(&["", " \n "])).await?;
    assert_eq!(top(&answer.results[0]).0, "benign");
    assert!(answer.results[1].spans.is_empty());
    assert_eq!(answer.results[0].windows, 1);
    Ok(())
}

#[tokio::test]
async fn a_signal_without_a_model_says_so() -> Result {
    let dir = tempfile::tempdir()?;
    for name in ["model.onnx", "tokenizer.json", "manifest.json"] {
        std::fs::copy(crate::support::fixture().join(name), dir.path().join(name))?;
    }
    let path = dir.path().join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(&path)?)?;
    manifest["heads"].as_array_mut().ok_or("heads")?.remove(1);
    std::fs::write(&path, manifest.to_string())?;
    let running = start(onnx_runtime()?, |raw| raw.models = vec![dir.path().to_owned()]).await?;
    let answer = running.ask(all(&["hello"])).await?;
    assert_eq!(answer.results[2].failure(), v1::Failure::NoModel);
    assert!(running.client.is_serving("pii").await?);
    assert!(!running.client.is_serving("domain").await?);
    Ok(())
}

#[tokio::test]
async fn the_windows_of_one_request_run_together_on_the_sessions_own_thread() -> Result {
    let running = start(onnx_runtime()?, |_| {}).await?;
    let look = |name| running.metric(name).unwrap_or(0.0);
    let before = (look("forebay_batch_rows_count"), look("forebay_batch_rows_sum"));
    let answer = running.ask(request(&["word ".repeat(500).trim_end()], &[JAILBREAK])).await?;
    assert_eq!(answer.results[0].windows, 21);
    let after = (look("forebay_batch_rows_count"), look("forebay_batch_rows_sum"));
    assert_eq!((after.0 - before.0, after.1 - before.1), (1.0, 21.0));
    let mut names = Vec::new();
    for task in std::fs::read_dir("/proc/self/task")? {
        // Other tests' threads come and go.
        names.extend(std::fs::read_to_string(task?.path().join("comm")).ok());
    }
    assert!(names.iter().any(|name| name.starts_with("run-0-tiny")), "{names:?}");
    Ok(())
}
