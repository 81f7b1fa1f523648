use super::*;
use crate::oracle;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Builds the tree that the events describe.
#[derive(Default)]
struct Builder {
    open: Vec<(String, Value)>,
    key: String,
    text: String,
    root: Option<Value>,
}

impl Builder {
    fn on(&mut self, event: Event<'_>) {
        match event {
            Event::ObjectStart => self.open(Value::Object(Map::new())),
            Event::ArrayStart => self.open(Value::Array(Vec::new())),
            Event::ObjectEnd | Event::ArrayEnd => {
                if let Some((key, value)) = self.open.pop() {
                    self.key = key;
                    self.add(value);
                }
            }
            Event::Key(piece) | Event::Text(piece) => push(&mut self.text, piece),
            Event::KeyEnd(_) => self.key = std::mem::take(&mut self.text),
            Event::TextEnd(_) => {
                let text = std::mem::take(&mut self.text);
                self.add(Value::String(text));
            }
            Event::Number(part) => self.text.push_str(str::from_utf8(part).unwrap_or("?")),
            Event::NumberEnd => {
                let number = std::mem::take(&mut self.text);
                self.add(serde_json::from_str(&number).unwrap_or(Value::Null));
            }
            Event::Bool(value) => self.add(Value::Bool(value)),
            Event::Null => self.add(Value::Null),
            Event::Dense(_) => {}
        }
    }

    fn open(&mut self, value: Value) {
        self.open.push((std::mem::take(&mut self.key), value));
    }

    fn add(&mut self, value: Value) {
        match self.open.last_mut() {
            Some((_, Value::Object(members))) => {
                members.insert(std::mem::take(&mut self.key), value);
            }
            Some((_, Value::Array(elements))) => elements.push(value),
            _ => self.root = Some(value),
        }
    }
}

fn push(text: &mut String, piece: Piece<'_>) {
    match piece.text {
        Text::Run(run) => text.push_str(run),
        Text::Char { ch, .. } => text.push(ch),
        Text::Dense(dense) => dense.pieces(piece.at).for_each(|piece| push(text, piece)),
    }
}

fn scan<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Value, Error> {
    let mut scanner = Scanner::new(Root::Any, 128);
    let mut builder = Builder::default();
    let mut base = 0;
    for chunk in chunks {
        let mut input = Input::new(chunk, base);
        while let Some(event) = scanner.next(&mut input)? {
            builder.on(scanner.resolve(event));
        }
        base += chunk.len();
    }
    scanner.finish(base)?;
    if !builder.text.is_empty() {
        // A number at the root has no byte after it.
        builder.on(Event::NumberEnd);
    }
    Ok(builder.root.unwrap_or_default())
}

fn whole(json: &[u8]) -> Result<Value, (ErrorKind, usize)> {
    let result = scan([json]).map_err(|error| (error.kind(), error.offset()));
    let cut = scan(json.chunks(1)).map_err(|error| (error.kind(), error.offset()));
    assert_eq!(result, cut, "one-byte chunks of {:?}", String::from_utf8_lossy(json));
    result
}

