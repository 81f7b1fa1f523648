//! Telephone numbers: E.164, North American, and national forms.
//!
//! A strict shape is enough by itself. A loose one (ungrouped digits, groups with spaces) needs a telling word within
//! [`WINDOW`] bytes before it.

use super::digits::{Digits, Groups};
use super::{hit, is_word};
use crate::bytes::{Words, at, before, part, run};
use crate::entity::{CONTEXT, Entity, FORMAT, Hit};

/// How far before a number a telling word may stand, in bytes.
const WINDOW: usize = 40;

/// How far before a loosely written number the telling word may end: only fillers such as ` number is: ` fit in between.
const NEAR: usize = 12;

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
    let after_digit =
        |byte: u8| start >= 2 && left == byte && at(bytes, start - 2).is_ascii_digit();
    let is_formula = matches!(left, b'$' | b'+' | b'\\' | b'^' | b'*');
    let joined = prefix != Prefix::Bracket && is_word(left);
    if is_formula || joined || after_digit(b'-') || after_digit(b'.') {
        return None;
    }
    let alone = !after_digit(b' ');
    let (count, score) = (1..=groups.count()).rev().find_map(|count| {
        let digits = groups.digits(bytes, count);
        if !(7..=17).contains(&digits.count) {
            return None;
        }
        let candidate = Candidate { bytes, groups, start, count, digits, prefix, alone };
        let fits = candidate.may_end();
        let score = if fits && candidate.is_strict() {
            FORMAT
        } else if fits && candidate.is_loose() {
            CONTEXT
        } else {
            return None;
        };
        Some((count, score))
    })?;
    let end = groups.end(count);
    Some(hit(start, end + extension(bytes, end), Entity::PhoneNumber, score))
}

/// The first `count` groups of digits, looked at as a telephone number.
struct Candidate<'a> {
    bytes: &'a [u8],
    groups: &'a Groups,
    start: usize,
    count: usize,
    digits: Digits,
    prefix: Prefix,
    /// No other digits stand in front: this cannot be the middle of something longer.
    alone: bool,
}

