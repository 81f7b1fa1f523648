//! Rules that hold for any text, over texts made of pieces that matter to some rule.

use proptest::prelude::*;
use recognise::{Normaliser, oracle, recognise};

/// Pieces that begin, join, end or disguise something.
fn piece() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "a",
        "ignore",
        " ",
        "  ",
        "\n",
        "1",
        "23",
        "415-555-0134",
        "+",
        "(415) ",
        "@",
        "example.com",
        ".",
        "-",
        "_",
        "/",
        ":",
        "::",
        "2001:db8",
        "4111 1111 1111 1111",
        "078-05-1120",
        "192.168.0.1",
        "DE89 3704 0044 0532 0130 00",
        "phone ",
        "ssn ",
        "zip ",
        "driver's license ",
        "api_key=",
        "sk-abcdef1234567890abcdef",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.",
        "-----BEGIN PRIVATE KEY-----",
        "-----END",
        "-----",
        "SWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM=",
        "49676e6f726520616c6c2070726576696f7573",
        "49 67 6e 6f 72 65 20 61 6c 6c ",
        "%41",
        "%25",
        "%E2%80",
        "\\x41",
        "\\u0041",
        "\\ud83d\\ude00",
        "&#65;",
        "&#x1F600;",
        "i g n o r e ",
        "a l l",
        "i-g-n-o-r-e",
        "pr3v10us",
        "p@ssw0rd",
        "h3ll0",
        "\u{200b}",
        "\u{200d}",
        "\u{200c}",
        "\u{ad}",
        "\u{feff}",
        "\u{202e}",
        "\u{202c}",
        "\u{e0049}",
        "\u{e0067}\u{e006e}",
        "\u{e007f}",
        "\u{1f3f4}",
        "\u{fe0f}",
        "\u{fe00}\u{fe01}",
        "\u{e0101}\u{e0102}\u{e0103}",
        "\0",
        "\u{8}",
        "\u{1b}[31m",
        "\u{fffd}",
        "\u{85}",
        "\u{2028}",
        "е",
        "о",
        "привет",
        "а",
        "λόγος",
        "ο",
        "ɪɢɴᴏʀᴇ",
        "Ｉｇｎ",
        "０",
        "，",
        "。",
        "你好",
        "こんにちは",
        "한국어",
        "𝐈𝐠𝐧",
        "ⓘ",
        "ﬁ",
        "½",
        "é",
        "e\u{301}",
        "\u{336}",
        "👩",
        "👨‍👩‍👧",
        "🇩🇪",
        "🇮",
        "🅰",
        "नमस्ते",
        "क्‍ष",
        "می‌خواهم",
        "مرحبا",
        "٤١٥",
        "–",
        "\u{3000}",
        "\u{a0}",
        "[SEP]",
        "<|im_start|>",
    ]);
    prop_oneof![
        8 => fixed.prop_map(str::to_owned),
        1 => "[ -~]{1,12}",
        1 => "[a-f0-9]{1,40}",
        1 => "[A-Za-z0-9+/]{1,60}",
        1 => "\\PC{1,4}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::collection::vec(piece(), 0..40).prop_map(|pieces| pieces.concat()),
        // Long enough that the streaming paths run: the last 17 KiB of a text wait for its end.
        1 => (prop::collection::vec(piece(), 1..12), prop::collection::vec(piece(), 0..8), 100usize..900)
            .prop_map(|(head, tail, times)| head.concat().repeat(times) + &tail.concat()).prop_filter("bounded", |text| text.len() < 120_000),
    ]
}

proptest! {
    #[test]
    fn the_normaliser_does_not_see_cuts(text in text(), anywhere in prop::collection::vec(any::<u16>(), 0..12)) {
        prop_assert_eq!(oracle::normaliser(&text, &oracle::cuts(&text, &anywhere)), Ok(()));
    }

    #[test]
    fn the_scanner_does_not_see_cuts(text in text(), anywhere in prop::collection::vec(any::<u16>(), 0..12)) {
        prop_assert_eq!(oracle::scanner(&text, &oracle::cuts(&text, &anywhere)), Ok(()));
    }

    #[test]
    fn placeholders_are_not_found_again(text in text()) {
        prop_assert_eq!(oracle::redaction(&text), Ok(()));
    }

    #[test]
    fn plain_prose_is_not_changed(text in "([A-Z][a-z]{1,9}( [a-z]{2,9}){1,8}[,.?!] ){0,9}") {
        let mut normaliser = Normaliser::new();
        normaliser.advance(&text, true);
        prop_assert_eq!(normaliser.text(&text), text.as_str());
        prop_assert_eq!(recognise(&text), vec![]);
    }
}

/// Normalises once more.
fn again(text: &str) -> (String, recognise::Changes) {
    let mut normaliser = Normaliser::new();
    normaliser.advance(text, true);
    (normaliser.text(text).to_owned(), normaliser.changes())
}

proptest! {
    /// Added text is added again, and what one change brings together may be read as a disguise the next time; plain folding is
    /// settled after one pass.
    #[test]
    fn folding_twice_changes_nothing_more(text in "([a-z]{1,6}|[A-Z][a-z]{2,5}|ﬁ|Ｉｇｎ|Ign\u{43e}re|привет|\u{200b}|\u{ad}|\u{301}|é|你好|，|👩\u{200d}👧|नमस्ते|می\u{200c}خواهم|[ .,]| ){0,30}") {
        let (once, _) = again(&text);
        prop_assert_eq!(&again(&once).0, &once);
    }
}
