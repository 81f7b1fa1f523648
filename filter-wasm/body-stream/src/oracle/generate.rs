//! Bodies grown from random bytes: each byte is a choice, so that a fuzzer or
//! a shrinking property test steers the structure.

/// The choices left. Out of bytes, every choice is the first.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n.max(1)
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        let at = self.below(from.len());
        from.get(at).copied().unwrap_or_default()
    }
}

const KEYS: &[&str] = &[
    "messages",
    "content",
    "role",
    "text",
    "type",
    "model",
    "input",
    "name",
    "tool_calls",
    "function",
    "arguments",
    "image_url",
    "url",
    "source",
    "data",
    "media_type",
    "id",
    "output",
    "refusal",
    "stream",
    "system",
    "instructions",
    "prompt",
    "tools",
    "thinking",
    "metadata",
    "user",
    "variables",
    "Content",
    "MODEL",
    "x",
    "reasoning_content",
    "file",
    "filename",
    "function_call",
    "response_format",
    "previous_response_id",
    "max_tokens",
    "summary",
    "mess\\u0061ges",
    "",
    "a b",
    "1",
    "caf\\u00e9",
    "ключ",
    "title",
    "suffix",
    "detail",
];

const WORDS: &[&str] = &[
    "a",
    "Pat Doe",
    "user",
    "tool",
    "assistant",
    "text",
    "image",
    "text/plain",
    "image/png",
    "caf\u{e9}",
    "\u{1f600}",
    "\u{6f22}\u{5b57}",
    "\\n",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u0041",
    "\\u00e9",
    "\\u4e2d",
    "\\uD83D\\uDE00",
    "\\ud83d",
    "\\ude00",
    "\\u0000",
    "078-05-1120",
    "data:image/png;base64,",
    "QUJDQUJDQUJDQUJD",
    "https://x.example/a?b=c",
    " ",
    "\\ud83d\\u0041",
    "\\ud83d\\n",
    "\\t",
    "\u{7f}",
    "system",
    "item_reference",
    "\\ud83d\\ud83d\\ude00",
];

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "12.50",
    "1e3",
    "1E-2",
    "9007199254740993",
    "-1.0e+10",
    "123456789012345678901234567890",
];

/// A body, often valid JSON of a known shape, made from `choices`.
#[must_use]
pub fn body(choices: &[u8]) -> Vec<u8> {
    let mut choices = Choices(choices);
    let mut out = String::new();
    space(&mut choices, &mut out);
    object(&mut choices, &mut out, 0);
    space(&mut choices, &mut out);
    out.into_bytes()
}

/// The body with up to three bytes changed, dropped or added.
#[must_use]
pub fn mutate(mut body: Vec<u8>, choices: &[u8]) -> Vec<u8> {
    const BYTES: &[u8] = b"\"\\{}[]:,0-.eEtfn \n\x00\x1f\x80\xc3\xe2\xf0\xff\xefu";
    for change in choices.chunks_exact(4).take(3) {
        let &[hi, lo, how, what] = change else { continue };
        let at = usize::from(hi) << 8 | usize::from(lo);
        let at = at % (body.len() + 1);
        let byte = BYTES.get(usize::from(what) % BYTES.len()).copied().unwrap_or(what);
        match how % 4 {
            0 => body.insert(at, byte),
            1 => body.truncate(at),
            2 if at < body.len() => {
                body.remove(at);
            }
            _ => {
                if let Some(old) = body.get_mut(at) {
                    *old = byte;
                }
            }
        }
    }
    body
}

/// Places to cut a body, from pairs of bytes.
#[must_use]
pub fn cuts(choices: &[u8]) -> Vec<usize> {
    choices
        .chunks_exact(2)
        .map(|pair| pair.iter().fold(0, |cut, byte| cut << 8 | usize::from(*byte)))
        .collect()
}

fn space(choices: &mut Choices<'_>, out: &mut String) {
    out.push_str(choices.pick(&["", "", "", " ", "\n\t", "\r\n  "]));
}

fn object(choices: &mut Choices<'_>, out: &mut String, depth: usize) {
    out.push('{');
    let members = choices.below(5);
    for member in 0..members {
        if member > 0 {
            out.push(',');
        }
        space(choices, out);
        out.push('"');
        let key = choices.pick(KEYS);
        out.push_str(key);
        if choices.below(16) == 1 {
            out.push_str(choices.pick(WORDS));
        }
        out.push_str("\":");
        space(choices, out);
        value_of(key, choices, out, depth + 1);
        space(choices, out);
    }
    out.push('}');
}

/// A value that suits the key, mostly.
fn value_of(key: &str, choices: &mut Choices<'_>, out: &mut String, depth: usize) {
    if depth > 8 || choices.below(4) == 1 {
        return value(choices, out, depth);
    }
    match key {
        "messages" | "content" | "tool_calls" | "input" | "output" | "system" => {
            out.push('[');
            for element in 0..choices.below(4) {
                if element > 0 {
                    out.push(',');
                }
                if choices.below(4) == 1 {
                    string(choices, out);
                } else {
                    object(choices, out, depth);
                }
            }
            out.push(']');
        }
        "source" | "function" | "file" | "image_url" | "function_call" => {
            object(choices, out, depth);
        }
        "arguments" => json_in_string(choices, out, depth),
        "text" | "role" | "type" | "data" | "media_type" | "url" | "model" | "id" => {
            string(choices, out);
        }
        _ => value(choices, out, depth),
    }
}

fn value(choices: &mut Choices<'_>, out: &mut String, depth: usize) {
    match choices.below(if depth > 8 { 6 } else { 16 }) {
        0 => out.push_str("\"\""),
        1 => out.push_str(choices.pick(&["null", "true", "false"])),
        2 => out.push_str(choices.pick(NUMBERS)),
        3..6 => string(choices, out),
        6 => json_in_string(choices, out, depth),
        7..11 => {
            out.push('[');
            for element in 0..choices.below(4) {
                if element > 0 {
                    out.push(',');
                }
                value(choices, out, depth + 1);
            }
            out.push(']');
        }
        _ => object(choices, out, depth),
    }
}

fn string(choices: &mut Choices<'_>, out: &mut String) {
    out.push('"');
    for _ in 0..choices.below(7) {
        let word = choices.pick(WORDS);
        // Long runs pass the limits on identifiers and on what is kept of media.
        let times = if choices.below(12) == 1 { 5 + choices.below(30) } else { 1 };
        out.push_str(&word.repeat(times));
    }
    out.push('"');
}

fn json_in_string(choices: &mut Choices<'_>, out: &mut String, depth: usize) {
    let mut inner = String::new();
    object(choices, &mut inner, depth + 4);
    if choices.below(6) == 1 {
        inner.push_str(choices.pick(&[",", "}", "x", "\\u00e9", "\\ud83d\\ude00", "\\u12"]));
    }
    out.push('"');
    for ch in inner.chars() {
        match ch {
            '"' | '\\' => {
                out.push('\\');
                out.push(ch);
            }
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\u0009"),
            '\r' => out.push_str("\\r"),
            _ => out.push(ch),
        }
    }
    out.push('"');
}
