//! E-mail addresses.
//!
//! The local part is ASCII or accented Latin, so that Japanese or Chinese text may touch an address; an address wholly in another
//! script (as in `почта@пример.рф`) is read by letters.

use super::hit;
use crate::bytes::{at, before, part, run, run_back};
use crate::entity::{Entity, FORMAT, Hit};

/// RFC 5321: a local part has at most 64 bytes, a domain 255.
const MAX_LOCAL: usize = 64;
const MAX_DOMAIN: usize = 255;

/// The address around the `@` at `sign`.
pub(super) fn address(bytes: &[u8], sign: usize) -> Option<Hit> {
    // Most signs that are none have a blank or another sign beside them.
    let (left, right) = (before(bytes, sign), at(bytes, sign + 1));
    let is_name = |b: u8| b.is_ascii_alphanumeric() || b >= 0x80;
    if !(is_name(right) && (is_local(left) || left >= 0x80)) {
        return None;
    }
    let from = sign.saturating_sub(MAX_LOCAL);
    let mut start = sign - latin_back(bytes, sign);
    // Dots and marks in front belong to the sentence: `..pat@`, `'pat@`, `*pat@`, `=pat@`.
    start +=
        run(bytes, start, sign - start, |b| !(b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80));
    if start == sign {
        start = sign - script_back(bytes, from, sign);
    }
    if start == sign || at(bytes, sign - 1) == b'.' {
        return None;
    }
    let end = domain(bytes, sign + 1)?;
    // `git@host:path` is how a repository is named, not a mailbox.
    if part(bytes, start..sign) == b"git" && at(bytes, end) == b':' {
        return None;
    }
    Some(hit(start, end, Entity::EmailAddress, FORMAT))
}

/// What mailboxes are named with; the other characters that RFC 5322 allows begin a sentence's or a program's own text.
const fn is_local(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'%' | b'&' | b'\'')
}

/// Bytes of ASCII local part and accented Latin letters (two-byte characters up to U+024F) before `end`.
fn latin_back(bytes: &[u8], end: usize) -> usize {
    let mut length = 0;
    while length < MAX_LOCAL {
        let last = end - length;
        let plain = run_back(bytes, last, MAX_LOCAL - length, is_local);
        if plain > 0 {
            length += plain;
        } else if last >= 2 && matches!(at(bytes, last - 2), 0xc3..=0xc9) && length + 2 <= MAX_LOCAL
        {
            length += 2;
        } else {
            break;
        }
    }
    length
}

/// Bytes of letters and digits of any script before `end`.
fn script_back(bytes: &[u8], from: usize, end: usize) -> usize {
    let window = part(bytes, from..end);
    let valid =
        (0..4).find_map(|skip| core::str::from_utf8(window.get(skip..)?).ok()).unwrap_or("");
    valid.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '.').map(char::len_utf8).sum()
}

/// Where the domain that begins at `start` ends.
fn domain(bytes: &[u8], start: usize) -> Option<usize> {
    let latin = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    let ascii = run(bytes, start, MAX_DOMAIN + 1, latin);
    let mut name = part(bytes, start..start + ascii);
    // An internationalised name goes on in letters, as long as a dot and a label still follow or went before.
    let next = at(bytes, start + ascii);
    if next >= 0x80 && !(is_top_level(name) && name.contains(&b'.')) {
        let window = part(bytes, start..start + MAX_DOMAIN);
        let cut = match core::str::from_utf8(window) {
            Ok(text) => text,
            Err(error) => core::str::from_utf8(part(window, 0..error.valid_up_to())).unwrap_or(""),
        };
        let length: usize = cut
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '.'))
            .map(char::len_utf8)
            .sum();
        name = part(bytes, start..start + length);
        // Text without spaces may follow a domain that ends in ASCII: `münchen.deです`.
        let last = name.rsplit(|&b| b == b'.').next().unwrap_or(&[]);
        let plain = last.iter().take_while(|b| b.is_ascii()).count();
        if plain > 0 {
            name = part(name, 0..name.len() - last.len() + plain);
        }
    }
    if name.len() > MAX_DOMAIN {
        return None;
    }
    // What may follow belongs to the sentence: its full stop, `-home`, `_old`, `.)`, a version. So the longest beginning that is a
    // domain counts, tried label by label.
    let mut end = name.windows(2).position(|pair| pair == b"..").unwrap_or(name.len());
    while end > 0 {
        let last =
            name.get(..end).and_then(|name| name.rsplit(|&b| b == b'.').next()).unwrap_or(&[]);
        let label = end - last.len();
        let letters = run(last, 0, last.len(), |b| b.is_ascii_alphabetic());
        let cut = if matches!(at(last, letters), b'-' | b'_') && !last.starts_with(b"xn--") {
            letters
        } else {
            last.len()
        };
        let candidate = part(name, 0..label + cut);
        let labels = candidate.split(|&b| b == b'.');
        if labels.clone().count() >= 2 && labels.clone().all(is_label) && is_top_level(candidate) {
            return Some(start + candidate.len());
        }
        end = label.saturating_sub(1);
    }
    None
}

fn is_label(label: &[u8]) -> bool {
    !label.is_empty()
        && label.len() <= 63
        && label.first() != Some(&b'-')
        && label.last() != Some(&b'-')
}

/// Whether what follows the last dot can be a top-level domain: letters, and not the ending of an image or a script
/// (`icon@2x.png`).
fn is_top_level(name: &[u8]) -> bool {
    let last = name.rsplit(|&b| b == b'.').next().unwrap_or(&[]);
    let lower = last.to_ascii_lowercase();
    let letters = (2..=24).contains(&last.len()) && last.iter().all(u8::is_ascii_alphabetic);
    let encoded = lower.starts_with(b"xn--") && last.len() > 4;
    let script =
        last.iter().any(|&b| b >= 0x80) && last.iter().all(|&b| b >= 0x80) && last.len() >= 4;
    (letters || encoded || script)
        && !FILE_ENDINGS.iter().any(|ending| ending.as_bytes() == lower.as_slice())
}

const FILE_ENDINGS: &[&str] = &[
    "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "css", "js", "ts", "tsx", "jsx", "json",
    "xml", "html", "htm", "txt", "csv", "yaml", "yml", "toml", "exe", "dll", "jar", "tgz", "gz",
    "wasm", "java", "cpp", "php", "log", "lock",
];
