//! Numbers that mean nothing without the words before them: driver licences and postal codes.

use super::digits::Groups;
use super::{hit, is_word};
use crate::bytes::{Words, at, before, part, run, run_back};
use crate::entity::{CONTEXT, Entity, Hit};

/// A driver licence: a token of 5 to 16 letters, digits and dashes around the digit at `position`, after words that name one.
///
/// State formats range from six digits to a letter and fourteen digits (AAMVA), so words decide and shape only rules out the rest.
pub(super) fn license(bytes: &[u8], position: usize) -> Option<Hit> {
    let part_of = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    let start = position - run_back(bytes, position, 12, part_of);
    let length = run(bytes, start, 17, part_of);
    if !(5..=16).contains(&length)
        || is_word(before(bytes, start))
        || is_word(at(bytes, start + length))
    {
        return None;
    }
    let token = part(bytes, start..start + length);
    let digits = token.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = token.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let sound = digits >= 4 && digits + letters >= 5 && letters <= digits.max(5);
    let edges = token.first() != Some(&b'-') && token.last() != Some(&b'-');
    if !sound
        || !edges
        || Groups::read(bytes, position).is_date(bytes)
        || !LICENSE_WORDS.before(bytes, start, 48)
    {
        return None;
    }
    Some(hit(start, start + length, Entity::UsDriverLicense, CONTEXT))
}

static LICENSE_WORDS: Words = Words::new(&[
    "driver's license",
    "drivers license",
    "driver license",
    "driver’s license",
    "driver's licence",
    "drivers licence",
    "driver’s licence",
    "driver licence",
    "driving license",
    "driving licence",
    "drivers' license",
    "driver's lic",
    "driver lic",
    "drivers lic",
    "driver-license",
    "driver_license",
    "drivers_license",
    "driver's id",
    "dl#",
    "dl #",
    "dl number",
    "dl no",
    "dl:",
    "dln",
]);

/// A postal code: after words that say so, or a ZIP after a US state's abbreviation.
pub(super) fn zip(bytes: &[u8], groups: &Groups) -> Option<Hit> {
    let start = groups.start();
    let (first, second) = (groups.length(0), groups.length(1));
    let dashed = groups.separator(0) == b'-';
    let count = if groups.count() > 1 && dashed && first == 5 && (second == 3 || second == 4) {
        2
    } else if groups.count() > 1
        && ((first == 4 && second == 3 && dashed) || (first == 3 && second == 2))
    {
        // Portugal, and Sweden or Greece.
        2
    } else {
        1
    };
    if (count == 1 && !(3..=6).contains(&first)) || !groups.may_end(bytes, count) {
        return None;
    }
    let left = before(bytes, start);
    if matches!(left, b'-' | b'.' | b'/' | b'$') {
        return None;
    }
    let united_states = first == 5 && (count == 1 || second == 4);
    let named = ZIP_WORDS.just_before(bytes, start, 5);
    (named || (united_states && after_state(bytes, start)))
        .then(|| hit(start, groups.end(count), Entity::ZipCode, CONTEXT))
}

static ZIP_WORDS: Words = Words::new(&[
    "zip",
    "zips",
    "zipcode",
    "zip code",
    "zip-code",
    "zip_code",
    "postal code",
    "postal",
    "postcode",
    "post code",
    "postal_code",
    "postleitzahl",
    "plz",
    "code postal",
    "código postal",
    "codigo postal",
    "cap",
    "郵便番号",
    "邮编",
    "邮政编码",
    "почтовый индекс",
]);

/// Whether a state's two letters stand before `start`, after a comma or, where they are no English word, after a space.
fn after_state(bytes: &[u8], start: usize) -> bool {
    let space = run_back(bytes, start, 2, |b| b == b' ');
    let end = start - space;
    let state = part(bytes, end.saturating_sub(2)..end);
    if space == 0 || state.len() != 2 || !STATES.iter().any(|known| known.as_bytes() == state) {
        return false;
    }
    let gap = run_back(bytes, end - 2, 2, |b| b == b' ');
    match before(bytes, end - 2 - gap) {
        b',' => true,
        last => {
            gap > 0
                && last.is_ascii_lowercase()
                && !matches!(state, b"IN" | b"OR" | b"ME" | b"OK" | b"HI" | b"ID" | b"OH")
        }
    }
}

const STATES: &[&str] = &[
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS",
    "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY",
    "NC", "ND", "OH", "OK", "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV",
    "WI", "WY", "DC", "PR", "VI", "GU", "AS", "MP", "AA", "AE", "AP",
];
