//! Telephone numbers: E.164, North American, and national forms.
//!
//! A strict shape is enough by itself. A loose one (ungrouped digits, groups with spaces) needs a telling word within
//! [`WINDOW`] bytes before it.

use super::digits::{Digits, Groups};
use super::{hit, is_word};
use crate::bytes::{at, before, part, run, word_before};
use crate::entity::{CONTEXT, Entity, FORMAT, Hit};

/// How far before a number a telling word may stand, in bytes.
const WINDOW: usize = 40;

/// How a number is introduced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    /// `+`, with or without brackets around it or after it.
    Plus,
    /// An opening bracket round the area code.
    Bracket,
    Bare,
}

pub(super) fn phone(bytes: &[u8], groups: &Groups) -> Option<Hit> {
    let (start, prefix) = beginning(bytes, groups.start());
    let left = before(bytes, start);
    let preceded_by_digit =
        |byte: u8| start >= 2 && left == byte && at(bytes, start - 2).is_ascii_digit();
    if matches!(left, b'$' | b'+' | b'\\' | b'^' | b'*')
        || preceded_by_digit(b'-')
        || preceded_by_digit(b'.')
    {
        return None;
    }
    if prefix != Prefix::Bracket && is_word(left) {
        return None;
    }
    // After other digits only an unmistakable form counts: these may be the middle of something longer.
    let alone = !preceded_by_digit(b' ');
    let loose = if alone { context(bytes, start) } else { Context::None };
    let strict = |count: usize| {
        let end = groups.end(count);
        let digits = groups.digits(bytes, count);
        let fits = groups.may_end(bytes, count) || extension(bytes, end) > 0;
        let clear = prefix != Prefix::Bare
            || groups.has_lengths(count, &[3, 3, 4])
            || groups.has_lengths(count, &[1, 3, 3, 4]);
        (fits && (alone || clear) && is_strict(bytes, groups, count, &digits, prefix, loose))
            .then(|| hit(start, end, Entity::PhoneNumber, FORMAT))
    };
    let found = (1..=groups.count()).rev().find_map(strict).or_else(|| {
        let count = groups.count();
        let fits = groups.may_end(bytes, count) || extension(bytes, groups.end(count)) > 0;
        (fits
            && prefix != Prefix::Plus
            && is_loose(bytes, groups, &groups.digits(bytes, count), loose))
        .then(|| hit(start, groups.end(count), Entity::PhoneNumber, CONTEXT))
    })?;
    let end = found.range.end;
    Some(Hit { range: start..end + extension(bytes, end), ..found })
}

/// Where the number begins when signs before the first digit are counted in.
fn beginning(bytes: &[u8], first: usize) -> (usize, Prefix) {
    let one = before(bytes, first);
    let two = before(bytes, first.saturating_sub(1));
    match (two, one) {
        (b'(', b'+') | (b'+', b'(') => (first.saturating_sub(2), Prefix::Plus),
        (_, b'+') => (first.saturating_sub(1), Prefix::Plus),
        (_, b'(') => (first.saturating_sub(1), Prefix::Bracket),
        _ => (first, Prefix::Bare),
    }
}

fn is_strict(
    bytes: &[u8],
    groups: &Groups,
    count: usize,
    digits: &Digits,
    prefix: Prefix,
    context: Context,
) -> bool {
    if prefix == Prefix::Plus {
        return is_international(groups, count, digits, 0);
    }
    let closes = prefix != Prefix::Bracket || groups.separator(0) == b')';
    if !closes {
        return false;
    }
    // 00 and 011 dial out of most countries and out of North America.
    let dial_out = if digits.number(0, 2) == 0 {
        2
    } else if digits.number(0, 3) == 11 {
        3
    } else {
        0
    };
    if dial_out > 0
        && (count >= 3 || context == Context::Strong)
        && is_international(groups, count, digits, dial_out)
    {
        return true;
    }
    north_american(groups, count, digits, prefix, context)
        || national(bytes, groups, count, digits, prefix, context)
}

/// `skip` digits of dialling prefix, a country code that exists, and a plausible number of digits after it.
fn is_international(groups: &Groups, count: usize, digits: &Digits, skip: usize) -> bool {
    // `+44 (0)20 ...`: the bracketed zero is not dialled.
    let trunk = (1..count).any(|k| groups.separator(k - 1) == b'(' && groups.length(k) == 1);
    let n = digits.count.saturating_sub(skip + usize::from(trunk));
    let code = digits.number(skip, 2);
    let most = match code {
        10..=19 => {
            // After +1 come three digits of area code that do not begin with 0 or 1.
            return n == 11 && digits.get(skip + 1) > 1;
        }
        70..=79 => return n == 11,
        30..=34 | 41 | 45 | 47 | 48 | 60 | 61 | 64 | 65 | 94 => 12,
        43 | 49 => 14,
        28 | 83 | 89 => return false,
        20..=29 | 35..=40 | 42..=46 | 50..=59 | 62..=69 | 80..=99 => 13,
        _ => return false,
    };
    (9..=most).contains(&n)
}

