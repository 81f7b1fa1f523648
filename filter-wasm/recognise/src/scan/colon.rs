//! IPv6 addresses.

use super::{hit, is_word};
use crate::bytes::{before, part, run, run_back};
use crate::entity::{Entity, FORMAT, Hit};

/// Longest textual form: eight groups of four, or six and an IPv4 address.
const MAX_TEXT: usize = 45;

/// An IPv6 address whose first colon is at `colon`.
///
/// `a::b` is also a path in C++ and Rust and `1::2` a slice in Python, so a short form must have a group of four hexadecimal digits in
/// front and a digit somewhere, or three groups. `::` and `::1` belong to no person.
pub(super) fn ip_v6(bytes: &[u8], colon: usize) -> Option<Hit> {
    let start = colon - run_back(bytes, colon, 5, |b| b.is_ascii_hexdigit());
    if colon - start > 4 || is_word(before(bytes, start)) || before(bytes, start) == b':' {
        return None;
    }
    let mut end = start
        + run(bytes, start, MAX_TEXT + 1, |b| b.is_ascii_hexdigit() || b == b':' || b == b'.');
    if is_word(crate::bytes::at(bytes, end)) {
        return None;
    }
    // A sentence may end here.
    if matches!(before(bytes, end), b'.' | b':')
        && !part(bytes, end.saturating_sub(2)..end).eq(b"::")
    {
        end -= 1;
    }
    let text = core::str::from_utf8(part(bytes, start..end)).ok()?;
    text.parse::<core::net::Ipv6Addr>().ok()?;
    let groups = text.split([':', '.']).filter(|group| !group.is_empty());
    let leading = text.split(':').next().map_or(0, str::len);
    let digit = text.bytes().any(|b| b.is_ascii_digit());
    let sound = groups.count() >= 3 && (digit || !text.contains("::")) || (leading == 4 && digit);
    sound.then(|| hit(start, end, Entity::IpAddress, FORMAT))
}
