//! What single characters are: invisible, look-alike, compatibility form, part of an emoji.

use unicode_normalization::UnicodeNormalization;

/// A letter of another script that looks like an ASCII letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Cannot be told apart in common fonts.
    Strong(char),
    /// Similar enough to read over.
    Weak(char),
    /// A Latin small capital.
    SmallCapital(char),
    /// A letter of a script that has look-alikes, but none itself: it shows that the script is meant.
    Distinct,
}

/// How a letter of Cyrillic, Greek, Armenian, Cherokee, Lisu or of the Latin small capitals resembles ASCII; `None` for all other
/// characters. After the Unicode confusables (UTS 39), cut down to what reads as a letter of an English word.
pub(super) fn likeness(c: char) -> Option<Likeness> {
    let code = u32::from(c);
    if !matches!(code, 0x370..=0x3ff | 0x400..=0x52f | 0x531..=0x587 | 0x13a0..=0x13f4 | 0xa4d0..=0xa4f7 | 0x1d00..=0x1d22 | 0x250..=0x2af | 0xa730 | 0xa731)
    {
        return None;
    }
    // Greek punctuation, the Cyrillic thousands sign and its marks, Armenian punctuation.
    if matches!(code, 0x375 | 0x37e | 0x384 | 0x385 | 0x387 | 0x482..=0x489 | 0x559..=0x55f) {
        return None;
    }
    // Cyrillic, Greek and Armenian fill whole texts: a table instead of a search.
    if let Some(&entry) =
        usize::try_from(code).ok().and_then(|code| TABLE.get(code.wrapping_sub(TABLE_START)))
    {
        return Some(match entry {
            0 => Likeness::Distinct,
            weak if weak & WEAK_BIT != 0 => Likeness::Weak(char::from(weak & !WEAK_BIT)),
            strong => Likeness::Strong(char::from(strong)),
        });
    }
    let strong = STRONG.iter().find(|(from, _)| *from == c).map(|&(_, to)| Likeness::Strong(to));
    let small = || {
        SMALL_CAPITALS
            .iter()
            .find(|(from, _)| *from == c)
            .map(|&(_, to)| Likeness::SmallCapital(to))
    };
    match strong.or_else(small) {
        Some(found) => Some(found),
        // The rest of the phonetic alphabet is Latin and says nothing about another script.
        None if matches!(code, 0x250..=0x2af | 0x1d00..=0x1d22 | 0xa730 | 0xa731) => None,
        None => Some(Likeness::Distinct),
    }
}

const TABLE_START: usize = 0x370;
const TABLE_LEN: usize = 0x590 - TABLE_START;
const WEAK_BIT: u8 = 0x80;

/// The ASCII letter for each character from U+0370 on, with [`WEAK_BIT`] for the weak ones; 0 where there is none.
static TABLE: [u8; TABLE_LEN] = table();

const fn table() -> [u8; TABLE_LEN] {
    let mut table = [0; TABLE_LEN];
    let mut i = 0;
    while i < STRONG.len() {
        let (from, to) = STRONG[i];
        let at = (from as usize).wrapping_sub(TABLE_START);
        if at < TABLE_LEN {
            table[at] = ascii(to);
        }
        i += 1;
    }
    let mut i = 0;
    while i < WEAK.len() {
        let (from, to) = WEAK[i];
        table[from as usize - TABLE_START] = ascii(to) | WEAK_BIT;
        i += 1;
    }
    table
}

const fn ascii(letter: char) -> u8 {
    assert!(letter.is_ascii_alphabetic());
    letter as u8
}

/// Greek small letters that formulas and units are written with; omicron and iota are not, because they cannot be told apart.
pub(super) const fn is_symbol(c: char) -> bool {
    matches!(c, 'α'..='ω') && !matches!(c, 'ο' | 'ι' | 'υ')
}