#[test]
fn each_fault_has_its_kind_and_its_place() {
    use ErrorKind::*;
    let table: &[(&[u8], ErrorKind, usize)] = &[
        (b"", Empty, 0),
        (b" \n", Empty, 2),
        (b"\xef\xbb\xbf{}", ByteOrderMark, 0),
        (b"{", Truncated, 1),
        (b"[1,", Truncated, 3),
        (b"[1", Truncated, 2),
        (b"\"abc", Truncated, 4),
        (b"\"a\\", Truncated, 3),
        (b"\"\\ud83d", Truncated, 7),
        (b"tru", Truncated, 3),
        (b"-", Truncated, 1),
        (b"1.", Truncated, 2),
        (b"1e", Truncated, 2),
        (b"{} {}", TrailingBytes, 3),
        (b"{}\0", TrailingBytes, 2),
        (b"1 2", TrailingBytes, 2),
        (b"]", ExpectedValue, 0),
        (b"[,1]", ExpectedValue, 1),
        (b"[1,]", ExpectedValue, 3),
        (b"{\"a\":}", ExpectedValue, 5),
        (b"'a'", ExpectedValue, 0),
        (b"NaN", ExpectedValue, 0),
        (b"+1", ExpectedValue, 0),
        (b".5", ExpectedValue, 0),
        (b"/* */1", ExpectedValue, 0),
        (b"\x0c1", ExpectedValue, 0),
        (b"\xc2\xa01", ExpectedValue, 0),
        (b"{a:1}", ExpectedKey, 1),
        (b"{1:1}", ExpectedKey, 1),
        (b"{\"a\":1,}", ExpectedKey, 7),
        (b"{\"a\"1}", ExpectedColon, 4),
        (b"{\"a\",1}", ExpectedColon, 4),
        (b"[1 2]", ExpectedCommaOrClose, 3),
        (b"[1}", ExpectedCommaOrClose, 2),
        (b"{\"a\":1]", ExpectedCommaOrClose, 6),
        (b"[1:2]", ExpectedCommaOrClose, 2),
        (b"nul]", BadLiteral, 3),
        (b"True", ExpectedValue, 0),
        (b"[truE]", BadLiteral, 4),
        (b"01", BadNumber, 1),
        (b"-01", BadNumber, 2),
        (b"[1.]", BadNumber, 3),
        (b"[-]", BadNumber, 2),
        (b"[1e+]", BadNumber, 4),
        (b"[1.e1]", BadNumber, 3),
        (b"\"\\x\"", BadEscape, 2),
        (b"\"\\u12g4\"", BadEscape, 5),
        (b"\"\\ud83d\\u12x\"", BadEscape, 11),
        (b"\"\\U0041\"", BadEscape, 2),
        (b"\"a\nb\"", ControlCharacter, 2),
        (b"\"\t\"", ControlCharacter, 1),
        (b"\"\x00\"", ControlCharacter, 1),
        (b"\"ab\xff\"", InvalidUtf8, 3),
        (b"\"\xc3\"", InvalidUtf8, 1),
        (b"\"\xc3\xc3\xa9\"", InvalidUtf8, 1),
        (b"\"\xc0\x80\"", InvalidUtf8, 1),
        (b"\"\xed\xa0\x80\"", InvalidUtf8, 1),
        (b"\"\xf4\x90\x80\x80\"", InvalidUtf8, 1),
        (b"\"\xe2\x82\\n\"", InvalidUtf8, 1),
        (b"\"a\x01\xff\"", ControlCharacter, 2),
        (b"\"a\xff\x01\"", InvalidUtf8, 2),
    ];
    for (json, kind, offset) in table {
        let name = String::from_utf8_lossy(json);
        assert_eq!(whole(json), Err((*kind, *offset)), "{name:?}");
        assert!(serde_json::from_slice::<Value>(json).is_err(), "serde_json takes {name:?}");
    }
}

#[test]
fn what_is_right_reads_as_serde_json_reads_it() {
    for json in [
        " { \"a\" : [ 1 , -0 , 1.5e-3 , 2E+2 , true , false , null , \"\" , { } , [ ] ] }\r\n\t",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u4E2D\\uD83D\\ude00\\u0000\u{7f}é漢😀\"",
        "0",
        "-12",
        "1e5",
        "{\"\":{\"\":[[[]]]}}",
        "\"long run of plain text with no escape in it at all, longer than a cache line or two\"",
    ] {
        assert_eq!(whole(json.as_bytes()), Ok(serde_json::from_str(json).unwrap()), "{json}");
    }
}

