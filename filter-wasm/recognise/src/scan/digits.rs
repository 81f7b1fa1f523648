//! What begins with a run of digits: IPv4 addresses, payment cards, social security numbers, and the entry to the rest.

use super::{context, hit, iban, is_word, phone, stands_alone};
use crate::bytes::{Words, at, before, part, run};
use crate::entity::{CERTAIN, CONTEXT, Entity, FORMAT, Hit};

/// Most groups of digits in one candidate. The longest real one is an international number in pairs.
const MAX_GROUPS: usize = 9;
/// A run of this many digits or more is no number of a person.
const MAX_GROUP_DIGITS: usize = 20;

/// Groups of digits with single separators between them, from the first digit on.
#[derive(Debug)]
pub(super) struct Groups {
    starts: [usize; MAX_GROUPS],
    ends: [usize; MAX_GROUPS],
    /// `separators[k]` stands between groups `k` and `k + 1`.
    separators: [u8; MAX_GROUPS],
    count: usize,
}

impl Groups {
    /// Reads the groups from `start`, which must be a digit.
    pub(super) fn read(bytes: &[u8], start: usize) -> Self {
        let mut groups = Self {
            starts: [0; MAX_GROUPS],
            ends: [0; MAX_GROUPS],
            separators: [0; MAX_GROUPS],
            count: 0,
        };
        let mut position = start;
        while groups.count < MAX_GROUPS {
            let length = run(bytes, position, MAX_GROUP_DIGITS, |b| b.is_ascii_digit());
            let k = groups.count;
            if let (Some(from), Some(to)) = (groups.starts.get_mut(k), groups.ends.get_mut(k)) {
                *from = position;
                *to = position + length;
            }
            groups.count += 1;
            let Some((kind, width)) = separator(bytes, position + length) else { break };
            if let Some(separator) = groups.separators.get_mut(k) {
                *separator = kind;
            }
            position += length + width;
        }
        groups
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    pub(super) fn start(&self) -> usize {
        self.starts.first().copied().unwrap_or(0)
    }

    /// Where group `k` begins.
    pub(super) fn start_of(&self, k: usize) -> usize {
        self.starts.get(k).copied().unwrap_or(0)
    }

    /// Where the first `count` groups end.
    pub(super) fn end(&self, count: usize) -> usize {
        count.checked_sub(1).and_then(|k| self.ends.get(k)).copied().unwrap_or(0)
    }

    /// Digits in group `k`; 0 where there is none.
    pub(super) fn length(&self, k: usize) -> usize {
        if k < self.count { self.end(k + 1) - self.start_of(k) } else { 0 }
    }

    /// What stands after group `k`; 0 when nothing does.
    pub(super) fn separator(&self, k: usize) -> u8 {
        if k + 1 < self.count { self.separators.get(k).copied().unwrap_or(0) } else { 0 }
    }

    /// Whether the first `count` groups have these lengths.
    pub(super) fn has_lengths(&self, count: usize, lengths: &[usize]) -> bool {
        count == lengths.len()
            && lengths.iter().enumerate().all(|(k, &length)| self.length(k) == length)
    }

    /// The one separator between the first `count` groups, when they all agree; 0 for a single group.
    pub(super) fn uniform(&self, count: usize) -> Option<u8> {
        let first = if count > 1 { self.separator(0) } else { 0 };
        (1..count.saturating_sub(1)).all(|k| self.separator(k) == first).then_some(first)
    }

    /// The values of the digits in the first `count` groups, and how many there are.
    pub(super) fn digits(&self, bytes: &[u8], count: usize) -> Digits {
        let mut digits = Digits { values: [0; MAX_DIGITS], count: 0 };
        for k in 0..count {
            for &b in part(bytes, self.start_of(k)..self.start_of(k) + self.length(k)) {
                if let Some(value) = digits.values.get_mut(digits.count) {
                    *value = b.wrapping_sub(b'0');
                }
                digits.count += 1;
            }
        }
        digits
    }

    /// Whether the groups may end after the first `count`: what follows is a new word or nothing.
    pub(super) fn may_end(&self, bytes: &[u8], count: usize) -> bool {
        let end = self.end(count);
        match self.separator(count - 1) {
            0 => {
                let goes_on = matches!(at(bytes, end), b'-' | b'.') && is_word(at(bytes, end + 1));
                !is_word(at(bytes, end)) && !goes_on
            }
            separator => separator == b' ' || separator == b'/',
        }
    }

    /// Whether this is a calendar date, perhaps followed by a time.
    pub(super) fn is_date(&self, bytes: &[u8]) -> bool {
        let lengths = (self.length(0), self.length(1), self.length(2));
        let separator = self.separator(0);
        if separator != self.separator(1) || separator == b')' || separator == b'(' {
            return false;
        }
        let digits = self.digits(bytes, 3);
        match lengths {
            (4, 2, 2) => digits.number(4, 2) <= 12 && digits.number(6, 2) <= 31,
            (2, 2, 4) => {
                digits.number(0, 2) <= 31
                    && digits.number(2, 2) <= 31
                    && (1000..2200).contains(&digits.number(4, 4))
            }
            _ => false,
        }
    }
}

const MAX_DIGITS: usize = 24;

/// Digits of a candidate without their separators. `count` may exceed what is held; then the candidate is no number.
#[derive(Debug)]
pub(super) struct Digits {
    values: [u8; MAX_DIGITS],
    pub(super) count: usize,
}

impl Digits {
    pub(super) fn get(&self, index: usize) -> u8 {
        self.values.get(index).copied().unwrap_or(0)
    }

