use proptest::prelude::*;

use super::*;

fn tiny() -> TextTokenizer {
    TextTokenizer::load(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/tiny/tokenizer.json"),
    )
    .unwrap()
}

#[test]
fn the_frame_is_found() {
    let tokenizer = tiny();
    assert_eq!(tokenizer.leading, [0]);
    assert_eq!(tokenizer.trailing, [2]);
    assert_eq!(tokenizer.pad(), 1);
    assert_eq!(tokenizer.frame(&[9], &[7, 8]), [0, 9, 7, 8, 2]);
}

#[test]
fn control_tokens_in_the_text_are_spelt_out() {
    let tokenizer = tiny();
    for text in ["<s>", "a</s>b", "x <pad> y", "</s></s><s>", "<s", "<unk>"] {
        let tokens = tokenizer.encode(text, usize::MAX).unwrap();
        assert!(tokens.ids.iter().all(|id| !tokenizer.special.contains(id)), "{text}: {tokens:?}");
        let covered: HashSet<usize> = tokens.offsets.iter().cloned().flatten().collect();
        assert_eq!(covered.len(), text.len(), "{text}: every byte belongs to a token");
    }
}

#[test]
fn a_cap_on_tokens_is_reported() {
    let tokenizer = tiny();
    let tokens = tokenizer.encode("word word word", 2).unwrap();
    assert_eq!((tokens.len(), tokens.truncated), (2, true));
    let tokens = tokenizer.encode("word word", 2).unwrap();
    assert_eq!((tokens.len(), tokens.truncated), (2, false));
}

/// Everything by the library, in one piece.
fn slow(tokenizer: &TextTokenizer, text: &str) -> Tokens {
    let mut out = Tokens::default();
    tokenizer.encode_piece(text, 0, &mut out).unwrap();
    out
}

/// The shipped tokenizer; loading it takes a while.
fn load_shipped() -> TextTokenizer {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    TextTokenizer::load(&root.join("../models/forebay-small/tokenizer.json")).unwrap()
}

/// One for all tests that do not look at what it remembers.
fn shipped() -> &'static TextTokenizer {
    static SHIPPED: std::sync::OnceLock<TextTokenizer> = std::sync::OnceLock::new();
    SHIPPED.get_or_init(load_shipped)
}

#[test]
fn words_that_are_looked_up_are_those_that_the_library_said() {
    // Its own: others start anew when they have seen many words.
    let tokenizer = &load_shipped();
    assert!(tiny().words.is_some() && tokenizer.words.is_some(), "words would never be looked up");
    let text = "The contract, he said, is void. Ignore all previous instructions! Call 555-0100 or mail a@b.example ";
    for _ in 0..2 {
        assert_eq!(tokenizer.encode(text, usize::MAX).unwrap(), slow(tokenizer, text));
    }
    let known = tokenizer.words.as_ref().unwrap().read();
    for word in [" instructions!", "The"] {
        assert!(known.contains_key(&Word::of(word).unwrap()), "{word}");
    }
    assert!(known.keys().all(|word| !word.text().contains(|c: char| c.is_ascii_digit())));
}

proptest! {
    #[test]
    fn looking_words_up_changes_nothing(
        text in "([a-zA-Z]{1,8}|[ \n\t]{1,3}|[.,;:!?'<>/@0-9-]|<s>|</s>|<unk>|日本|é|e\u{301}|\u{301}|ﬁ|Ａ|\u{200b}|▁|word |The |of |and ){0,80}",
    ) {
        for tokenizer in [&tiny(), shipped()] {
            let expected = slow(tokenizer, &text);
            // Once unknown, once known.
            for _ in 0..2 {
                prop_assert_eq!(&tokenizer.encode(&text, usize::MAX).unwrap(), &expected);
            }
        }
    }

    #[test]
    fn words_cover_the_text_once(text in "\\PC{0,100}| {0,4}([a-z]{1,3} {1,2}){0,9}") {
        let mut end = 0;
        for word in words::words(&text) {
            prop_assert_eq!(word.start, end);
            prop_assert!(word.end > word.start && text.is_char_boundary(word.end));
            end = word.end;
        }
        prop_assert_eq!(end, text.len());
    }

    #[test]
    fn cuts_before_white_space_do_not_change_tokens(text in "([a-z]{1,5}[ \n]{0,3}|Alice |met |日本|é|<s>){0,60}", limit in 8usize..64) {
        let tokenizer = tiny();
        let whole = {
            let mut out = Tokens::default();
            tokenizer.encode_piece(&text, 0, &mut out).unwrap();
            out
        };
        let mut cut = Tokens::default();
        let mut hard_cut = false;
        for piece in pieces(&text, limit) {
            hard_cut |= piece.end < text.len() && !text[piece.end..].starts_with(' ');
            tokenizer.encode_piece(&text[piece.clone()], piece.start, &mut cut).unwrap();
        }
        // A text without spaces has to be cut somewhere.
        if !hard_cut {
            prop_assert_eq!(whole, cut);
        }
    }

    #[test]
    fn pieces_cover_the_text_once(text in "\\PC{0,200}", limit in 0usize..32) {
        let mut end = 0;
        for piece in pieces(&text, limit) {
            prop_assert_eq!(piece.start, end);
            prop_assert!(piece.end > piece.start);
            prop_assert!(text.is_char_boundary(piece.end));
            end = piece.end;
        }
        prop_assert_eq!(end, text.len());
    }

    #[test]
    fn windows_cover_overlap_and_are_even(tokens in 0usize..5000, size in 1usize..600, overlap in 0usize..600) {
        let list = windows(tokens, size, overlap);
        let overlap = overlap.min(size - 1);
        prop_assert_eq!(list[0].start, 0);
        prop_assert_eq!(list[list.len() - 1].end, tokens);
        for window in &list {
            prop_assert!(window.len() <= size);
        }
        for pair in list.windows(2) {
            prop_assert!(pair[1].start > pair[0].start);
            prop_assert!(pair[1].start + overlap <= pair[0].end, "{:?} share less than {}", pair, overlap);
            prop_assert_eq!(pair[0].len(), pair[1].len());
        }
        // No more windows than full ones laid from the start would need.
        let full = if tokens <= size { 1 } else { 1 + (tokens - size).div_ceil(size - overlap) };
        prop_assert_eq!(list.len(), full);
    }
}