#[test]
fn a_surrogate_without_its_partner_reads_as_the_replacement_character() {
    for (json, text) in [
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""\ude00""#, "\u{fffd}"),
        (r#""a\ud83db""#, "a\u{fffd}b"),
        (r#""\ud83d\n""#, "\u{fffd}\n"),
        (r#""\ud83d\u0041""#, "\u{fffd}A"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}\u{1f600}"),
        (r#""\ude00\ud83d""#, "\u{fffd}\u{fffd}"),
        (r#""\uDBFF\uDFFF""#, "\u{10ffff}"),
    ] {
        assert_eq!(whole(json.as_bytes()), Ok(Value::String(text.to_owned())), "{json}");
    }
}

#[test]
fn depth_is_counted_in_open_brackets() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(whole(nested(128).as_bytes()).is_ok());
    assert_eq!(whole(nested(129).as_bytes()), Err((ErrorKind::TooDeep, 128)));
    let error = scan(["[".repeat(1_000_000).as_bytes()]).unwrap_err();
    assert_eq!((error.kind(), error.limit()), (ErrorKind::TooDeep, Some(128)));
}

#[test]
fn runs_longer_than_what_is_lent_at_once_stay_whole() {
    for filler in ["x", "é", "漢", "😀"] {
        for shift in 0..4 {
            let text = "a".repeat(shift) + &filler.repeat(MAX_RUN_BYTES);
            let json = serde_json::to_vec(&text).unwrap();
            assert_eq!(scan([json.as_slice()]), Ok(Value::String(text)));
        }
    }
}

/// Whether `serde_json` refuses a body for what this scanner lets pass.
fn is_known_difference(json: &[u8], error: &serde_json::Error) -> bool {
    let error = error.to_string();
    let has_surrogate = json.windows(4).any(|w| {
        w.starts_with(b"\\u")
            && w[2].eq_ignore_ascii_case(&b'd')
            && matches!(w[3], b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F')
    });
    error.contains("number out of range")
        || error.contains("recursion limit")
        || has_surrogate && (error.contains("surrogate") || error.contains("hex escape"))
}

/// Lone surrogates as this scanner reads them.
fn check_against_others(json: &[u8]) -> Result<(), TestCaseError> {
    let got = scan([json]);
    match serde_json::from_slice::<Value>(json) {
        Ok(value) => prop_assert_eq!(got.clone().ok(), Some(value), "{:?}", got),
        Err(error) => {
            prop_assert!(got.is_err() || is_known_difference(json, &error), "serde_json: {}", error)
        }
    }
    let simd = simd_json::to_owned_value(&mut json.to_vec());
    if got.is_ok() != simd.is_ok() {
        // simd-json refuses lone surrogates, too, and numbers beyond its types.
        let serde = serde_json::from_slice::<Value>(json);
        let is_known = serde.as_ref().is_err_and(|error| is_known_difference(json, error))
            || simd.as_ref().is_err_and(|error| {
                matches!(
                    error.error(),
                    simd_json::ErrorType::InvalidNumber | simd_json::ErrorType::Overflow
                )
            });
        prop_assert!(is_known, "simd-json: {:?}, scanner: {:?}", simd, got);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grown_values_are_read_as_others_read_them(
        choices in prop::collection::vec(any::<u8>(), 0..300),
        damage in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        check_against_others(&oracle::mutate(oracle::body(&choices), &damage))?;
    }

    #[test]
    fn scraps_are_read_as_others_read_them(
        json in r#"([\{\}\[\]":,]|"a"|"\\u00[0-9a-f]{2}"|"\\u[dD][89cd]00"|\\|é|[-+0-9.eE]{1,4}|true|fals|null| |\n){0,12}"#,
    ) {
        check_against_others(json.as_bytes())?;
        let _ = whole(json.as_bytes());
    }

    #[test]
    fn rubbish_is_read_as_others_read_it(json in prop::collection::vec(any::<u8>(), 0..24)) {
        check_against_others(&json)?;
        let quoted = [b"\"".as_slice(), &json, b"\""].concat();
        check_against_others(&quoted)?;
        let _ = whole(&quoted);
    }

    #[test]
    fn any_cuts_give_the_same_value_or_error(
        choices in prop::collection::vec(any::<u8>(), 0..200),
        damage in prop::collection::vec(any::<u8>(), 0..8),
        cuts in prop::collection::vec(any::<u16>(), 0..8),
    ) {
        let json = oracle::mutate(oracle::body(&choices), &damage);
        let mut cuts: Vec<usize> =
            cuts.iter().map(|cut| usize::from(*cut) % (json.len() + 1)).collect();
        cuts.extend([0, json.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|pair| &json[pair[0]..pair[1]]);
        prop_assert_eq!(scan(pieces), scan([json.as_slice()]));
    }
}