    /// The number that `length` digits from `from` on spell.
    pub(super) fn number(&self, from: usize, length: usize) -> u32 {
        (from..from + length).fold(0, |sum, i| sum * 10 + u32::from(self.get(i)))
    }
}

fn separator(bytes: &[u8], position: usize) -> Option<(u8, usize)> {
    let digit = |offset: usize| at(bytes, position + offset).is_ascii_digit();
    let (a, b, c) = (at(bytes, position), at(bytes, position + 1), at(bytes, position + 2));
    match a {
        b'-' | b'.' | b' ' | b'/' | b')' if digit(1) => Some((a, 1)),
        b'(' if digit(1) => Some((b'(', 1)),
        b' ' | b'-' | b'.' if b == b'(' && digit(2) => Some((b'(', 2)),
        b')' if matches!(b, b' ' | b'-' | b'.' | b'/') && digit(2) => Some((b')', 2)),
        b' ' if b == b'-' && c == b' ' && digit(3) => Some((b'-', 3)),
        _ => None,
    }
}

/// The entity that begins with (or around) the digit run at `position`.
pub(super) fn number(bytes: &[u8], position: usize) -> Option<Hit> {
    let left = before(bytes, position);
    if is_word(left) {
        return iban::iban(bytes, position).or_else(|| context::license(bytes, position));
    }
    // Most runs are years and small counts: three digits or fewer need something joined to them to be anything.
    if let Some(found) = ip_v4(bytes, position) {
        return Some(found);
    }
    let groups = Groups::read(bytes, position);
    let all = (0..groups.count()).fold(0, |sum, k| sum + groups.length(k));
    // A list of single digits is no number of anything.
    if (0..groups.count()).all(|k| groups.length(k) < 2) {
        return None;
    }
    if all < 7 {
        return context::license(bytes, position).or_else(|| context::zip(bytes, &groups));
    }
    if let Some(found) = card(bytes, &groups).or_else(|| social_security(bytes, &groups)) {
        return Some(found);
    }
    match phone::phone(bytes, &groups) {
        Some(found) if found.score >= FORMAT => Some(found),
        loose => {
            context::license(bytes, position).or(loose).or_else(|| context::zip(bytes, &groups))
        }
    }
}

/// Four octets. Version and section numbers look the same, so words and shape decide: four single digits need a telling word.
fn ip_v4(bytes: &[u8], start: usize) -> Option<Hit> {
    let mut position = start;
    let mut octets = [0u16; 4];
    for (k, octet) in octets.iter_mut().enumerate() {
        let length = run(bytes, position, 4, |b| b.is_ascii_digit());
        if length == 0 || length > 3 || (length > 1 && at(bytes, position) == b'0') {
            return None;
        }
        *octet = part(bytes, position..position + length)
            .iter()
            .fold(0, |sum, &b| sum * 10 + u16::from(b - b'0'));
        if *octet > 255 {
            return None;
        }
        position += length;
        if k < 3 {
            if at(bytes, position) != b'.' {
                return None;
            }
            position += 1;
        }
    }
    let (left, right) = (before(bytes, start), at(bytes, position));
    let joined_left = matches!(left, b'.' | b'-') && start >= 2 && is_word(at(bytes, start - 2));
    let joined_right = matches!(right, b'.' | b'-') && is_word(at(bytes, position + 1));
    if is_word(right) || joined_left || joined_right || left == b'.' || !is_somewhere(octets) {
        return None;
    }
    if NOT_AN_ADDRESS.before(bytes, start, 20) {
        return None;
    }
    let well_known =
        matches!(octets, [8, 8, 8, 8] | [8, 8, 4, 4] | [1, 1, 1, 1] | [1, 0, 0, 1] | [9, 9, 9, 9]);
    if octets.iter().all(|&octet| octet < 10)
        && !well_known
        && !ADDRESS_WORDS.before(bytes, start, 40)
    {
        return None;
    }
    Some(hit(start, position, Entity::IpAddress, FORMAT))
}

/// Whether the address can be someone's: not this host, loopback, broadcast or a network mask.
const fn is_somewhere(octets: [u16; 4]) -> bool {
    !matches!(octets, [0 | 127 | 255, ..])
}

static NOT_AN_ADDRESS: Words = Words::new(&[
    "version",
    "versions",
    "ver",
    "release",
    "build",
    "firmware",
    "section",
    "sections",
    "chapter",
    "figure",
    "table",
    "clause",
    "paragraph",
    "upgrade",
    "upgraded",
    "v",
]);
static ADDRESS_WORDS: Words = Words::new(&[
    "ip",
    "ips",
    "ipv4",
    "address",
    "addresses",
    "host",
    "server",
    "dns",
    "ping",
    "network",
    "gateway",
    "router",
    "subnet",
    "client",
    "resolver",
    "nameserver",
    "ssh",
]);

/// A payment card: a known layout, issuer range, length and a valid Luhn digit.
fn card(bytes: &[u8], groups: &Groups) -> Option<Hit> {
    let start = groups.start();
    for count in (1..=groups.count().min(5)).rev() {
        let Some(separator @ (0 | b' ' | b'-')) = groups.uniform(count) else { continue };
        let layout = count == 1
            || groups.has_lengths(count, &[4, 4, 4, 4])
            || groups.has_lengths(count, &[4, 6, 5])
            || groups.has_lengths(count, &[4, 6, 4])
            || groups.has_lengths(count, &[4, 4, 4, 1])
            || (count == 5 && (0..4).all(|k| groups.length(k) == 4) && groups.length(4) <= 3);
        let end = groups.end(count);
        if !layout || !groups.may_end(bytes, count) || !stands_alone(bytes, start, end) {
            continue;
        }
        let digits = groups.digits(bytes, count);
        if !luhn(&digits) {
            continue;
        }
        // Beside the word, issuers' other and older ranges count too.
        if !is_issued(&digits) {
            let named = (12..=19).contains(&digits.count) && CARD_WORDS.before(bytes, start, 24);
            if named && !OTHER_NUMBERS.before(bytes, start, 24) {
                return Some(hit(start, end, Entity::CreditCard, CONTEXT));
            }
            continue;
        }
        let elsewhere = separator == 0
            && OTHER_NUMBERS.before(bytes, start, 24)
            && !CARD_WORDS.before(bytes, start, 48);
        if !elsewhere {
            return Some(hit(start, end, Entity::CreditCard, CERTAIN));
        }
    }
    None
}

static OTHER_NUMBERS: Words = Words::new(&[
    "order",
    "tracking",
    "invoice",
    "serial",
    "imei",
    "timestamp",
    "isbn",
    "id",
    "sku",
    "ticket",
    "reference",
    "ref",
    "hash",
    "seed",
]);
static CARD_WORDS: Words = Words::new(&[
    "card",
    "cards",
    "credit",
    "debit",
    "visa",
    "mastercard",
    "amex",
    "cc",
    "payment",
    "pay",
]);

/// Issuer ranges and lengths, from the issuers' published numbering plans (ISO/IEC 7812).
fn is_issued(digits: &Digits) -> bool {
    let (two, three, four, six) =
        (digits.number(0, 2), digits.number(0, 3), digits.number(0, 4), digits.number(0, 6));
    let n = digits.count;
    match digits.get(0) {
        4 => matches!(n, 13 | 16 | 19),
        5 if (51..=55).contains(&two) => n == 16,
        2 if (2221..=2720).contains(&four) => n == 16,
        3 if two == 34 || two == 37 => n == 15,
        3 if (300..=305).contains(&three) || matches!(two, 36 | 38 | 39) => (14..=19).contains(&n),
        3 if (3528..=3589).contains(&four) => (16..=19).contains(&n),
        6 if four == 6011
            || two == 65
            || (644..=649).contains(&three)
            || (622_126..=622_925).contains(&six) =>
        {
            (16..=19).contains(&n)
        }
        // UnionPay; RuPay 60 and 81, 82 share the lengths.
        6 if two == 62 || two == 60 => (16..=19).contains(&n),
        // Maestro; the 12 to 15 digit ones are too close to order numbers.
        5 if matches!(four, 5018 | 5020 | 5038 | 5893) => (16..=19).contains(&n),
        6 if matches!(four, 6304 | 6759 | 6761 | 6762 | 6763) => (16..=19).contains(&n),
        _ => false,
    }
}

fn luhn(digits: &Digits) -> bool {
    let sum: u32 = (0..digits.count)
        .map(|i| {
            let value = u32::from(digits.get(i));
            if (digits.count - i).is_multiple_of(2) {
                if value > 4 { value * 2 - 9 } else { value * 2 }
            } else {
                value
            }
        })
        .sum();
    digits.count <= MAX_DIGITS
        && sum.is_multiple_of(10)
        && (1..digits.count).any(|i| digits.get(i) != digits.get(0))
}

/// A social security number in a range that may be issued (SSA rules: no area 000, 666 or 900-999, no group 00, no serial 0000).
fn social_security(bytes: &[u8], groups: &Groups) -> Option<Hit> {
    let start = groups.start();
    let grouped = groups.count() >= 3 && groups.has_lengths(3, &[3, 2, 4]);
    let (count, score) = match groups.uniform(3.min(groups.count())) {
        Some(b'-') if grouped => (3, FORMAT),
        Some(b' ' | b'.') if grouped && SSN_WORDS.before(bytes, start, 48) => (3, CONTEXT),
        _ if groups.length(0) == 9 && SSN_WORDS.before(bytes, start, 48) => (1, CONTEXT),
        _ => return None,
    };
    let end = groups.end(count);
    if !groups.may_end(bytes, count) || !stands_alone(bytes, start, end) {
        return None;
    }
    let digits = groups.digits(bytes, count);
    let (area, group, serial) = (digits.number(0, 3), digits.number(3, 2), digits.number(5, 4));
    let issuable = area != 0 && area != 666 && area < 900 && group != 0 && serial != 0;
    issuable.then(|| hit(start, end, Entity::UsSsn, score))
}

static SSN_WORDS: Words = Words::new(&[
    "ssn",
    "ssns",
    "ssn#",
    "social security",
    "social-security",
    "social sec",
    "soc sec",
    "ss#",
    "ss number",
    "social",
]);
