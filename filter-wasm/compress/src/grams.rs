//! Characters folded for n-grams: lower case, one space for white space, one digit for digits.

/// Calls `emit` with each folded character. Invisible characters vanish; full-width and tag characters become the
/// ASCII that they imitate.
pub(crate) fn for_each_folded(text: &str, mut emit: impl FnMut(u32)) {
    let mut space = true;
    let mut rest = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = rest.first() {
        let folded = if byte.is_ascii() {
            rest = rest.get(1..).unwrap_or_default();
            at += 1;
            fold_ascii(*byte)
        } else {
            let Some(char) = text.get(at..).and_then(|text| text.chars().next()) else { break };
            at += char.len_utf8();
            rest = rest.get(char.len_utf8()..).unwrap_or_default();
            match fold_wide(char) {
                Some(folded) => folded,
                None => continue,
            }
        };
        if folded == SPACE {
            if !space {
                emit(SPACE);
            }
            space = true;
        } else {
            emit(folded);
            space = false;
        }
    }
    if !space {
        emit(SPACE);
    }
}

pub(crate) const SPACE: u32 = 32;

#[inline]
fn fold_ascii(byte: u8) -> u32 {
    match byte {
        b'A'..=b'Z' => u32::from(byte | 0x20),
        b'0'..=b'9' => u32::from(b'0'),
        0..=b' ' | 0x7F => SPACE,
        _ => u32::from(byte),
    }
}

fn fold_wide(char: char) -> Option<u32> {
    let code = u32::from(char);
    match code {
        0xAD | 0x200B..=0x200F | 0x2060..=0x2064 | 0xFE00..=0xFE0F | 0xFEFF => None,
        0xFF01..=0xFF5E => u8::try_from(code - 0xFEE0).ok().map(fold_ascii),
        0xE0020..=0xE007E => u8::try_from(code - 0xE0000).ok().map(fold_ascii),
        _ if char.is_whitespace() => Some(SPACE),
        _ => char.to_lowercase().next().map(u32::from),
    }
}

/// Hashes of the three n-grams that end at a character: of 3, 4 and 5 characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    last: [u32; 4],
}

impl Window {
    pub(crate) fn new() -> Self {
        Self { last: [SPACE; 4] }
    }

    #[inline]
    pub(crate) fn push(&mut self, char: u32) -> [u32; 3] {
        const BASE: u32 = 0x9E37_79B1;
        let [d, c, b, a] = self.last;
        let three = char
            .wrapping_add(a.wrapping_mul(BASE))
            .wrapping_add(b.wrapping_mul(BASE.wrapping_mul(BASE)));
        let four = three.wrapping_add(c.wrapping_mul(BASE.wrapping_mul(BASE).wrapping_mul(BASE)));
        let base4 = BASE.wrapping_mul(BASE).wrapping_mul(BASE).wrapping_mul(BASE);
        let five = four.wrapping_add(d.wrapping_mul(base4));
        self.last = [c, b, a, char];
        [scatter(three), scatter(four ^ 0x4444_4444), scatter(five ^ 0x5555_5555)]
    }
}

#[inline]
fn scatter(x: u32) -> u32 {
    let x = (x ^ (x >> 15)).wrapping_mul(0x85EB_CA6B);
    (x ^ (x >> 13)).wrapping_mul(0xC2B2_AE35)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> String {
        let mut out = String::new();
        for_each_folded(text, |c| out.extend(char::from_u32(c)));
        out
    }

    #[test]
    fn imitations_of_ascii_are_folded() {
        assert_eq!(folded("  Ig\u{200B}nore\u{AD}\t\u{3000}ＡＬＬ 1234\n"), "ignore all 0000 ");
        assert_eq!(folded("\u{E0049}\u{E0067}nore"), "ignore ");
        assert_eq!(folded("ÄPFEL Привет 契约"), "äpfel привет 契约 ");
        assert_eq!(folded(" \n "), "");
    }

    #[test]
    fn a_gram_depends_on_its_own_characters_only() {
        let grams = |text: &str| {
            let mut window = Window::new();
            text.bytes().fold([0; 3], |_, byte| window.push(u32::from(byte)))
        };
        let (one, other) = (grams("xxabcde"), grams("yyyabcde"));
        assert_eq!(one, other);
        let near = grams("xxzbcde");
        assert_eq!((one[0], one[1]), (near[0], near[1]));
        assert_ne!(one[2], near[2]);
    }
}
