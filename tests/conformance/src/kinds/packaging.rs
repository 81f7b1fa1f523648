//! What the repository ships: the image of the filter, as the release script makes it, and what its documents say.

use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::Outcome;
use crate::case::Case;
use crate::expect::Finding;
use crate::expect::words::repository;

/// Makes the image from the built filter as a release does, and tells what is in it. Nothing is pushed.
const IMAGE: &str = "
import gzip, hashlib, importlib.util, io, json, os.path, sys, tarfile
sys.path.insert(0, os.path.dirname(sys.argv[1]))
spec = importlib.util.spec_from_file_location('release', sys.argv[1])
release = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release)
module = open(sys.argv[2], 'rb').read()
manifest, (config, layer) = release.image_of(module, '0.0.0', 'none')
manifest = manifest if isinstance(manifest, dict) else json.loads(manifest)
archive = tarfile.open(fileobj=io.BytesIO(gzip.decompress(layer)))
print(json.dumps({
    'layers': [entry['mediaType'] for entry in manifest['layers']],
    'digest_holds': manifest['layers'][0]['digest'] == 'sha256:' + hashlib.sha256(layer).hexdigest(),
    'files': archive.getnames(),
    'module_holds': archive.extractfile('plugin.wasm').read() == module,
    'sha256_told': json.loads(config)['config']['Labels'].get('forebay.plugin.sha256') == hashlib.sha256(module).hexdigest(),
}))
";

/// Media types of layers that Istio's agent and Envoy Gateway unpack.
const LAYERS: [&str; 2] = [
    "application/vnd.oci.image.layer.v1.tar+gzip",
    "application/vnd.docker.image.rootfs.diff.tar.gzip",
];

/// Runs a case about packaging; the same in every layer, so one of them does.
pub(super) fn run(case: &Case) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let image = case.request.contains_key("image").then(image).transpose()?;
    for (name, value) in &case.expected {
        let finding = match (name.as_str(), &image) {
            ("layout", Some(image)) => layout(image, value),
            ("also", Some(image)) => {
                let wanted = value.as_str().is_some_and(|text| text.contains("sha256"));
                Finding::of(wanted && image["sha256_told"] == true, || "no sha256".to_owned())
            }
            ("doc", _) => documented(case),
            ("note" | "policy", _) => Finding::Holds,
            _ => Finding::Fails(format!("unknown expectation {value}")),
        };
        outcome.report.add(name, finding);
    }
    outcome.got = image.map_or("-".to_owned(), |image| image.to_string());
    Ok(outcome)
}

fn image() -> Result<Value> {
    let script = repository().join("envoy-config/release.py");
    let done = Command::new("python3")
        .args(["-B", "-c", IMAGE])
        .arg(script)
        .arg(wasm_host::built_filter())
        .output()
        .context("python3 does not start")?;
    let said = String::from_utf8_lossy(&done.stderr);
    serde_json::from_slice(&done.stdout).with_context(|| format!("the release script: {said}"))
}

/// One compressed tar layer with the module alone in it, under the name that both fetchers look for.
fn layout(image: &Value, wanted: &Value) -> Finding {
    let known = wanted.as_str().is_some_and(|text| text.contains("plugin.wasm"));
    let layers: Vec<&str> =
        image["layers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let one = matches!(layers.as_slice(), [layer] if LAYERS.contains(layer));
    let holds = known
        && one
        && image["files"] == serde_json::json!(["plugin.wasm"])
        && image["digest_holds"] == true
        && image["module_holds"] == true;
    Finding::of(holds, || image.to_string())
}

/// The page on troubles must say what this strategy does with a module that cannot be fetched, and for which versions.
fn documented(case: &Case) -> Finding {
    let page = repository().join("docs/troubleshooting.md");
    let Ok(page) = std::fs::read_to_string(&page) else {
        return Finding::Fails("there is no troubleshooting page".to_owned());
    };
    let mut words = vec!["Istio".to_owned(), "failStrategy".to_owned()];
    words.extend(case.request.get("failStrategy").and_then(Value::as_str).map(str::to_owned));
    // A version such as 1.30: a digit, a dot and two digits, in the same line as the strategy.
    let line = page.lines().find(|line| words.iter().all(|word| line.contains(word.as_str())));
    let versions = line.is_some_and(|line| {
        line.as_bytes()
            .windows(4)
            .any(|w| w[0] == b'1' && w[1] == b'.' && w[2..].iter().all(u8::is_ascii_digit))
    });
    Finding::of(line.is_some() && versions, || format!("no line of it has {words:?} and a version"))
}
