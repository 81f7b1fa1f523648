//! Keys, tokens and private-key blocks.

use super::{hit, is_word};
use crate::bytes::{ByteSet, Words, at, before, part, run, run_back};
use crate::entity::{CERTAIN, CONTEXT, Entity, FORMAT, Hit};

/// A private-key block that has not ended within this many bytes is taken to end at its last line of key material.
pub(super) const MAX_BLOCK_BYTES: usize = 16 * 1024;
/// Longest token that is read as one: a large JWT.
const MAX_TOKEN: usize = 8 * 1024;

/// A provider's token: how it begins, and what must follow.
struct Provider {
    prefix: &'static str,
    /// Fewest and most bytes after the prefix.
    body: (usize, usize),
    alphabet: Alphabet,
}

#[derive(Clone, Copy)]
enum Alphabet {
    /// Lower-case hexadecimal digits.
    Hex,
    /// Upper-case letters and digits.
    Upper,
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`, and of these a digit and a stretch of sixteen that looks random.
    Url,
}

const fn provider(prefix: &'static str, least: usize, most: usize, alphabet: Alphabet) -> Provider {
    Provider { prefix, body: (least, most), alphabet }
}

/// Formats as the providers' documentation and secret-scanning pages give them. Longer prefixes come first.
const PROVIDERS: &[Provider] = &[
    provider("sk-ant-", 20, 200, Alphabet::Url),  // Anthropic
    provider("sk-proj-", 20, 250, Alphabet::Url), // OpenAI
    provider("sk-svcacct-", 20, 250, Alphabet::Url), // OpenAI
    provider("sk-admin-", 20, 250, Alphabet::Url), // OpenAI
    provider("sk-or-v1-", 32, 100, Alphabet::Hex), // OpenRouter
    provider("sk-lf-", 30, 60, Alphabet::Url),    // Langfuse
    provider("sk-", 16, 250, Alphabet::Url),      // OpenAI, DeepSeek and many that copy them
    provider("AKIA", 16, 16, Alphabet::Upper),    // AWS
    provider("ASIA", 16, 16, Alphabet::Upper),
    provider("ABIA", 16, 16, Alphabet::Upper),
    provider("ACCA", 16, 16, Alphabet::Upper),
    provider("github_pat_", 22, 120, Alphabet::Url),
    provider("ghp_", 30, 255, Alphabet::Alnum), // GitHub
    provider("gho_", 30, 255, Alphabet::Alnum),
    provider("ghu_", 30, 255, Alphabet::Alnum),
    provider("ghs_", 30, 255, Alphabet::Alnum),
    provider("ghr_", 30, 255, Alphabet::Alnum),
    provider("glpat-", 20, 60, Alphabet::Url), // GitLab
    provider("gldt-", 20, 60, Alphabet::Url),
    provider("AIza", 35, 35, Alphabet::Url), // Google
    provider("GOCSPX-", 20, 40, Alphabet::Url),
    provider("xoxb-", 16, 255, Alphabet::Url), // Slack
    provider("xoxp-", 16, 255, Alphabet::Url),
    provider("xoxa-", 16, 255, Alphabet::Url),
    provider("xoxr-", 16, 255, Alphabet::Url),
    provider("xoxs-", 16, 255, Alphabet::Url),
    provider("xapp-", 16, 255, Alphabet::Url),
    provider("sk_live_", 16, 255, Alphabet::Alnum), // Stripe
    provider("sk_test_", 16, 255, Alphabet::Alnum),
    provider("rk_live_", 16, 255, Alphabet::Alnum),
    provider("rk_test_", 16, 255, Alphabet::Alnum),
    provider("whsec_", 24, 80, Alphabet::Alnum),
    provider("hf_", 30, 60, Alphabet::Alnum), // Hugging Face
    provider("api_org_", 30, 60, Alphabet::Alnum),
    provider("gsk_", 40, 80, Alphabet::Alnum),  // Groq
    provider("xai-", 40, 120, Alphabet::Alnum), // xAI
    provider("r8_", 30, 60, Alphabet::Alnum),   // Replicate
    provider("pplx-", 40, 80, Alphabet::Alnum), // Perplexity
    provider("nvapi-", 40, 100, Alphabet::Url), // NVIDIA
    provider("tgp_v1_", 30, 80, Alphabet::Url), // Together
    provider("npm_", 36, 36, Alphabet::Alnum),  // npm
    provider("pypi-", 50, 255, Alphabet::Url),  // PyPI
    provider("dop_v1_", 64, 64, Alphabet::Hex), // DigitalOcean
    provider("shpat_", 32, 32, Alphabet::Hex),  // Shopify
    provider("shpss_", 32, 32, Alphabet::Hex),
    provider("sq0csp-", 40, 60, Alphabet::Url), // Square
    provider("EAAA", 60, 60, Alphabet::Url),
    provider("dapi", 32, 34, Alphabet::Hex), // Databricks
    provider("lin_api_", 32, 60, Alphabet::Alnum), // Linear
];

/// What the prefixes begin with.
static FIRSTS: ByteSet = firsts();

const fn firsts() -> ByteSet {
    let mut firsts = ByteSet::new();
    let mut i = 0;
    while i < PROVIDERS.len() {
        firsts.insert(PROVIDERS[i].prefix.as_bytes()[0]);
        i += 1;
    }
    firsts
}

/// Tokens whose short first part ends in a dot, so that the long part begins after it.
const DOTTED: &[(&str, usize)] = &[("SG.", 16), ("ya29.", 20), ("hvs.", 24), ("hvb.", 24)];

/// The secret in the run of letters, digits, `_`, `-`, `/` and `+` at `start`.
pub(super) fn token(bytes: &[u8], start: usize) -> Option<Hit> {
    let end = start + run(bytes, start, MAX_TOKEN, |b| is_token(b) || is_joint(b));
    let mut from = start;
    while from < end {
        let to = from + run(bytes, from, end - from, is_token);
        if let Some(found) = part_of_token(bytes, from, to) {
            return Some(found);
        }
        from = to + 1;
    }
    named(bytes, start + run(bytes, start, end - start, |b| matches!(b, b'-' | b'/')), end)
}

/// A key of a known form in `bytes[start..end]`, which has no `/` or `+`.
fn part_of_token(bytes: &[u8], start: usize, end: usize) -> Option<Hit> {
    if end - start < 16 {
        return None;
    }
    // Dashes in front are a bullet or a command-line option.
    let start = start + run(bytes, start, end - start, |b| b == b'-');
    if let Some(end) = web_token(bytes, start, end) {
        return Some(hit(start, end, Entity::ApiKey, CERTAIN));
    }
    if let Some(found) = dotted(bytes, start, end) {
        return Some(found);
    }
    // A name may stand before the key: `my-sk-...`. It is looked for in the first bytes only.
    (start..end.min(start + 64))
        .filter(|&from| {
            FIRSTS.has(at(bytes, from))
                && (from == start || !before(bytes, from).is_ascii_alphanumeric())
        })
        .find_map(|from| PROVIDERS.iter().find_map(|provider| known(bytes, from, end, provider)))
}

/// What joins parts of a path, or stands in base64.
const fn is_joint(byte: u8) -> bool {
    matches!(byte, b'/' | b'+')
}

const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn known(bytes: &[u8], start: usize, end: usize, provider: &Provider) -> Option<Hit> {
    let body = start + provider.prefix.len();
    if at(bytes, start + 1) != at(provider.prefix.as_bytes(), 1)
        || part(bytes, start..body) != provider.prefix.as_bytes()
    {
        return None;
    }
    let text = part(bytes, body..end);
    let fits = match provider.alphabet {
        Alphabet::Hex => text.iter().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b)),
        Alphabet::Upper => text.iter().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()),
        Alphabet::Alnum => text.iter().all(u8::is_ascii_alphanumeric) && is_mixed(text),
        Alphabet::Url => has_random_stretch(text),
    };
    let (least, most) = provider.body;
    (fits && (least..=most).contains(&text.len())).then(|| hit(start, end, Entity::ApiKey, CERTAIN))
}

/// Some digit or some letter case change: not a word, not a placeholder of one repeated letter.
fn is_mixed(text: &[u8]) -> bool {
    let kinds = usize::from(text.iter().any(u8::is_ascii_digit))
        + usize::from(text.iter().any(u8::is_ascii_lowercase))
        + usize::from(text.iter().any(u8::is_ascii_uppercase));
    kinds >= 2 && distinct(text) >= 8
}

fn distinct(text: &[u8]) -> u32 {
    text.iter().fold(0u128, |seen, &b| seen | 1 << (b & 0x7f)).count_ones()
}

/// Whether a part between `-` and `_` has at least twelve characters, digits among them: `sk-loading-spinner` has none.
fn has_random_stretch(text: &[u8]) -> bool {
    text.split(|b| matches!(b, b'-' | b'_')).any(|part| {
        part.len() >= 12
            && part.iter().any(u8::is_ascii_digit)
            && part.iter().any(u8::is_ascii_alphabetic)
            && distinct(part) >= 6
    })
}

/// A JWT (`eyJ...`, two to five parts joined by dots): where it ends.
fn web_token(bytes: &[u8], start: usize, first_end: usize) -> Option<usize> {
    if part(bytes, start..start + 3) != b"eyJ" {
        return None;
    }
    let limit = start + MAX_TOKEN;
    let mut end = first_end;
    let mut parts = 1;
    while parts < 5 && at(bytes, end) == b'.' && end < limit {
        let length = run(bytes, end + 1, limit - end, is_token);
        if length == 0 && parts < 2 {
            break;
        }
        end += 1 + length;
        parts += 1;
    }
    (parts >= 3 || (parts == 2 && part(bytes, first_end + 1..first_end + 4) == b"eyJ"))
        .then_some(end)
}

fn dotted(bytes: &[u8], start: usize, end: usize) -> Option<Hit> {
    let (prefix, _) = DOTTED.iter().find(|(prefix, least)| {
        part(bytes, start.saturating_sub(prefix.len())..start) == prefix.as_bytes()
            && end - start >= *least
    })?;
    let from = start - prefix.len();
    if is_word(before(bytes, from)) || !has_random_stretch(part(bytes, start..end)) {
        return None;
    }
    let second = if at(bytes, end) == b'.' { run(bytes, end + 1, 128, is_token) } else { 0 };
    let end = if second > 0 { end + 1 + second } else { end };
    Some(hit(from, end, Entity::ApiKey, CERTAIN))
}

/// A random value that is assigned to a name such as `api_key`, or follows `Bearer`.
fn named(bytes: &[u8], start: usize, end: usize) -> Option<Hit> {
    // Other values go on after a dot, and base64 ends in `=`.
    let tail = run(bytes, end, 256, |b| is_token(b) || is_joint(b) || matches!(b, b'=' | b'.'));
    let full_stop = run_back(bytes, end + tail, tail, |b| b == b'.');
    let end = end + tail - full_stop;
    let value = part(bytes, start..end);
    let is_placeholder = before(bytes, start) == b'['
        || before(bytes, start) == b'{'
        || before(bytes, start) == b'<';
    if value.len() > 512 || is_placeholder || !is_random(value) {
        return None;
    }
    // Read back over an opening quote, blanks, the sign of assignment and a closing quote to the name.
    let mut position = start - run_back(bytes, start, 1, |b| matches!(b, b'"' | b'\'' | b'`'));
    let blank = run_back(bytes, position, 3, |b| b == b' ');
    let sign = run_back(bytes, position - blank, 2, |b| matches!(b, b'=' | b':' | b'>'));
    let is_bearer = sign == 0 && blank > 0;
    position -= blank + sign;
    position -= run_back(bytes, position, 3, |b| matches!(b, b' ' | b'"' | b'\'' | b'`' | b']'));
    let name_length = run_back(bytes, position, 40, |b| is_token(b) || b == b'.');
    let name: Vec<u8> = part(bytes, position - name_length..position)
        .iter()
        .filter(|b| b.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    let secret = if is_bearer {
        matches!(name.as_slice(), b"bearer" | b"apikey" | b"token" | b"is")
            && (name != b"is" || says_key(bytes, position))
    } else {
        let ends = |word: &str| name.ends_with(word.as_bytes());
        SECRET_NAMES.iter().any(|word| ends(word)) || (name == b"key" && says_key(bytes, position))
    };
    secret.then(|| hit(start, end, Entity::ApiKey, if is_bearer { CONTEXT } else { FORMAT }))
}

/// `API key`, `secret key`, `access token` with a space, in the bytes before `end`.
fn says_key(bytes: &[u8], end: usize) -> bool {
    KEY_WORDS.before(bytes, end, 32)
}

static KEY_WORDS: Words = Words::new(&[
    "api key",
    "secret key",
    "access key",
    "api token",
    "access token",
    "auth token",
    "secret",
    "private key",
    "apikey",
    "api_key",
]);

/// How names of secrets end, without `_` and `-`.
const SECRET_NAMES: &[&str] = &[
    "apikey",
    "secretkey",
    "accesskey",
    "accesstoken",
    "authtoken",
    "apitoken",
    "secret",
    "clientsecret",
    "privatekey",
    "password",
    "passwd",
    "pwd",
    "token",
    "credential",
    "credentials",
    "accountkey",
    "accesskeyid",
    "authorization",
    "subscriptionkey",
    "encryptionkey",
    "signingkey",
    "passphrase",
    "xapikey",
    "sharedaccesskey",
    "connectionkey",
    "apisecret",
];

/// Digits and letters mixed, many different ones, and no run of words: long enough not to be a name.
fn is_random(value: &[u8]) -> bool {
    let digits = value.iter().filter(|b| b.is_ascii_digit()).count();
    let upper = value.iter().filter(|b| b.is_ascii_uppercase()).count();
    let lower = value.iter().filter(|b| b.is_ascii_lowercase()).count();
    // Words joined by dashes or underscores hold few digits; random text of letters and digits holds one in six. Where both letter
    // cases are well mixed, as in base64, one digit will do.
    let many_digits = digits >= 2 && digits * 12 >= value.len();
    let mixed_case = digits >= 1 && 5 * upper >= value.len() && 5 * lower >= value.len();
    value.len() >= 16 && upper + lower >= 2 && (many_digits || mixed_case) && distinct(value) >= 10
}

/// A PEM or PGP private-key block that begins with the dashes at `start`.
pub(super) fn private_key(bytes: &[u8], start: usize) -> Option<Hit> {
    let dashes = run(bytes, start, 6, |b| b == b'-');
    if !(4..=5).contains(&dashes) {
        return None;
    }
    let label_start = start + dashes + run(bytes, start + dashes, 1, |b| b == b' ');
    if !part(bytes, label_start..label_start + 6).eq_ignore_ascii_case(b"BEGIN ") {
        return None;
    }
    let label_length = run(bytes, label_start, 64, |b| b.is_ascii_alphanumeric() || b == b' ');
    let label = part(bytes, label_start..label_start + label_length).to_ascii_uppercase();
    if !label.windows(11).any(|word| word == b"PRIVATE KEY") {
        return None;
    }
    let body =
        label_start + label_length + run(bytes, label_start + label_length, 5, |b| b == b'-');
    let block = part(bytes, body..start + MAX_BLOCK_BYTES);
    let closing = block.windows(4).position(|word| word.eq_ignore_ascii_case(b"-END"));
    let end = match closing {
        Some(offset) => {
            let close = body + offset + 4;
            let label = run(bytes, close, 64, |b| b.is_ascii_alphanumeric() || b == b' ');
            close + label + run(bytes, close + label, 5, |b| b == b'-')
        }
        // The end is missing: everything that may still be key material goes.
        None => body + block.iter().take_while(|&&b| is_key_material(b)).count(),
    };
    Some(hit(start, end, Entity::PrivateKey, CERTAIN))
}

const fn is_key_material(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'+' | b'/' | b'=' | b'\n' | b'\r' | b'\\' | b' ' | b':' | b',' | b'-')
}
