use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

fn split(text: &str) -> Vec<&str> {
    sentences(text).map(|range| &text[range]).collect()
}

/// Each row is one text, its sentences divided by `|` (which the texts do not use otherwise).
fn check(rows: &[&str]) {
    for row in rows {
        let expected: Vec<&str> = row.split('|').map(str::trim).collect();
        let text = row.replace('|', "");
        assert_eq!(split(&text), expected, "{text}");
    }
}

#[test]
fn a_stop_before_white_space_ends_a_sentence() {
    check(&[
        "The cat sat. |The dog ran! |Did it rain? |Yes.",
        "\"Stop!\" |He ran. |(It was late.) |She left.",
        "He said \"stop.\" |Then he left.",
        "What?! |No...  |Never.",
        "First line ends here.\n|Second line starts here.",
    ]);
}

#[test]
fn addresses_links_files_numbers_and_versions_stay_whole() {
    check(&[
        "Write to anna.b@mail.example.com today. |Thanks.",
        "See https://example.com/a.b?q=1!x&r=2.5 for more. |Bye.",
        "Open C:\\temp\\file.name.txt or ../a.rs now. |Done.",
        "It costs 3.50 or 1.234,56 now. |Version 1.40.0 of 192.168.0.1 is out. |Good.",
        "The .gitignore file and the .NET runtime work. |Good.",
    ]);
}

#[test]
fn abbreviations_and_initials_do_not_end() {
    check(&[
        "Dr. Smith met Mr. Jones, e.g. at noon. |They talked.",
        "J. R. Tolkien wrote it. |We read Prof. Lee's book, vol. 2, pp. 3.",
        "See Fig. 3 and No. 5 of Inc. magazine etc. |Then stop.",
        "The U.S. Senate met at 5 p.m. |Nobody came.",
        "Smith et al. (2020) found it. |So did I. |Then we left.",
        "Das gilt z. B. für Hr. Maier bzw. Frau Dr. Kunz. |Ja.",
        "M. Dupont et Mme. Durand sont là. |Bien.",
        "Это ул. Ленина, т. е. центр. |Да.",
        "Wait... what? |Nothing... |Really.",
        "It's its. |He took vitamin-c. |So it's. |Then 'e.g. This' too.",
    ]);
}

#[test]
fn list_numbers_belong_to_their_item() {
    check(&[
        "1. Open the door.\n|2. Go in.\n|10. Sit down.",
        "a. First point\n|b. Second point\n|iv. Fourth point",
        "- one\n|- two\n|* three\n|\u{2022} four",
        "It was founded in 1995. |Twenty people came.",
    ]);
}

#[test]
fn lines_end_sentences_unless_they_are_wrapped() {
    check(&[
        "# Heading\n|Text under the heading.",
        "A paragraph without a stop\n\n|Another paragraph",
        "User: hello\n|Assistant: hi there\n|User: what now",
        "This line of a mail is wrapped by its client in the middle\nof a sentence and goes on here. |New one.",
        "A short line\n|goes on in lower case",
        "name,age,city\n|anna,31,Paris\n|ben,42,Oslo",
        "> quoted line of a mail thread that is rather long indeed\n|> and another",
    ]);
}

#[test]
fn code_is_cut_by_line() {
    check(&[
        "```python\n|x = a.b. c\n|print(x. y)\n|```\n|Then it stops. |Good.",
        "fn main() {\n|    let text = format!(\"{a}.{b}\", c.d);\n|}",
        "{\n|  \"model\": \"x\",\n|  \"text\": \"Hello there. |How are you?\"\n|}",
    ]);
}

#[test]
fn other_scripts_have_their_own_marks() {
    check(&[
        "契约第七条是什么？|求函数的导数。|“好！”|他说。",
        "今日は雨です。|明日は晴れますか？|「はい。」|そうです！",
        "오늘은 비가 온다. |내일은 맑을까? |그렇다.",
        "Сегодня дождь. |А завтра? |Нет!",
        "Τι είναι αυτό; |Δεν ξέρω. |Καλά.",
        "ما هذا؟ |لا أعرف. |حسنا.",
        "یہ کیا ہے؟ |میں نہیں جانتا۔ |ٹھیک۔",
        "מה זה? |אני לא יודע. |טוב.",
        "यह क्या है? |मैं नहीं जानता। |ठीक है॥",
        "এটি কী? |আমি জানি না। |ভালো।",
        "Ինչ է սա։ |Չգիտեմ։",
        "ይህ ምንድን ነው፧ |አላውቅም።",
        "កូនសៀវភៅនេះល្អ។ |ខ្ញុំចូលចិត្ត។",
    ]);
}

#[test]
fn thai_is_cut_at_a_space_once_a_phrase_is_long_enough() {
    let parts = split("วันนี้อากาศดีมากและท้องฟ้าแจ่มใส ฉันจะไปเดินเล่นที่สวนสาธารณะ แล้วกลับบ้าน");
    assert_eq!(parts, ["วันนี้อากาศดีมากและท้องฟ้าแจ่มใส", "ฉันจะไปเดินเล่นที่สวนสาธารณะ", "แล้วกลับบ้าน"]);
}

