//! Cases about the daemon itself, and about Envoy's updates of the filter's configuration.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use e2e::{Parts, Process, Stack};
use forebay_proto::v1;
use inferd::server::Client;
use inferd::tokenize::TextTokenizer;
use serde_json::{Value, json};

use super::{Envoy, Options, Proxy, is_root, play, replace_file, resident_bytes};
use crate::case::Case;
use crate::exchange::Exchange;
use crate::expect::Finding;
use crate::kinds::Outcome;
use crate::layers::Updates;
use crate::settings::Settings;

/// Loading and warming the model takes seconds on a loaded machine.
const START: Duration = Duration::from_secs(120);
/// The longest text of the cases takes a while on a loaded machine.
const ANSWER: Duration = Duration::from_secs(60);

/// A daemon that was started for one case.
struct Daemon {
    process: Process,
    socket: PathBuf,
    admin: u16,
    _folder: tempfile::TempDir,
}

impl Daemon {
    /// Starts the daemon with a configuration in YAML (JSON is YAML), and waits until it serves.
    async fn start(parts: &Parts, config: &Value, prefix: &[&str]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let socket = folder.path().join("inferd.sock");
        let admin = free_port()?;
        let file = folder.path().join("inferd.yaml");
        std::fs::write(&file, config.to_string())?;
        let mut command = started_by(prefix, &parts.inferd);
        command.arg("serve").arg("--config").arg(&file).arg("--socket").arg(&socket);
        command.arg("--model").arg(&parts.model).arg("--ort-lib").arg(&parts.ort_lib);
        command.args(["--log-format", "json", "--admin", &format!("127.0.0.1:{admin}")]);
        let process = Process::start("inferd", command, &folder.path().join("inferd.log"))?;
        let mut daemon = Self { process, socket, admin, _folder: folder };
        let deadline = Instant::now() + START;
        loop {
            if let Ok(client) = Client::connect(&daemon.socket).await
                && client.is_serving("").await.unwrap_or(false)
            {
                return Ok(daemon);
            }
            if let Some(status) = daemon.process.ended()? {
                bail!("inferd ended ({status}): {}", daemon.process.log());
            }
            if Instant::now() > deadline {
                bail!("inferd does not serve within {START:?}: {}", daemon.process.log());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn ask(&self, text: &str, signals: &[v1::Signal]) -> Result<v1::ClassifyResponse> {
        let request = v1::ClassifyRequest {
            request_id: "conformance".to_owned(),
            passages: vec![v1::Passage {
                id: 0,
                role: v1::Role::User.into(),
                text: text.to_owned(),
            }],
            signals: signals
                .iter()
                .map(|s| v1::SignalRequest { signal: (*s).into(), passage_ids: vec![0] })
                .collect(),
        };
        Ok(Client::connect(&self.socket).await?.classify(request, Some(ANSWER)).await?)
    }

    async fn metrics(&self) -> Result<String> {
        let address = std::net::SocketAddr::from(([127, 0, 0, 1], self.admin));
        let reply = e2e::Client::http1(address).send(&e2e::Request::get("/metrics")).await?;
        Ok(reply.text())
    }

    async fn stop(mut self) -> Result<String> {
        let _status = self.process.stop(Duration::from_secs(30)).await?;
        Ok(self.process.log())
    }
}

/// A port that was free a moment ago.
fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// A program, started by others: `["unshare", "-n"]`.
fn started_by(prefix: &[&str], program: &Path) -> Command {
    match prefix.split_first() {
        Some((first, rest)) => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
        None => Command::new(program),
    }
}

/// Runs a case against the daemon's API.
pub(super) fn grpc(envoy: &Envoy, case: &Case) -> Result<Outcome> {
    let texts = case.texts();
    let Some(text) = texts.first() else { bail!("a grpc case without text") };
    let known = [
        ("jailbreak", v1::Signal::Jailbreak),
        ("pii", v1::Signal::Pii),
        ("domain", v1::Signal::Domain),
    ];
    let wanted = case.request.get("pipeline").and_then(Value::as_array);
    let signals: Vec<v1::Signal> = known
        .iter()
        .filter(|(name, _)| wanted.is_none_or(|list| list.iter().any(|s| s.as_str() == Some(name))))
        .map(|(_, signal)| *signal)
        .collect();
    envoy.runtime.block_on(async {
        let daemon = Daemon::start(&envoy.parts, &json!({}), &[]).await?;
        let whole = daemon.ask(text, &signals).await?;
        daemon.stop().await?;
        // The same with a cap that the text passes: the answer and a counter must tell.
        let capped =
            Daemon::start(&envoy.parts, &json!({"limits": {"max_tokens_per_signal": 512}}), &[])
                .await?;
        let cut = capped.ask(text, &signals).await?;
        let metrics = capped.metrics().await?;
        capped.stop().await?;
        let mut outcome = Outcome::default();
        let windows: Vec<u32> = whole.results.iter().map(|r| r.windows).collect();
        outcome.got = format!("windows {windows:?}");
        for (name, value) in &case.expected {
            let finding = match name.as_str() {
                "response_field"
                    if !["truncat", "window", "token"]
                        .iter()
                        .any(|w| value.to_string().contains(w)) =>
                {
                    Finding::Fails(format!("unknown field {value}"))
                }
                "response_field" => {
                    let told = whole
                        .results
                        .iter()
                        .all(|r| !r.truncated && (r.windows > 1) == (r.tokens_read > 510));
                    let cut = cut.results.iter().all(|r| r.truncated && r.tokens_read <= 512);
                    Finding::of(told && cut, || format!("read whole: {told}, a cut is told: {cut}"))
                }
                "metric" | "metrics" => {
                    let grown = metrics.lines().any(|line| {
                        line.starts_with("forebay_truncated_total{")
                            && !line.trim_end().ends_with(" 0")
                    });
                    Finding::of(grown, || "forebay_truncated_total has not grown".to_owned())
                }
                "logits" | "scores" => finite(&whole),
                "never" => {
                    let silent = whole
                        .results
                        .iter()
                        .any(|r| r.failure == 0 && r.scores.iter().any(|s| !s.score.is_finite()));
                    Finding::of(!silent, || {
                        "a score that is not a number, and no failure".to_owned()
                    })
                }
                "jailbreak" => {
                    let score = score(&whole, v1::Signal::Jailbreak, "jailbreak");
                    Finding::of_seen(score, "a jailbreak score", |(score, threshold)| {
                        Finding::of(Some(score >= threshold) == value.as_bool(), || {
                            format!("{score:.3}")
                        })
                    })
                }
                "truncated" => {
                    let all = whole.results.iter().all(|r| Some(r.truncated) == value.as_bool());
                    Finding::of(all, || "another".to_owned())
                }
                "windows_min" => {
                    let least = windows.iter().copied().min().unwrap_or(0);
                    Finding::of(value.as_u64().is_some_and(|n| u64::from(least) >= n), || {
                        least.to_string()
                    })
                }
                "policy" | "note" => Finding::Holds,
                _ => Finding::Fails("unknown expectation".to_owned()),
            };
            outcome.report.add(name, finding);
        }
        Ok(outcome)
    })
}

/// Every score is a probability, or its signal says that it failed.
fn finite(response: &v1::ClassifyResponse) -> Finding {
    let wrong = response
        .results
        .iter()
        .filter(|r| r.failure == 0)
        .flat_map(|r| r.scores.iter().map(|s| s.score).chain(r.spans.iter().map(|s| s.score)))
        .filter(|score| !(0.0..=1.0).contains(score))
        .count();
    let failed = response.results.iter().filter(|r| r.failure != 0).count();
    Finding::of(wrong == 0 && failed == 0, || {
        format!("{wrong} scores are no probabilities, {failed} signals failed")
    })
}

fn score(response: &v1::ClassifyResponse, signal: v1::Signal, label: &str) -> Option<(f32, f32)> {
    let result = response.results.iter().find(|r| r.signal() == signal)?;
    let score = result.scores.iter().find(|s| s.label == label)?.score;
    Some((score, result.default_threshold))
}

/// Tokenises each text as the daemon does; no id may be one of the tokenizer's control tokens.
pub(super) fn special_ids(parts: &Parts, texts: &[&str]) -> Result<Finding> {
    let file = parts.model.join("tokenizer.json");
    let tokenizer = TextTokenizer::load(&file)?;
    let described: Value = serde_json::from_str(&std::fs::read_to_string(&file)?)?;
    let unknown = ["<unk>", "[UNK]", "<|unk|>"];
    let special: Vec<u64> = described["added_tokens"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|t| {
            t["special"] == true && !t["content"].as_str().is_some_and(|c| unknown.contains(&c))
        })
        .filter_map(|t| t["id"].as_u64())
        .collect();
    let mut found = 0;
    for text in texts {
        let tokens = tokenizer.encode(text, usize::MAX)?;
        found += tokens.ids.iter().filter(|id| special.contains(&u64::from(**id))).count();
    }
    Ok(Finding::of(found == 0 && !special.is_empty(), || {
        format!("{found} control tokens of {} known ones", special.len())
    }))
}

/// Runs a case about the daemon as a process.
pub(super) fn run(envoy: &Envoy, case: &Case) -> Result<Outcome> {
    if case.request.contains_key("model_dir") {
        return missing_files(envoy, case);
    }
    if case.request.contains_key("cgroup_cpu_max") {
        return threads(envoy, case);
    }
    bail!("a daemon case with none of send, model_dir, cgroup_cpu_max")
}

/// The files of a model folder that a case takes away. Labels are in our manifest, weights may be in one file or two.
fn named_files(text: &str, model: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let described = [
        ("id2label", "manifest.json"),
        ("mapping", "manifest.json"),
        ("manifest", "manifest.json"),
        ("config", "manifest.json"),
        ("tokenizer", "tokenizer.json"),
        ("onnx", "model.onnx"),
    ];
    for (word, file) in described {
        if text.contains(word) && !files.iter().any(|f| f == file) {
            files.push(file.to_owned());
        }
    }
    if text.contains("onnx_data") && model.join("model.onnx_data").is_file() {
        files.push("model.onnx_data".to_owned());
    }
    files
}

fn missing_files(envoy: &Envoy, case: &Case) -> Result<Outcome> {
    let parts = &envoy.parts;
    let files = named_files(case.word("model_dir").unwrap_or(""), &parts.model);
    if files.is_empty() {
        bail!("model_dir names no file");
    }
    let offline = is_root();
    let mut outcome = Outcome::default();
    let mut said = Vec::new();
    for missing in &files {
        let folder = tempfile::tempdir()?;
        let model = folder.path().join("model");
        copy_without(&parts.model, &model, missing)?;
        let socket = folder.path().join("inferd.sock");
        let counters = folder.path().join("snmp");
        // In a network of its own the kernel counts whatever the daemon tries to send.
        let script =
            format!("\"$@\"; status=$?; cat /proc/net/snmp > {}; exit $status", counters.display());
        let prefix: Vec<&str> =
            if offline { vec!["unshare", "--net", "sh", "-c", &script, "sh"] } else { Vec::new() };
        let mut command = started_by(&prefix, &parts.inferd);
        command.arg("serve").arg("--socket").arg(&socket).arg("--model").arg(&model);
        command.arg("--ort-lib").arg(&parts.ort_lib).args(["--admin", "off"]);
        let (status, log, served) = envoy.runtime.block_on(async {
            let mut process = Process::start("inferd", command, &folder.path().join("inferd.log"))?;
            let health = async {
                match Client::connect(&socket).await {
                    Ok(client) => client.is_serving("").await.unwrap_or(false),
                    Err(_) => false,
                }
            };
            let before = health.await;
            let status = process.stop_by_itself(START).await?;
            let after = match Client::connect(&socket).await {
                Ok(client) => client.is_serving("").await.unwrap_or(false),
                Err(_) => false,
            };
            anyhow::Ok((status, process.log(), before || after))
        })?;
        let named = log.contains(missing.as_str()) && log.contains(&*model.to_string_lossy());
        said.push(format!("{missing}: {status}"));
        for (name, value) in &case.expected {
            let finding = match name.as_str() {
                "startup" => Finding::of(!status.success() && named, || {
                    format!("without {missing}: {status}, path and file named: {named}")
                }),
                "grpc_health" => {
                    let wanted = value.as_str() == Some("SERVING");
                    Finding::of(served == wanted, || format!("without {missing}: serving {served}"))
                }
                "outbound_connections" => {
                    let text = std::fs::read_to_string(&counters).ok();
                    Finding::of_seen(
                        text.and_then(|t| sent_packets(&t)),
                        "what is sent (needs root)",
                        |sent| {
                            Finding::of(value.as_u64() == Some(sent), || {
                                format!("{sent} attempts to send")
                            })
                        },
                    )
                }
                "policy" | "note" => Finding::Holds,
                _ => Finding::Fails("unknown expectation".to_owned()),
            };
            outcome.report.add(name, finding);
        }
    }
    outcome.got = said.join(", ");
    Ok(outcome)
}

fn copy_without(from: &Path, to: &Path, missing: &str) -> Result<()> {
    std::fs::create_dir(to)?;
    let entries = std::fs::read_dir(from).with_context(|| from.display().to_string())?;
    for entry in entries {
        let entry = entry?;
        if entry.file_name() != missing && entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// What the kernel counted in `/proc/net/snmp`: connections opened, datagrams sent, and packets without a route.
fn sent_packets(text: &str) -> Option<u64> {
    let value = |protocol: &str, name: &str| -> Option<u64> {
        let mut lines = text.lines().filter(|line| line.starts_with(protocol));
        let (names, values) = (lines.next()?, lines.next()?);
        let at = names.split(' ').position(|n| n == name)?;
        values.split(' ').nth(at)?.parse().ok()
    };
    Some(
        value("Tcp:", "ActiveOpens")?
            + value("Udp:", "OutDatagrams")?
            + value("Ip:", "OutNoRoutes")?,
    )
}

/// The daemon under a CPU quota of its own: a folder bound over the cgroup file system, which needs root.
fn threads(envoy: &Envoy, case: &Case) -> Result<Outcome> {
    if !is_root() {
        return Ok(Outcome::not_here("a CPU quota of its own needs root"));
    }
    let quota = case.word("cgroup_cpu_max").unwrap_or("max 100000").to_owned();
    let sessions = case.number("sessions").unwrap_or(1);
    let mut outcome = Outcome::default();
    let log = envoy.runtime.block_on(under_quota(&envoy.parts, &quota, sessions))?;
    let total = logged_threads(&log);
    // A control: with a quota of one CPU a single session gets one thread, whatever this machine has.
    let narrow =
        logged_threads(&envoy.runtime.block_on(under_quota(&envoy.parts, "100000 100000", 1))?);
    outcome.got = format!("{total:?} threads; {narrow:?} under a quota of one CPU");
    for (name, value) in &case.expected {
        let finding = match name.as_str() {
            "intra_op_threads_total_max" => match (total, narrow) {
                (Some(total), Some(1)) => {
                    Finding::of(value.as_u64().is_some_and(|most| total <= most), || {
                        format!("{total} threads")
                    })
                }
                (_, narrow) => Finding::Fails(format!(
                    "threads are not logged or ignore the quota: {narrow:?}"
                )),
            },
            "logged_at_start" => {
                Finding::of(total.is_some() == value.as_bool().unwrap_or(true), || {
                    "the log does not tell".to_owned()
                })
            }
            "policy" | "note" => Finding::Holds,
            _ => Finding::Fails("unknown expectation".to_owned()),
        };
        outcome.report.add(name, finding);
    }
    Ok(outcome)
}

async fn under_quota(parts: &Parts, quota: &str, sessions: u64) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let cpu = folder.path().join("cpu");
    std::fs::create_dir(&cpu)?;
    let (most, period) = quota.split_once(' ').context("a quota is two numbers")?;
    // As version 2 spells it, and version 1.
    std::fs::write(folder.path().join("cpu.max"), format!("{quota}\n"))?;
    std::fs::write(folder.path().join("cgroup.controllers"), "cpu\n")?;
    std::fs::write(cpu.join("cpu.cfs_quota_us"), format!("{most}\n"))?;
    std::fs::write(cpu.join("cpu.cfs_period_us"), format!("{period}\n"))?;
    let script = format!("mount --bind {} /sys/fs/cgroup && exec \"$@\"", folder.path().display());
    let prefix = ["unshare", "--mount", "sh", "-c", &script, "sh"];
    let config = json!({"runtime": {"sessions": sessions}});
    let daemon = Daemon::start(parts, &config, &prefix).await?;
    daemon.stop().await
}

/// Threads of all sessions, as the start of the log tells: `intra_threads` of each session and `sessions`.
fn logged_threads(log: &str) -> Option<u64> {
    let mut found = None;
    for line in log.lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        let field = |name: &str| {
            line.get(name).or_else(|| line["fields"].get(name)).and_then(Value::as_u64)
        };
        if let Some(each) = field("intra_threads") {
            found = Some(found.unwrap_or(0) + each * field("sessions").unwrap_or(1));
        }
    }
    found
}

/// Updates the filter's configuration through a file that Envoy watches, as a control plane would.
pub(super) fn updates(
    envoy: &mut Envoy,
    settings: &Settings,
    count: usize,
    bytes: usize,
) -> Result<Updates> {
    let options = Options { watched: true, ..Options::default() };
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("filter.json");
    let mut setup = envoy.setup(settings, &options)?;
    let wasm = envoy.parts.wasm.canonicalize()?;
    let padded = settings.padded(bytes)?;
    let resource = |settings: &Settings, version: usize| {
        let mut settings = settings.clone();
        // Each update differs, or Envoy would take it for the same.
        let timeout = 5000 + version as u64;
        settings.set("daemon.timeout_ms", json!(timeout))?;
        anyhow::Ok(discovered(&settings.json(), &wasm, version).to_string())
    };
    replace_file(&file, &resource(&padded, 0)?)?;
    setup.config = watching(&setup.config, &file)?;
    envoy.runtime.block_on(async {
        let mut stack = setup.start().await?;
        let mut before = None;
        for version in 1..=count {
            replace_file(&file, &resource(&padded, version)?)?;
            reloaded(&stack, "config_reload", version as u64 + 1).await?;
            // The first updates fill caches.
            if version == count.min(20) {
                before = resident_bytes(stack.envoy.process());
            }
        }
        let after = resident_bytes(stack.envoy.process());
        let serves = play(&mut stack, &Exchange::chat("hi")).await?.status == Some(200);
        let refused_before = refused(&stack.envoy).await?;
        let mut broken = settings.broken()?;
        broken.set("daemon.timeout_ms", json!(9000))?;
        replace_file(&file, &discovered(&broken.json(), &wasm, count + 1).to_string())?;
        let deadline = Instant::now() + Duration::from_secs(20);
        let mut bad_refused = false;
        while Instant::now() < deadline && !bad_refused {
            tokio::time::sleep(Duration::from_millis(50)).await;
            bad_refused = refused(&stack.envoy).await? > refused_before;
        }
        let blocked = play(&mut stack, &Exchange::chat(crate::oracle::ATTACK)).await?;
        let allowed = play(&mut stack, &Exchange::chat("hi")).await?;
        let serves_after_bad = serves && allowed.status == Some(200) && blocked.status == Some(403);
        let growth_bytes = after.zip(before).map(|(after, before)| after.saturating_sub(before));
        let _stopped = stack.stop().await;
        Ok(Updates { growth_bytes, bad_refused, serves_after_bad })
    })
}

/// A discovery response with the filter in it.
fn discovered(config: &str, wasm: &Path, version: usize) -> Value {
    json!({
        "version_info": version.to_string(),
        "resources": [{
            "@type": "type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig",
            "name": "forebay",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm",
                "config": {
                    "name": "forebay", "root_id": "forebay",
                    "allow_on_headers_stop_iteration": true, "failure_policy": "FAIL_RELOAD",
                    "vm_config": {
                        "vm_id": "forebay", "runtime": "envoy.wasm.runtime.v8",
                        "code": {"local": {"filename": wasm}},
                    },
                    "configuration": {
                        "@type": "type.googleapis.com/google.protobuf.StringValue", "value": config,
                    },
                },
            },
        }],
    })
}

/// The configuration with the filter read from a file.
fn watching(config: &e2e::EnvoyConfig, file: &Path) -> Result<e2e::EnvoyConfig> {
    let text = config.text();
    let start =
        text.find("                  - name: forebay\n").context("no filter in envoy.yaml")?;
    let end = text
        .find("                  - name: envoy.filters.http.router")
        .context("no router in envoy.yaml")?;
    let block = json!({
        "name": "forebay",
        "config_discovery": {
            "config_source": {"resource_api_version": "V3", "path_config_source": {"path": file}},
            "type_urls": ["type.googleapis.com/envoy.extensions.filters.http.wasm.v3.Wasm"],
        },
    });
    // The stack fills in the module's path wherever the shipped file has it; here the discovered resource holds it.
    let block = format!(
        "                  # filename: /etc/envoy/forebay/plugin.wasm\n                  - {block}\n"
    );
    // Discovery needs a name to ask under.
    let node = "node: { id: conformance, cluster: conformance }\n";
    Ok(e2e::EnvoyConfig::from_text(format!("{node}{}{block}{}", &text[..start], &text[end..])))
}

async fn reloaded(stack: &Stack, name: &str, least: u64) -> Result<()> {
    let deadline = Instant::now() + Duration::from_secs(30);
    let stat = format!("extension_config_discovery.http_filter.forebay.{name}");
    loop {
        let found = stack.envoy.stat(&stat).await?;
        if found >= least {
            return Ok(());
        }
        if Instant::now() > deadline {
            bail!("{stat} is {found} and not {least}: {}", stack.envoy.log());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// How many updates Envoy has refused.
async fn refused(envoy: &Proxy) -> Result<u64> {
    let mut sum = 0;
    for name in ["config_fail", "update_rejected", "config_conflict"] {
        sum +=
            envoy.stat(&format!("extension_config_discovery.http_filter.forebay.{name}")).await?;
    }
    Ok(sum)
}
