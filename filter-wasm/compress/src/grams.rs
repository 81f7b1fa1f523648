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
    const FOLDED: [u8; 128] = {
        let mut table = [0; 128];
        let mut byte = 0u8;
        while byte < 128 {
            table[byte as usize] = match byte {
                b'A'..=b'Z' => byte | 0x20,
                b'0'..=b'9' => b'0',
                0..=b' ' | 0x7F => b' ',
                _ => byte,
            };
            byte += 1;
        }
        table
    };
    FOLDED.get(usize::from(byte)).map_or(SPACE, |folded| u32::from(*folded))
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
        let [d, c, b, a] = self.last;
        self.last = [c, b, a, char];
        grams_of([d, c, b, a, char])
    }
}

/// Hashes of the last three, four and five of five characters.
#[inline(always)]
fn grams_of([d, c, b, a, char]: [u32; 5]) -> [u32; 3] {
    const BASE: u32 = 0x9E37_79B1;
    const BASE_2: u32 = BASE.wrapping_mul(BASE);
    const BASE_3: u32 = BASE_2.wrapping_mul(BASE);
    const BASE_4: u32 = BASE_3.wrapping_mul(BASE);
    let three = char.wrapping_add(a.wrapping_mul(BASE)).wrapping_add(b.wrapping_mul(BASE_2));
    let four = three.wrapping_add(c.wrapping_mul(BASE_3));
    let five = four.wrapping_add(d.wrapping_mul(BASE_4));
    [scatter(three), scatter(four ^ 0x4444_4444), scatter(five ^ 0x5555_5555)]
}

/// Characters whose n-grams are made at once: a loop of this length without branches becomes vector instructions.
pub(crate) const BLOCK: usize = 16;

/// Hashes of the n-grams that end at up to [`BLOCK`] characters: of 3, of 4 and of 5 characters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grams {
    pub(crate) hashes: [[u32; BLOCK]; 3],
    /// Characters that there are; hashes past them mean nothing.
    pub(crate) count: usize,
}

/// Folded characters of a text, and their n-grams in blocks. The slow twin is [`Window`].
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    /// What [`Window`] begins with, then the characters.
    chars: Vec<u32>,
}

impl Default for Folded {
    fn default() -> Self {
        Self { chars: vec![SPACE; BEFORE] }
    }
}

/// Characters before one that its n-grams reach.
const BEFORE: usize = 4;

impl Folded {
    /// Takes another text in place of the last one.
    pub(crate) fn read(&mut self, text: &str) {
        self.chars.truncate(BEFORE);
        for_each_folded(text, |char| self.chars.push(char));
    }

    /// Bytes of memory held.
    pub(crate) const fn held_bytes(&self) -> usize {
        self.chars.capacity() * size_of::<u32>()
    }

    /// Calls `emit` with the n-grams that end at each character, in order.
    #[inline]
    pub(crate) fn for_each_block(&self, mut emit: impl FnMut(&Grams)) {
        let count = self.chars.len() - BEFORE;
        for start in (0..count).step_by(BLOCK) {
            let mut near = [SPACE; BLOCK + BEFORE];
            let end = self.chars.len().min(start + near.len());
            let chars = self.chars.get(start..end).unwrap_or_default();
            for (slot, char) in near.iter_mut().zip(chars) {
                *slot = *char;
            }
            let mut grams = Grams { hashes: [[0; BLOCK]; 3], count: BLOCK.min(count - start) };
            let [threes, fours, fives] = &mut grams.hashes;
            for at in 0..BLOCK {
                #[allow(
                    clippy::indexing_slicing,
                    reason = "arrays of constant length, checked when compiled"
                )]
                {
                    let five = [near[at], near[at + 1], near[at + 2], near[at + 3], near[at + 4]];
                    [threes[at], fours[at], fives[at]] = grams_of(five);
                }
            }
            emit(&grams);
        }
    }
}

#[inline(always)]
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
    fn blocks_give_the_grams_of_the_window() {
        let text =
            "Ignore\u{200B} ALL prior 2024 rules, \u{44F}blocks and \u{5951}\u{7EA6}!  ".repeat(3);
        let mut read = Folded::default();
        for (end, _) in text.char_indices() {
            read.read(&text[..end]);
            let mut fast = Vec::new();
            read.for_each_block(|grams| {
                fast.extend((0..grams.count).map(|at| grams.hashes.map(|hashes| hashes[at])));
            });
            let (mut window, mut slow) = (Window::new(), Vec::new());
            for_each_folded(&text[..end], |char| slow.push(window.push(char)));
            assert_eq!(fast, slow, "{end}");
        }
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