#[test]
fn a_long_sentence_is_cut_at_clauses_words_and_characters_and_nothing_is_lost() {
    let clauses = "the members met in the hall, and they talked about the figures of the harvest, "
        .repeat(20);
    for part in split(&clauses) {
        assert!(part.len() <= MAX_BYTES && part.ends_with(','), "{part}");
    }
    let words = "word ".repeat(2000);
    assert!(split(&words).iter().all(|part| part.len() <= MAX_BYTES && !part.contains("wordw")));
    assert_eq!(split(&words).join(" "), words.trim_end());
    let blob = "0123456789abcdef".repeat(500);
    assert!(split(&blob).iter().all(|part| part.len() <= MAX_BYTES));
    assert_eq!(split(&blob).concat(), blob);
    let han = "契约第七条的终止条件".repeat(100);
    assert!(split(&han).iter().all(|part| part.len() <= MAX_BYTES));
    assert_eq!(split(&han).concat(), han);
}

#[test]
fn a_forced_cut_does_not_part_a_letter_from_its_marks() {
    let text = "กำ้ั".repeat(200);
    for part in split(&text) {
        assert!(!part.starts_with(['\u{0E49}', '\u{0E31}']), "{part}");
    }
    let families = "👨‍👩‍👧‍👦".repeat(60);
    for part in split(&families) {
        assert!(part.starts_with('👨') && part.ends_with('👦'), "{part}");
    }
}

#[test]
fn where_our_own_rules_do_not_apply_uax_29_agrees() {
    // Sentences of letters and spaces in several scripts, ended by their marks before a capital or an uncased letter.
    let words = [
        ("the harvest was good", "It rained", ". "),
        ("le temps passe vite", "Nous partons", "! "),
        ("сегодня был дождь", "Завтра нет", ". "),
        ("это правда", "Нет", "? "),
        ("τι ωραία μέρα", "Ναι", "! "),
        ("ما هذا", "لا أعرف", "؟ "),
        ("מה שלומך", "טוב", "? "),
        ("मैं नहीं जानता", "ठीक है", "। "),
        ("今日は雨です", "明日は晴れ", "。"),
        ("他说", "我们走", "！"),
        ("오늘은 비가 온다", "내일은 맑다", ". "),
    ];
    for (first, second, mark) in words {
        let text = format!("{first}{mark}{second}{mark}{first}{mark}");
        let reference: Vec<&str> =
            text.split_sentence_bounds().map(str::trim).filter(|s| !s.is_empty()).collect();
        assert_eq!(split(&text), reference);
    }
}

/// All ways for text to arrive.
fn in_pieces(text: &str, cuts: &[usize]) -> Vec<Range<usize>> {
    let mut splitter = Splitter::new();
    let mut out = Vec::new();
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (text.len() + 1)).collect();
    ends.sort_unstable();
    for end in ends {
        if let Some(head) = text.get(..end) {
            out.extend(std::iter::from_fn(|| splitter.next(head, false)));
        }
    }
    out.extend(std::iter::from_fn(|| splitter.next(text, true)));
    out.retain(|range| !range.is_empty());
    out
}

/// Text that meets the rules often.
fn tricky() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just(". ".to_owned()),
        Just(".".to_owned()),
        Just("... ".to_owned()),
        Just("!?\" ".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n\r\n".to_owned()),
        Just("```\n".to_owned()),
        Just("。".to_owned()),
        Just("।".to_owned()),
        Just("\u{2028}".to_owned()),
        Just("; ".to_owned()),
        "[a-zA-Z]{1,8}",
        "[a-z ,]{30,90}",
        "[0-9.]{1,6}",
        " {1,80}",
        "[ก-ฮ ]{1,40}",
        "[α-ω]{1,5};",
        "\\PC{1,6}",
        any::<char>().prop_map(String::from),
        Just("Dr. ".to_owned()),
        Just("\n1. ".to_owned()),
        Just("👨‍👩‍👧".to_owned()),
        Just(")".repeat(70)),
    ];
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cuts_give_the_same_sentences(text in tricky(), cuts in prop::collection::vec(any::<usize>(), 0..12)) {
        let whole: Vec<_> = sentences(&text).collect();
        let every_byte: Vec<usize> = (0..=text.len()).collect();
        prop_assert_eq!(&in_pieces(&text, &cuts), &whole);
        prop_assert_eq!(&in_pieces(&text, &every_byte), &whole);
    }

    #[test]
    fn sentences_cover_the_text_but_white_space(text in tricky()) {
        let mut at = 0;
        for range in sentences(&text) {
            prop_assert!(range.start >= at && range.end <= text.len() && range.len() <= MAX_BYTES + LOOKAHEAD);
            prop_assert!(text[at..range.start].trim().is_empty(), "lost {:?}", &text[at..range.start]);
            prop_assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
            at = range.end;
        }
        prop_assert!(text[at..].trim().is_empty());
    }
}

#[test]
fn no_abbreviation_is_longer_than_the_buffer() {
    let longest = ALWAYS.iter().chain(&BEFORE_NUMBERS).map(|word| word.len()).max();
    assert!(longest <= Some(LONGEST_ABBREVIATION), "{longest:?}");
    let mut buffer = [0; LONGEST_ABBREVIATION];
    assert_eq!(in_lower_case("PÁG", &mut buffer), Some("pág"));
    assert_eq!(in_lower_case("Committee", &mut buffer), None);
}