/// `415-555-0134`, `(415) 555-0134`, `1 415 555 0134`, `415.555.0134`; `4155550134` beside a telling word; `555-0134`.
fn north_american(
    groups: &Groups,
    count: usize,
    digits: &Digits,
    prefix: Prefix,
    context: Context,
) -> bool {
    let skip = usize::from(
        digits.get(0) == 1 && (groups.has_lengths(count, &[1, 3, 3, 4]) || digits.count == 11),
    );
    if digits.count == 7 && groups.has_lengths(count, &[3, 4]) {
        let local = digits.get(0) > 1 && groups.separator(0) == b'-';
        return local && (digits.number(0, 3) == 555 || context != Context::None);
    }
    if digits.count != 10 + skip {
        return false;
    }
    let assigned = digits.get(skip) > 1 && digits.get(skip + 3) > 1;
    let layout = groups.has_lengths(count, &[3, 3, 4]) || groups.has_lengths(count, &[1, 3, 3, 4]);
    if layout {
        let last = groups.separator(count - 2);
        let bracket = prefix == Prefix::Bracket || (0..count).any(|k| groups.separator(k) == b')');
        let dashes = groups.uniform(count) == Some(b'-') || (last == b'-' && bracket);
        return dashes
            || (assigned
                && (bracket || last == b'-' || groups.uniform(count).is_some())
                && last != b'/');
    }
    assigned && count == 1 && context == Context::Strong
}

/// National forms that begin with a trunk zero, and Chinese mobile numbers.
fn national(
    bytes: &[u8],
    groups: &Groups,
    count: usize,
    digits: &Digits,
    prefix: Prefix,
    context: Context,
) -> bool {
    if groups.is_date(bytes) || groups.count() != count {
        return false;
    }
    let uniform = groups.uniform(count);
    if groups.has_lengths(count, &[3, 4, 4]) && digits.get(0) == 1 && digits.get(1) > 2 {
        return matches!(uniform, Some(b'-' | b' '));
    }
    if count == 1 && digits.count == 11 && digits.get(0) == 1 && digits.get(1) > 2 {
        return context == Context::Strong;
    }
    let trunk = digits.get(0) == 0 && digits.get(1) != 0 && (9..=12).contains(&digits.count);
    let area = (2..=5).contains(&groups.length(0));
    if !trunk || !area || count < 2 {
        return false;
    }
    let last = groups.length(count - 1);
    prefix == Prefix::Bracket
        || (uniform == Some(b'-') && count <= 3 && last >= 3)
        || context != Context::None
}

/// Any other grouping beside a telling word.
fn is_loose(bytes: &[u8], groups: &Groups, digits: &Digits, context: Context) -> bool {
    let count = groups.count();
    if context == Context::None || !(7..=13).contains(&digits.count) || groups.is_date(bytes) {
        return false;
    }
    if count == 1 {
        let date = digits.count == 8 && matches!(digits.number(0, 2), 19 | 20);
        return context == Context::Strong && !date;
    }
    (0..count).all(|k| groups.length(k) >= 2 || k == 0) && groups.uniform(count) != Some(b'.')
}

/// Bytes of ` x12`, ` ext. 12` or ` extension 12` at `end`.
fn extension(bytes: &[u8], end: usize) -> usize {
    let space = run(bytes, end, 2, |b| b == b' ');
    let word = ["extension", "ext.", "ext", "x"].iter().find(|word| {
        part(bytes, end + space..end + space + word.len()).eq_ignore_ascii_case(word.as_bytes())
    });
    let Some(word) = word else { return 0 };
    let gap = run(bytes, end + space + word.len(), 2, |b| matches!(b, b' ' | b':' | b'.'));
    let from = end + space + word.len() + gap;
    let length = run(bytes, from, 7, |b| b.is_ascii_digit());
    if (1..=6).contains(&length) && !is_word(at(bytes, from + length)) {
        from + length - end
    } else {
        0
    }
}

/// What the words before a number say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    None,
    /// Words that often, but not always, come before a number: grouped digits are then a phone number.
    Weak,
    /// Words that name a telephone.
    Strong,
}

fn context(bytes: &[u8], start: usize) -> Context {
    if word_before(bytes, start, WINDOW, STRONG) {
        Context::Strong
    } else if word_before(bytes, start, WINDOW, WEAK) {
        Context::Weak
    } else {
        Context::None
    }
}

const STRONG: &[&str] = &[
    "phone",
    "phones",
    "telephone",
    "tel",
    "cell",
    "cellphone",
    "mobile",
    "fax",
    "whatsapp",
    "sms",
    "phone number",
    "dial",
    "hotline",
    "helpline",
    "telefon",
    "telefone",
    "telefono",
    "teléfono",
    "téléphone",
    "handy",
    "handynummer",
    "celular",
    "móvil",
    "movil",
    "cellulare",
    "telefonnummer",
    "rufnummer",
    "numéro de téléphone",
    "gsm",
    "電話",
    "携帯",
    "电话",
    "電話番号",
    "手机",
    "手機",
    "телефон",
    "телефону",
    "тел",
    "моб",
    "звоните",
    "هاتف",
    "جوال",
    "موبايل",
    "फ़ोन",
    "फोन",
    "मोबाइल",
    "전화",
    "휴대폰",
    "연락처",
    "โทร",
];
const WEAK: &[&str] = &[
    "call",
    "calls",
    "called",
    "calling",
    "text",
    "texted",
    "contact",
    "reach",
    "ring",
    "desk",
    "office",
    "home",
    "work",
    "my number",
    "number is",
    "number:",
    "messages to",
    "answering at",
    "message",
    "llame",
    "llama",
    "appelez",
    "appeler",
    "portable",
    "anrufen",
    "ligue",
    "chiama",
];
