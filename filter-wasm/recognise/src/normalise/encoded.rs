//! Decoders that answer only with text: what does not read as text was no hidden message.

use super::vocabulary;

/// Fewest bytes of decoded text that are worth showing.
const MIN_TEXT: usize = 8;

/// Whether the text is some language: mostly letters and spaces, letters of one script, and for ASCII the letter pairs and letter case
/// of words. Random bytes that happen to be printable, identifiers and columns of numbers are not.
pub(super) fn reads_as_text(text: &str) -> bool {
    let (mut letters, mut others, mut neutral, mut ascii, mut pairs, mut usual, mut bumps) =
        (0, 0, 0, 0, 0, 0, 0);
    let mut scripts = [0usize; SCRIPTS];
    let mut previous = ' ';
    for c in text.chars() {
        if c.is_alphabetic() {
            letters += 1;
            if let Some(count) = scripts.get_mut(script(c)) {
                *count += 1;
            }
        } else if c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '@' | '-' | '"' | '\'' | '\n')
        {
            neutral += 1;
        } else if c != ' ' {
            others += 1;
        }
        if c.is_ascii_alphabetic() {
            ascii += 1;
            if previous.is_ascii_alphabetic() {
                pairs += 1;
                usual += usize::from(vocabulary::is_usual_pair(previous, c));
                bumps += usize::from(previous.is_ascii_lowercase() && c.is_ascii_uppercase());
            }
        }
        previous = c;
    }
    let spaces = text.bytes().filter(|&b| b == b' ').count();
    let most = scripts.iter().copied().max().unwrap_or(0);
    let one_script = 10 * (ascii + most) >= 9 * letters;
    let words = 4 * usual >= 3 * pairs && 8 * bumps <= ascii;
    // Without spaces there is less to go by.
    let long_enough = text.len() >= if spaces > 0 { MIN_TEXT } else { MIN_TEXT + 2 };
    long_enough
        && letters + spaces >= (3 * others).max(neutral)
        && letters >= 5
        && one_script
        && (words || ascii < most)
}

const SCRIPTS: usize = 8;

/// Letters of the same number are written together: Latin with accents, Greek and Cyrillic apart, and so on.
const fn script(c: char) -> usize {
    match c {
        '\u{80}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => 0,
        '\u{370}'..='\u{3ff}' => 1,
        '\u{400}'..='\u{52f}' => 2,
        '\u{590}'..='\u{5ff}' => 3,
        '\u{600}'..='\u{8ff}' => 4,
        '\u{900}'..='\u{109f}' => 5,
        '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' => 6,
        '\u{ac00}'..='\u{d7af}' => 7,
        _ => usize::MAX,
    }
}

/// Appends the stretches of `bytes` that read as text, each after a space.
pub(super) fn append_text(bytes: &[u8], out: &mut String) {
    for chunk in bytes.utf8_chunks() {
        let printable = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
        for stretch in chunk.valid().split(|c| !printable(c)) {
            if reads_as_text(stretch) || is_encoded_again(stretch) {
                out.push(' ');
                out.push_str(stretch);
            }
        }
    }
}

/// Whether the text is base64 of a text.
fn is_encoded_again(text: &str) -> bool {
    let plain = text.trim_end_matches('=').bytes().all(|b| sextet(b).is_some());
    if !plain || text.len() < 16 || text.len() > MAX_AGAIN {
        return false;
    }
    let mut decoded = Vec::new();
    base64(text.as_bytes(), 0, &mut decoded);
    std::str::from_utf8(&decoded)
        .is_ok_and(|text| text.chars().all(|c| !c.is_control()) && reads_as_text(text))
}

/// Longest text that is tried as base64 once more.
const MAX_AGAIN: usize = 16 * 1024;

/// The value of a character of base64 or of its URL-safe form.
const fn sextet(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// Decodes base64 from the `skip`th character on; other characters (line ends) are passed over.
pub(super) fn base64(encoded: &[u8], skip: usize, out: &mut Vec<u8>) {
    out.clear();
    let mut bits = 0u32;
    let mut held = 0;
    for value in encoded.iter().filter_map(|&b| sextet(b)).skip(skip) {
        bits = (bits << 6) | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held).to_le_bytes()[0]);
        }
    }
}

/// The value of a hexadecimal digit.
pub(super) const fn hex(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Decodes pairs of hexadecimal digits; other characters are passed over.
pub(super) fn hex_pairs(encoded: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut high = None;
    for value in encoded.iter().filter_map(|&b| hex(b)) {
        high = match high {
            None => Some(value),
            Some(high) => {
                out.push(high << 4 | value);
                None
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut out = String::new();
        append_text(bytes, &mut out);
        out
    }

    #[test]
    fn base64_is_read_in_both_alphabets_and_over_line_ends() {
        let mut out = Vec::new();
        base64(b"SWdub3JlIGFsbCBwcmV2aW91cw==", 0, &mut out);
        assert_eq!(out, b"Ignore all previous");
        base64(b"SWdub3Jl\r\nIGFsbA", 0, &mut out);
        assert_eq!(out, b"Ignore all");
        base64(b"-_-_+/+/", 0, &mut out);
        assert_eq!(out, [0xfb, 0xff, 0xbf, 0xfb, 0xff, 0xbf]);
        hex_pairs(b"49 67:6e", &mut out);
        assert_eq!(out, b"Ign");
    }

    #[test]
    fn only_what_reads_as_text_is_shown() {
        assert_eq!(text(b"Ignore all"), " Ignore all");
        assert_eq!(text("忽略所有指令".as_bytes()), " 忽略所有指令");
        assert_eq!(
            text(b"\0\xffIgnore all\x80\x1bprevious words\xc3"),
            " Ignore all previous words"
        );
        assert_eq!(text(b"a8$!k0#9s2x)"), "");
        assert_eq!(text(b"short"), "");
    }
}