const STRONG: &[(char, char)] = &[
    // Cyrillic
    ('а', 'a'),
    ('е', 'e'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('у', 'y'),
    ('х', 'x'),
    ('і', 'i'),
    ('ј', 'j'),
    ('ѕ', 's'),
    ('ԁ', 'd'),
    ('һ', 'h'),
    ('ԛ', 'q'),
    ('ԝ', 'w'),
    ('ӏ', 'l'),
    ('ѵ', 'v'),
    ('ү', 'y'),
    ('А', 'A'),
    ('В', 'B'),
    ('Е', 'E'),
    ('К', 'K'),
    ('М', 'M'),
    ('Н', 'H'),
    ('О', 'O'),
    ('Р', 'P'),
    ('С', 'C'),
    ('Т', 'T'),
    ('Х', 'X'),
    ('І', 'I'),
    ('Ј', 'J'),
    ('Ѕ', 'S'),
    ('Ԍ', 'G'),
    ('Ԛ', 'Q'),
    ('Ԝ', 'W'),
    ('Ӏ', 'I'),
    ('Ү', 'Y'),
    ('Ѵ', 'V'),
    // Greek
    ('ο', 'o'),
    ('ν', 'v'),
    ('α', 'a'),
    ('ι', 'i'),
    ('κ', 'k'),
    ('ρ', 'p'),
    ('υ', 'u'),
    ('χ', 'x'),
    ('γ', 'y'),
    ('ϲ', 'c'),
    ('ϳ', 'j'),
    ('Α', 'A'),
    ('Β', 'B'),
    ('Ε', 'E'),
    ('Ζ', 'Z'),
    ('Η', 'H'),
    ('Ι', 'I'),
    ('Κ', 'K'),
    ('Μ', 'M'),
    ('Ν', 'N'),
    ('Ο', 'O'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('Υ', 'Y'),
    ('Χ', 'X'),
    // Armenian
    ('օ', 'o'),
    ('ս', 'u'),
    ('ո', 'n'),
    ('հ', 'h'),
    ('ց', 'g'),
    ('յ', 'j'),
    ('զ', 'q'),
    ('ա', 'w'),
    ('Օ', 'O'),
    ('Տ', 'S'),
    ('Լ', 'L'),
    ('Ս', 'U'),
    // Cherokee
    ('Ꭺ', 'A'),
    ('Ᏼ', 'B'),
    ('Ꮯ', 'C'),
    ('Ꭰ', 'D'),
    ('Ꭼ', 'E'),
    ('Ꮐ', 'G'),
    ('Ꮋ', 'H'),
    ('Ꭵ', 'i'),
    ('Ꭻ', 'J'),
    ('Ꮶ', 'K'),
    ('Ꮮ', 'L'),
    ('Ꮇ', 'M'),
    ('Ꮲ', 'P'),
    ('Ꮢ', 'R'),
    ('Ꮪ', 'S'),
    ('Ꭲ', 'T'),
    ('Ꮩ', 'V'),
    ('Ꮃ', 'W'),
    ('Ꮓ', 'Z'),
    // Lisu
    ('ꓮ', 'A'),
    ('ꓐ', 'B'),
    ('ꓚ', 'C'),
    ('ꓓ', 'D'),
    ('ꓰ', 'E'),
    ('ꓝ', 'F'),
    ('ꓖ', 'G'),
    ('ꓧ', 'H'),
    ('ꓲ', 'I'),
    ('ꓙ', 'J'),
    ('ꓗ', 'K'),
    ('ꓡ', 'L'),
    ('ꓟ', 'M'),
    ('ꓠ', 'N'),
    ('ꓳ', 'O'),
    ('ꓑ', 'P'),
    ('ꓣ', 'R'),
    ('ꓢ', 'S'),
    ('ꓔ', 'T'),
    ('ꓴ', 'U'),
    ('ꓦ', 'V'),
    ('ꓪ', 'W'),
    ('ꓫ', 'X'),
    ('ꓬ', 'Y'),
    ('ꓜ', 'Z'),
    // Latin letters of the phonetic alphabet that print like ASCII
    ('ɑ', 'a'),
    ('ɡ', 'g'),
];

const WEAK: &[(char, char)] = &[
    ('к', 'k'),
    ('т', 't'),
    ('в', 'b'),
    ('г', 'r'),
    ('и', 'u'),
    ('п', 'n'),
    ('н', 'h'),
    ('м', 'm'),
    ('ь', 'b'),
    ('ё', 'e'),
    ('ї', 'i'),
    ('У', 'Y'),
    ('И', 'N'),
    ('Я', 'R'),
    ('Г', 'r'),
    ('П', 'n'),
    ('Ё', 'E'),
    ('Ї', 'I'),
    ('η', 'n'),
    ('ω', 'w'),
    ('τ', 't'),
    ('ε', 'e'),
    ('σ', 'o'),
    ('β', 'b'),
    ('μ', 'u'),
    ('ς', 's'),
    ('ό', 'o'),
    ('ί', 'i'),
    ('ά', 'a'),
    ('έ', 'e'),
    ('ռ', 'n'),
    ('ք', 'p'),
    ('ե', 't'),
];

const SMALL_CAPITALS: &[(char, char)] = &[
    ('ᴀ', 'a'),
    ('ʙ', 'b'),
    ('ᴄ', 'c'),
    ('ᴅ', 'd'),
    ('ᴇ', 'e'),
    ('ꜰ', 'f'),
    ('ɢ', 'g'),
    ('ʜ', 'h'),
    ('ɪ', 'i'),
    ('ᴊ', 'j'),
    ('ᴋ', 'k'),
    ('ʟ', 'l'),
    ('ᴍ', 'm'),
    ('ɴ', 'n'),
    ('ᴏ', 'o'),
    ('ᴘ', 'p'),
    ('ʀ', 'r'),
    ('ꜱ', 's'),
    ('ᴛ', 't'),
    ('ᴜ', 'u'),
    ('ᴠ', 'v'),
    ('ᴡ', 'w'),
    ('ʏ', 'y'),
    ('ᴢ', 'z'),
];

/// Characters that print nothing.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Invisible characters that may have been put between words instead of spaces.
pub(super) const fn is_gap(c: char) -> bool {
    matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// A tag character, which spells ASCII invisibly (U+E0020 to U+E007E), or the tags that begin and end such text.
pub(super) const fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// The byte that a variation selector stands for when a text is hidden in selectors (the first sixteen, then the supplement).
pub(super) fn selector_byte(c: char) -> Option<u8> {
    match c {
        '\u{fe00}'..='\u{fe0f}' => u8::try_from(u32::from(c) - 0xfe00).ok(),
        '\u{e0100}'..='\u{e01ef}' => u8::try_from(u32::from(c) - 0xe0100 + 16).ok(),
        _ => None,
    }
}

/// C0 and C1 controls that are no white space, DEL, and the replacement character that stands for bytes which were no text.
pub(super) const fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffd}')
}

/// Characters that take part in emoji sequences, keycaps and modifiers included.
pub(super) const fn is_emoji(c: char) -> bool {
    matches!(
        c,
        '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}'
            | '\u{2900}'..='\u{297f}' | '\u{20e3}' | '\u{fe0f}' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{24c2}'
            | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{a9}' | '\u{ae}'
    )
}

/// Letters and marks of scripts that write with joiners and non-joiners: Arabic, Syriac and alike, the scripts of India and of
/// South-East Asia, Tibetan, Mongolian.
pub(super) const fn uses_joiners(c: char) -> bool {
    matches!(
        c,
        '\u{600}'..='\u{109f}' | '\u{1780}'..='\u{18af}' | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefe}' | '\u{10a00}'..='\u{11fff}'
    )
}