impl Candidate<'_> {
    fn may_end(&self) -> bool {
        let end = self.groups.end(self.count);
        // `-Office` may follow, and a number after a blank or stroke.
        let closed = match self.groups.separator(self.count - 1) {
            0 => !is_word(at(self.bytes, end)),
            separator => matches!(separator, b' ' | b'/'),
        };
        closed || extension(self.bytes, end) > 0
    }

    fn is_strict(&self) -> bool {
        if self.prefix == Prefix::Plus {
            return self.is_international(0);
        }
        if self.prefix == Prefix::Bracket && self.groups.separator(0) != b')' {
            return false;
        }
        // 00 and 011 dial out of most countries and out of North America.
        let dial_out = match (self.digits.number(0, 2), self.digits.number(0, 3)) {
            (0, _) => 2,
            (_, 11) => 3,
            _ => 0,
        };
        let dialled = dial_out > 0
            && self.groups.length(0) >= dial_out
            && self.is_even()
            && self.alone
            && self.is_international(dial_out)
            && (self.count >= 3 || self.context() == Context::Strong);
        dialled || self.is_north_american() || self.is_national()
    }

    /// `skip` digits of dialling prefix, a country code that exists, and a plausible number of digits after it.
    fn is_international(&self, skip: usize) -> bool {
        // `+44 (0)20 ...`: the bracketed zero is not dialled.
        let trunk = (1..self.count)
            .any(|k| self.groups.separator(k - 1) == b'(' && self.groups.length(k) == 1);
        let n = self.digits.count.saturating_sub(skip + usize::from(trunk));
        let most = match self.digits.number(skip, 2) {
            // After +1 come three digits of area code that do not begin with 0 or 1.
            10..=19 => return n == 11 && self.digits.get(skip + 1) > 1,
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
    fn is_north_american(&self) -> bool {
        let (groups, count, digits) = (self.groups, self.count, &self.digits);
        if groups.has_lengths(count, &[3, 4]) {
            let local = digits.get(0) > 1 && groups.separator(0) == b'-' && self.alone;
            return local && (digits.number(0, 3) == 555 || self.context() != Context::None);
        }
        let layout = groups.has_lengths(count, &[3, 3, 4]);
        let with_country = groups.has_lengths(count, &[1, 3, 3, 4]) && digits.get(0) == 1;
        let skip = usize::from(with_country || (count == 1 && digits.count == 11));
        let assigned = digits.get(skip) > 1 && digits.get(skip + 3) > 1;
        if !layout && !with_country {
            let ten = digits.count == 10 + skip && (skip == 0 || digits.get(0) == 1);
            return count == 1 && ten && assigned && self.context() == Context::Strong;
        }
        let bracket =
            self.prefix == Prefix::Bracket || (0..count).any(|k| groups.separator(k) == b')');
        let last = groups.separator(count - 2);
        match groups.uniform(count) {
            Some(b'-') => true,
            Some(b'.') => assigned,
            // Rows of a table look like this: nothing may stand around, and round numbers are counts.
            Some(b' ') => {
                let table = groups.count() > count || !self.alone || self.is_round();
                assigned && (!table || self.is_just_named())
            }
            _ => last == b'-' && bracket || assigned && (bracket || last == b'-'),
        }
    }

    /// Whether every group ends in a zero.
    fn is_round(&self) -> bool {
        (1..=self.count).all(|k| before(self.bytes, self.groups.end(k)) == b'0')
    }

    /// National forms that begin with a trunk zero, and Chinese mobile numbers.
    fn is_national(&self) -> bool {
        let (groups, count, digits) = (self.groups, self.count, &self.digits);
        if !self.alone || groups.is_date(self.bytes) || groups.count() != count {
            return false;
        }
        let uniform = groups.uniform(count);
        let mobile = digits.count == 11 && digits.get(0) == 1 && digits.get(1) > 2;
        if mobile && groups.has_lengths(count, &[3, 4, 4]) {
            return matches!(uniform, Some(b'-' | b' '));
        }
        if mobile && count == 1 {
            return self.context() == Context::Strong;
        }
        let trunk = digits.get(0) == 0 && digits.get(1) != 0 && (9..=12).contains(&digits.count);
        if !trunk || !(2..=5).contains(&groups.length(0)) || count < 2 {
            return false;
        }
        let dashed = uniform == Some(b'-') && count <= 3 && groups.length(count - 1) >= 3;
        self.prefix == Prefix::Bracket
            || dashed
            || (self.context() != Context::None && self.is_even())
    }

    /// Any other grouping right after a telling word.
    fn is_loose(&self) -> bool {
        let (groups, count, digits) = (self.groups, self.count, &self.digits);
        let fits = count == groups.count() && (7..=13).contains(&digits.count);
        if !fits || self.prefix == Prefix::Plus || groups.is_date(self.bytes) {
            return false;
        }
        if count == 1 {
            let date = digits.count == 8 && matches!(digits.number(0, 2), 19 | 20);
            return self.context() == Context::Strong && !date;
        }
        let years = groups.has_lengths(count, &[4, 4]) && matches!(digits.get(0), 1 | 2);
        !years
            && self.is_even()
            && (1..count).all(|k| groups.length(k) >= 2)
            && self.is_just_named()
    }

    /// What the words in front say. Asked last, because looking for words costs more than looking at digits.
    fn context(&self) -> Context {
        if !self.alone {
            Context::None
        } else if STRONG.before(self.bytes, self.start, WINDOW) {
            Context::Strong
        } else if WEAK.before(self.bytes, self.start, WINDOW) {
            Context::Weak
        } else {
            Context::None
        }
    }

    /// Whether a telling word stands right in front.
    fn is_just_named(&self) -> bool {
        let start = self.groups.start();
        [&STRONG, &WEAK].iter().any(|words| words.just_before(self.bytes, start, NEAR))
    }

    /// Whether no decimal points separate the groups, unless all do and then into pairs.
    fn is_even(&self) -> bool {
        let pairs = (1..self.count).all(|k| self.groups.length(k) == 2);
        (0..self.count).all(|k| self.groups.separator(k) != b'.') || pairs
    }
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

static STRONG: Words = Words::new(&[
    "phone",
    "phones",
    "telephone",
    "tel",
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
]);
static WEAK: Words = Words::new(&[
    "call",
    "cell",
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
]);
