//! International bank account numbers: country length and mod 97 (ISO 13616).

use super::{hit, is_word};
use crate::bytes::{at, before, run_back};
use crate::entity::{CERTAIN, Entity, Hit};

/// An IBAN whose check digits begin at `position`.
pub(super) fn iban(bytes: &[u8], position: usize) -> Option<Hit> {
    let start = position - run_back(bytes, position, 3, |b| b.is_ascii_alphabetic());
    if position - start != 2
        || is_word(before(bytes, start))
        || !at(bytes, position + 1).is_ascii_digit()
    {
        return None;
    }
    let country =
        [at(bytes, start).to_ascii_uppercase(), at(bytes, start + 1).to_ascii_uppercase()];
    let length =
        LENGTHS.iter().find(|(code, _)| code.as_bytes() == country).map(|&(_, length)| length)?;
    // Read the letters and digits that the country asks for, over single spaces or dashes.
    let mut characters = [0u8; MAX_LENGTH];
    let mut end = start;
    for (k, character) in characters.iter_mut().take(length).enumerate() {
        if k > 0 && matches!(at(bytes, end), b' ' | b'-') {
            end += 1;
        }
        *character = at(bytes, end).to_ascii_uppercase();
        if !character.is_ascii_alphanumeric() {
            return None;
        }
        end += 1;
    }
    let rearranged = characters.iter().skip(4).take(length - 4).chain(characters.iter().take(4));
    let remainder = rearranged.fold(0u32, |sum, &c| match c {
        b'0'..=b'9' => (sum * 10 + u32::from(c - b'0')) % 97,
        _ => (sum * 100 + u32::from(c.wrapping_sub(b'A')) + 10) % 97,
    });
    (remainder == 1 && !is_word(at(bytes, end))).then(|| hit(start, end, Entity::IbanCode, CERTAIN))
}

const MAX_LENGTH: usize = 34;

/// Lengths by country, from the SWIFT IBAN registry.
const LENGTHS: &[(&str, usize)] = &[
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BI", 27),
    ("BR", 29),
    ("BY", 28),
    ("CH", 21),
    ("CR", 22),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DJ", 27),
    ("DK", 18),
    ("DO", 28),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FK", 18),
    ("FO", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GI", 23),
    ("GL", 18),
    ("GR", 27),
    ("GT", 28),
    ("HN", 28),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IQ", 23),
    ("IS", 26),
    ("IT", 27),
    ("JO", 30),
    ("KW", 30),
    ("KZ", 20),
    ("LB", 28),
    ("LC", 32),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("LY", 25),
    ("MC", 27),
    ("MD", 24),
    ("ME", 22),
    ("MK", 19),
    ("MN", 20),
    ("MR", 27),
    ("MT", 31),
    ("MU", 30),
    ("NI", 28),
    ("NL", 18),
    ("NO", 15),
    ("OM", 23),
    ("PK", 24),
    ("PL", 28),
    ("PS", 29),
    ("PT", 25),
    ("QA", 29),
    ("RO", 24),
    ("RS", 22),
    ("RU", 33),
    ("SA", 24),
    ("SC", 31),
    ("SD", 18),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("SM", 27),
    ("SO", 23),
    ("ST", 25),
    ("SV", 28),
    ("TL", 23),
    ("TN", 24),
    ("TR", 26),
    ("UA", 29),
    ("VA", 22),
    ("VG", 24),
    ("XK", 20),
    ("YE", 30),
];