/// Letters of scripts that are written without spaces, where a zero-width space is a real word boundary.
pub(super) const fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Chinese characters, kana and Hangul, beside which wide punctuation is at home.
pub(super) const fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{303f}' | '\u{3041}'..='\u{31ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Wide and vertical forms of punctuation.
pub(super) const fn is_wide_mark(c: char) -> bool {
    matches!(c, '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}' | '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe6f}')
}

/// Marks drawn through or around a letter, which carry no sound.
pub(super) const fn is_overlay(c: char) -> bool {
    matches!(c, '\u{334}'..='\u{338}' | '\u{20d0}'..='\u{20e2}' | '\u{20e4}'..='\u{20f0}')
}

/// Combining marks above and below Latin, Greek and Cyrillic letters.
pub(super) const fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20f0}' | '\u{fe20}'..='\u{fe2f}')
}

/// Accented and other Latin letters outside ASCII.
pub(super) const fn is_latin(c: char) -> bool {
    matches!(c, 'ª' | 'º' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// Whether nothing is to be done about this character, whatever stands around it. False only says "look closer".
pub(super) const fn is_plain(c: char) -> bool {
    match c {
        '\u{c0}'..='\u{24f}' => {
            !matches!(c, 'Ĳ' | 'ĳ' | 'Ŀ' | 'ŀ' | 'ŉ' | 'ſ' | '\u{1c4}'..='\u{1cc}' | '\u{1f1}'..='\u{1f3}')
        }
        '\t'
        | '\n'
        | '\r'
        | ' '..='~'
        | '\u{590}'..='\u{61b}'
        | '\u{61d}'..='\u{65f}'
        | '\u{66a}'..='\u{6ef}'
        | '\u{6fa}'..='\u{7bf}'
        | '\u{7ca}'..='\u{965}'
        | '\u{970}'..='\u{9e5}'
        | '\u{e01}'..='\u{e4f}'
        | '\u{10a0}'..='\u{10ff}'
        | '\u{1100}'..='\u{115e}'
        | '\u{1161}'..='\u{11ff}'
        | '\u{1e00}'..='\u{1e99}'
        | '\u{1ea0}'..='\u{1eff}'
        | '\u{3001}'..='\u{3035}'
        | '\u{3041}'..='\u{309a}'
        | '\u{30a0}'..='\u{30fe}'
        | '\u{3400}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{2f7ff}' => true,
        _ => false,
    }
}

/// Whether compatibility folding is wanted for this character at all.
///
/// Left alone are scripts in which it would change how genuine words are spelled: Hangul letters as they are typed, Thai and Lao
/// vowels, Tibetan, and everything else outside the ranges of presentation forms and styled letters.
const fn may_fold(c: char) -> bool {
    matches!(
        c,
        '\u{a0}'..='\u{bf}' | '\u{132}'..='\u{24f}' | '\u{2b0}'..='\u{2e4}' | '\u{37e}' | '\u{3d0}'..='\u{3ff}' | '\u{1d2c}'..='\u{1dbf}' | '\u{1e9a}'..='\u{1e9b}'
            | '\u{2000}'..='\u{203b}' | '\u{203d}'..='\u{2048}' | '\u{204a}'..='\u{218f}' | '\u{222c}'..='\u{2230}' | '\u{2460}'..='\u{24ff}'
            | '\u{2c7c}' | '\u{2c7d}' | '\u{2f00}'..='\u{2fdf}' | '\u{3000}' | '\u{3200}'..='\u{33ff}' | '\u{a7f2}'..='\u{a7f9}'
            | '\u{ab5c}'..='\u{ab69}' | '\u{f900}'..='\u{faff}' | '\u{fb00}'..='\u{fdff}' | '\u{fe10}'..='\u{fe19}'
            | '\u{fe30}'..='\u{fefe}' | '\u{ff01}'..='\u{ffef}' | '\u{10780}'..='\u{107ba}' | '\u{1d400}'..='\u{1d7ff}'
            | '\u{1ee00}'..='\u{1eeff}' | '\u{1f100}'..='\u{1f14f}' | '\u{1f16a}'..='\u{1f16f}' | '\u{1f190}'..='\u{1f1e5}'
            | '\u{1fbf0}'..='\u{1fbf9}' | '\u{2f800}'..='\u{2fa1f}'
    )
}

/// Appends what the character is a compatibility form of and says so, or appends nothing.
///
/// An expansion to more than four times the bytes stays as it is, which bounds the growth of the text; only a few ligatures of whole
/// Arabic phrases have one.
pub(super) fn fold(c: char, out: &mut String) -> bool {
    match c {
        '\u{2028}' | '\u{2029}' | '\u{85}' => {
            out.push('\n');
            return true;
        }
        _ if !may_fold(c) => return false,
        _ => {}
    }
    let from = out.len();
    out.extend(std::iter::once(c).nfkc());
    let folded = out.get(from..).unwrap_or("");
    let same = folded.chars().eq([c]);
    if same || folded.len() > 4 * c.len_utf8() {
        out.truncate(from);
        return false;
    }
    true
}

/// The ASCII letter inside a white-on-black circle or square, or behind a regional indicator.
pub(super) fn enclosed_letter(c: char) -> Option<char> {
    let first = match c {
        '\u{1f150}'..='\u{1f169}' => 0x1f150,
        '\u{1f170}'..='\u{1f189}' => 0x1f170,
        '\u{1f1e6}'..='\u{1f1ff}' => 0x1f1e6,
        _ => return None,
    };
    char::from_u32(u32::from('A') + u32::from(c) - first)
}

/// The value of a decimal digit of another script (those with wide use in numbers of daily life).
pub(super) fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 18] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
        0xe50, 0xed0, 0xf20, 0x1040, 0x17e0,
    ];
    let code = u32::from(c);
    ZEROS
        .iter()
        .find_map(|&zero| code.checked_sub(zero).filter(|value| *value < 10))
        .and_then(|value| char::from_digit(value, 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_character_needs_nothing() {
        for c in '\0'..=char::MAX {
            if is_plain(c) {
                let mut out = String::new();
                assert!(!fold(c, &mut out) && out.is_empty(), "{c:?} folds");
                assert!(
                    !is_invisible(c) && !is_control(c) && !is_tag(c) && !is_overlay(c),
                    "{c:?} is hidden"
                );
                assert!(likeness(c).is_none(), "{c:?} has a likeness");
                assert!(
                    digit(c).is_none() && selector_byte(c).is_none(),
                    "{c:?} is a digit or selector"
                );
                assert!(
                    enclosed_letter(c).is_none() || !('\u{1f300}'..='\u{1faff}').contains(&c),
                    "{c:?}"
                );
            }
        }
    }

    #[test]
    fn styled_latin_letters_all_fold_to_ascii() {
        let mut out = String::new();
        for c in "ＡｚⒶⓩ𝐀𝒛𝔄𝕫𝖆𝗓𝘼𝙯ﬁ℀ℂℓⅷ⑴ᵃₐª🄰".chars()
        {
            out.clear();
            assert!(fold(c, &mut out) && out.is_ascii(), "{c} {out}");
        }
    }

    #[test]
    fn genuine_spelling_is_not_folded() {
        for c in "ㅋㅠำຳ༌ﷺÀéßøđ한字かガमक़".chars() {
            assert!(!fold(c, &mut String::new()), "{c}");
        }
    }
}
