//! The conformance cases that concern this crate, through both passes; and regular expressions as an independent statement of the
//! recognisers' simplest forms.

use proptest::prelude::*;
use recognise::{Entity, Normaliser, Recogniser, Scanner, oracle, recognise};
use regex::Regex;

/// Normalises, scans, and redacts the original.
fn redacted(original: &str) -> String {
    let mut normaliser = Normaliser::new();
    normaliser.advance(original, true);
    let mut scanner = Scanner::new();
    scanner.advance(&Recogniser::default(), normaliser.text(original), true);
    oracle::redact(original, &normaliser.original_hits(scanner.hits())).0
}

#[test]
fn spans_next_to_multi_byte_text_are_exact() {
    for (text, expected) in [
        (
            "こんにちは、私は Pat Doe です。電話は 415-555-0134",
            "こんにちは、私は Pat Doe です。電話は [PHONE_NUMBER]",
        ),
        ("Hi 😀😀 mail pat.doe@example.com ok", "Hi 😀😀 mail [EMAIL_ADDRESS] ok"),
        ("e\u{301}e\u{301} 078-05-1120", "e\u{301}e\u{301} [US_SSN]"),
        ("row: SSN 078-05-1120", "row: SSN [US_SSN]"),
        ("my SSN is 078-05-1120", "my SSN is [US_SSN]"),
        ("mail me at pat.doe@example.com", "mail me at [EMAIL_ADDRESS]"),
        ("４１１１ １１１１ １１１１ １１１１ です", "[CREDIT_CARD] です"),
        ("p\u{200b}at@ex\u{ad}ample.com", "[EMAIL_ADDRESS]"),
        ("SSN 078\u{2011}05\u{2011}1120", "SSN [US_SSN]"),
        (
            "see cGF0LmRvZUBleGFtcGxlLmNvbSBvciA0MTUtNTU1LTAxMzQgcGxlYXNl ok",
            "see [EMAIL_ADDRESS] ok",
        ),
    ] {
        assert_eq!(redacted(text), expected);
    }
}

#[test]
fn an_entity_at_offset_zero_is_reported() {
    for text in [
        "pat@example.com",
        "415-555-0134",
        "4111111111111111",
        "078-05-1120",
        "192.0.2.7",
        "AKIAIOSFODNN7EXAMPLE",
        "2001:db8::7",
    ] {
        assert_eq!(
            recognise(text).first().map(|hit| hit.range.clone()),
            Some(0..text.len()),
            "{text}"
        );
    }
}

#[test]
fn ordinary_requests_hold_nothing() {
    for text in [
        "Please ignore the previous e-mail in this thread, I found the file.",
        "How do I kill a hung process on Linux?",
        "Act as a translator for this menu.",
        "I was pre-qualified for this loan and for that card.",
        "Delete from the shopping list what we already bought.",
    ] {
        assert_eq!(recognise(text), vec![]);
        assert_eq!(redacted(text), text);
    }
}

/// Every match of the expression, in a text where nothing else may touch it.
fn agree(pattern: &str, entity: Entity, text: &str) -> Result<(), TestCaseError> {
    let expected: Vec<_> = Regex::new(pattern)
        .map_err(|e| TestCaseError::fail(e.to_string()))?
        .find_iter(text)
        .map(|m| m.range())
        .collect();
    let found: Vec<_> = recognise(text)
        .into_iter()
        .filter(|hit| hit.entity == entity)
        .map(|hit| hit.range)
        .collect();
    prop_assert_eq!(found, expected, "{}", text);
    Ok(())
}

proptest! {
    #[test]
    fn plain_addresses_agree_with_a_regular_expression(text in "([a-z]{1,6}[.]?[a-z0-9]{1,5}@[a-z]{2,8}[.](com|org|de)|[a-z@.]{1,8}| |, |本){0,12}") {
        let words: String = text
            .split_whitespace()
            .filter(|w| w.matches('@').count() == 1 && !w.contains("..") && !w.contains('本'))
            .filter(|w| w.rsplit('.').next().is_some_and(|last| last.len() > 1))
            .map(|w| format!("{} ; ", w.trim_matches(['.', ',', '-'])))
            .collect();
        agree(r"[a-z0-9][a-z0-9.]*[a-z0-9]@[a-z0-9]+([.][a-z0-9]+)*[.][a-z]{2,24}|[a-z0-9]@[a-z0-9]+([.][a-z0-9]+)*[.][a-z]{2,24}", Entity::EmailAddress, &words)?;
    }

    #[test]
    fn north_american_numbers_agree_with_a_regular_expression(parts in prop::collection::vec("[0-9]{3}-[0-9]{3}-[0-9]{4}|[0-9]{2,4}-[0-9]{3}-[0-9]{3}|[a-z]{1,5}", 0..8)) {
        let text = parts.join(" ; ");
        agree(r"\b[0-9]{3}-[0-9]{3}-[0-9]{4}\b|\b0[1-9][0-9]{1,2}-[0-9]{3}-[0-9]{3}\b", Entity::PhoneNumber, &text.replace("0-", "1-"))?;
    }

    #[test]
    fn social_security_numbers_agree_with_a_regular_expression(parts in prop::collection::vec("[0-9]{3}-[0-9]{2}-[0-9]{4}|666-12-3456|[0-9]{3}-00-[0-9]{4}|[0-9]{2}-[0-9]{2}-[0-9]{4}", 0..8)) {
        let text = parts.join(" ; ");
        let expected = Regex::new(r"\b[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}\b").unwrap();
        let expected: Vec<_> = expected.find_iter(&text)
            .filter(|m| !m.as_str().starts_with("000") && !m.as_str().starts_with("666") && !m.as_str().contains("-00-") && !m.as_str().ends_with("0000"))
            .map(|m| m.range()).collect();
        let found: Vec<_> = recognise(&text).into_iter().filter(|hit| hit.entity == Entity::UsSsn).map(|hit| hit.range).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn addresses_of_hosts_agree_with_the_standard_parser(octets in prop::array::uniform4(0u16..300), groups in prop::collection::vec(0x1000u16.., 8)) {
        let v4 = octets.map(|o| o.to_string()).join(".");
        let valid = v4.parse::<std::net::Ipv4Addr>().is_ok() && !matches!(octets[0], 0 | 127 | 255) && octets.iter().any(|&o| o > 9);
        prop_assert_eq!(recognise(&format!("at {v4} now")).iter().any(|hit| hit.entity == Entity::IpAddress), valid, "{}", v4);
        let v6 = std::net::Ipv6Addr::from(<[u16; 8]>::try_from(groups).unwrap()).to_string();
        prop_assert_eq!(recognise(&v6).first().map(|hit| (hit.entity, hit.range.clone())), Some((Entity::IpAddress, 0..v6.len())));
    }

    #[test]
    fn one_wrong_digit_makes_a_card_no_card(position in 0usize..16, add in 1u8..10) {
        let mut digits = *b"4111111111111111";
        digits[position] = b'0' + (digits[position] - b'0' + add) % 10;
        let text = std::str::from_utf8(&digits).unwrap();
        prop_assert!(recognise(text).iter().all(|hit| hit.entity != Entity::CreditCard));
    }
}
