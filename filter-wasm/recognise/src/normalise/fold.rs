//! The first stage: single characters and words. Afterwards a look-alike, styled, split or invisible word reads as a model reads it.

use std::ops::Range;

use super::Changes;
use super::letters::{self, Likeness};
use super::rewrite::Rewrite;
use crate::bytes::{floor, run, run_back};

/// Bytes after a position that may decide what becomes of it.
const LOOK_AHEAD: usize = 768;
/// Text that would cover fewer new bytes waits for more.
const MIN_STEP: usize = 256;
/// Longest word in bytes; a longer one is treated in pieces.
const MAX_WORD: usize = 192;
/// ASCII letters before the first special character that are still counted as its word.
const MAX_WORD_START: usize = 64;
/// Bytes on each side in which a word of look-alikes only is compared with its neighbours.
const NEIGHBOURHOOD: usize = 48;
/// Longest stretch after a right-to-left override that is reversed as one.
const MAX_OVERRIDE: usize = 2048;
/// Most hidden characters that are read as one text.
const MAX_HIDDEN: usize = 128;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Fold {
    pub(super) rewrite: Rewrite,
    pub(super) changes: Changes,
    scanned: usize,
    /// A right-to-left override that has not ended: where its text begins here and in the original.
    open_override: Option<(usize, usize)>,
    word: Vec<Unit>,
    /// Folded forms of the word's characters.
    folded: String,
}

/// One character of a word, with the invisible ones after it.
#[derive(Clone, Debug)]
struct Unit {
    range: Range<usize>,
    kind: UnitKind,
}

#[derive(Clone, Debug, PartialEq)]
enum UnitKind {
    Latin,
    Like(Likeness),
    /// A compatibility form; the range is into the folded text.
    Folded(Range<usize>),
    /// Dropped, or a space if the word turns out to be several.
    Gap,
    Dropped,
    Other,
}

impl Fold {
    /// Treats what is new in `text`, the whole original so far.
    pub(super) fn advance(&mut self, text: &str, complete: bool) {
        let bytes = text.as_bytes();
        let to = if complete {
            bytes.len()
        } else {
            floor(text, bytes.len().saturating_sub(LOOK_AHEAD))
        };
        if !complete && to < self.scanned.saturating_add(MIN_STEP) {
            return;
        }
        while self.scanned < to {
            let mut next = special(bytes, self.scanned, to);
            if let Some((_, from)) = self.open_override {
                let line_end = bytes
                    .get(self.scanned..next)
                    .and_then(|part| part.iter().position(|&b| b == b'\n'));
                let stop = floor(text, from + MAX_OVERRIDE).max(self.scanned);
                next = next.min(line_end.map_or(next, |offset| self.scanned + offset));
                if stop <= next {
                    self.close_override(text, stop);
                    self.open_override = Some((self.rewrite.len(), stop));
                    self.scanned = stop;
                    continue;
                }
                if next < to && bytes.get(next) == Some(&b'\n') {
                    self.close_override(text, next);
                    self.scanned = next;
                    continue;
                }
            }
            self.scanned = if next < to { self.character(text, next).max(next + 1) } else { to };
        }
        if complete {
            self.close_override(text, bytes.len());
            self.rewrite.keep(text, bytes.len());
            // A request may have thousands of passages: none keeps its scratch.
            (self.word, self.folded) = (Vec::new(), String::new());
        } else {
            let settled = floor(text, self.scanned.saturating_sub(MAX_WORD_START));
            if settled > self.rewrite.taken() {
                self.rewrite.keep(text, settled);
            }
        }
    }

    /// Treats the special character at `at` and returns where to go on.
    fn character(&mut self, text: &str, at: usize) -> usize {
        let Some(c) = char_at(text, at) else { return at + 1 };
        let end = at + c.len_utf8();
        if letters::is_plain(c) {
            return end + plain(text, end);
        }
        match c {
            '\u{202e}' => {
                self.close_override(text, at);
                self.drop(text, at..end);
                self.open_override = Some((self.rewrite.len(), end));
                return end;
            }
            '\u{202c}' => {
                self.close_override(text, at);
                self.drop(text, at..end);
                return end;
            }
            _ => {}
        }
        if letters::is_control(c) {
            return self.controls(text, at);
        }
        if letters::is_tag(c) {
            return self.tags(text, at);
        }
        if letters::selector_byte(c).is_some()
            && char_at(text, end).and_then(letters::selector_byte).is_some()
        {
            return self.selectors(text, at);
        }
        if letters::is_invisible(c) && keeps_invisible(text, at, c) {
            return end;
        }
        if let Some(next) = genuine_word(text, at) {
            return next;
        }
        self.word(text, at)
    }

    fn drop(&mut self, text: &str, range: Range<usize>) {
        count(&mut self.changes.invisible);
        self.rewrite.replace(text, range, "");
    }

    /// Ends an override at `at`: what it showed, which is its text reversed, is added after what it holds.
    fn close_override(&mut self, text: &str, at: usize) {
        let Some((from, original)) = self.open_override.take() else { return };
        self.rewrite.keep(text, at.max(self.rewrite.taken()));
        let held = self.rewrite.text(text).get(from..).unwrap_or("").trim();
        if held.chars().filter(char::is_ascii_alphabetic).count() < 3 {
            return;
        }
        let mut shown = String::with_capacity(held.len() + 2);
        shown.push(' ');
        // Marks stay behind their letters.
        let mut rest = held;
        while let Some(last) = rest
            .char_indices()
            .rev()
            .find(|(_, c)| !letters::is_mark(*c))
            .map(|(i, _)| i)
            .or((!rest.is_empty()).then_some(0))
        {
            shown.push_str(rest.get(last..).unwrap_or(""));
            rest = rest.get(..last).unwrap_or("");
        }
        shown.push(' ');
        count(&mut self.changes.reversed);
        self.rewrite.insert(text, original..at.max(original), &shown);
    }

    /// Controls: dropped inside a word or beside white space, a space between words. A terminal's colour sequence goes as a whole.
    /// A replacement character that stands alone hides nothing and stays.
    fn controls(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        let mut end = at;
        while end < at + 64 {
            match char_at(text, end) {
                Some('\u{1b}') => {
                    end += 1;
                    if bytes.get(end) == Some(&b'[') {
                        let parameters =
                            run(bytes, end + 1, 16, |b| b.is_ascii_digit() || b == b';');
                        if bytes.get(end + 1 + parameters).is_some_and(u8::is_ascii_alphabetic) {
                            end += 2 + parameters;
                        }
                    }
                }
                Some(c) if letters::is_control(c) => end += c.len_utf8(),
                Some(_) | None => break,
            }
        }
        let last = text.get(..at).and_then(|before| before.chars().next_back());
        let next = char_at(text, end);
        let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let inside = last.is_some_and(|c| c.is_ascii_alphabetic())
            && next.is_some_and(|c| c.is_ascii_lowercase());
        if is_space(last) && is_space(next) && text.get(at..end) == Some("\u{fffd}") {
            return end;
        }
        count(&mut self.changes.controls);
        self.rewrite.replace(
            text,
            at..end,
            if inside || is_space(last) || is_space(next) { "" } else { " " },
        );
        end
    }

    /// Tag characters spell ASCII that no one sees. Those of a flag (a black flag, a few tags, the cancel tag) stay.
    fn tags(&mut self, text: &str, at: usize) -> usize {
        let tags = text
            .get(at..)
            .unwrap_or("")
            .chars()
            .take_while(|&c| letters::is_tag(c))
            .take(MAX_HIDDEN);
        let end = at + tags.clone().map(char::len_utf8).sum::<usize>();
        let previous = text.get(..at).and_then(|before| before.chars().next_back());
        if previous == Some('\u{1f3f4}')
            && (4..=8).contains(&tags.clone().count())
            && tags.clone().last() == Some('\u{e007f}')
        {
            return end;
        }
        count(&mut self.changes.tags);
        let mut space = previous.is_some_and(|c| !c.is_whitespace() && !letters::is_tag(c));
        let mut from = at;
        for tag in tags {
            let to = from + tag.len_utf8();
            let letter =
                char::from_u32(u32::from(tag) - 0xe0000).filter(|c| matches!(c, ' '..='~'));
            match letter {
                Some(letter) if space => {
                    self.rewrite.replace(text, from..to, encode(&[' ', letter], &mut [0; 8]));
                    space = false;
                }
                Some(letter) => {
                    self.rewrite.replace(text, from..to, letter.encode_utf8(&mut [0; 4]))
                }
                None => self.rewrite.replace(text, from..to, ""),
            }
            from = to;
        }
        if char_at(text, end).is_some_and(|c| !c.is_whitespace() && !letters::is_tag(c)) {
            self.rewrite.insert(text, at..end, " ");
        }
        end
    }

    /// Two or more variation selectors in a row: text hidden byte by byte behind an emoji, or noise.
    fn selectors(&mut self, text: &str, at: usize) -> usize {
        let hidden: Vec<u8> = text
            .get(at..)
            .unwrap_or("")
            .chars()
            .map_while(letters::selector_byte)
            .take(MAX_HIDDEN)
            .collect();
        let end = at
            + text
                .get(at..)
                .unwrap_or("")
                .chars()
                .take(hidden.len())
                .map(char::len_utf8)
                .sum::<usize>();
        self.drop(text, at..end);
        if let Ok(found) = std::str::from_utf8(&hidden)
            && found.len() >= 3
            && found.chars().all(|c| !c.is_control() || c.is_whitespace())
        {
            count(&mut self.changes.tags);
            self.rewrite.insert(text, at..end, &format!(" {found} "));
        }
        end
    }

    /// Reads the word around `at` and writes what it looks like. Returns where the word ends.
    fn word(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        let room = (at - self.rewrite.taken().min(at)).min(MAX_WORD_START);
        let start = at - run_back(bytes, at, room, |b| b.is_ascii_alphabetic());
        self.word.clear();
        self.folded.clear();
        let mut end = start;
        let mut marks = 0;
        let limit = start + MAX_WORD;
        for c in text.get(start..).unwrap_or("").chars() {
            if end >= limit {
                break;
            }
            let range = end..end + c.len_utf8();
            let kind = if c.is_ascii_alphabetic() || letters::is_latin(c) && letters::is_plain(c) {
                UnitKind::Latin
            } else if c.is_ascii()
                || letters::is_tag(c)
                || letters::is_control(c)
                || matches!(c, '\u{202c}' | '\u{202e}')
            {
                break;
            } else if let Some(likeness) = letters::likeness(c) {
                UnitKind::Like(likeness)
            } else if letters::is_invisible(c) {
                let run = letters::selector_byte(c).is_some()
                    && char_at(text, range.end).and_then(letters::selector_byte).is_some();
                if run || keeps_invisible(text, end, c) {
                    break;
                }
                if letters::is_gap(c) { UnitKind::Gap } else { UnitKind::Dropped }
            } else if letters::is_mark(c) {
                marks += 1;
                let latin = self.word.iter().any(|unit| unit.kind != UnitKind::Other);
                if latin && (letters::is_overlay(c) || marks > MAX_MARKS) {
                    UnitKind::Dropped
                } else {
                    UnitKind::Other
                }
            } else {
                match self.single(text, end, c) {
                    Some(folded) => {
                        let is_word = self
                            .folded
                            .get(folded.clone())
                            .is_some_and(|f| f.chars().all(char::is_alphabetic));
                        if !is_word && !self.word.is_empty() {
                            break;
                        }
                        let kind = UnitKind::Folded(folded);
                        if !is_word {
                            self.word.push(Unit { range: range.clone(), kind });
                            end = range.end;
                            break;
                        }
                        kind
                    }
                    None => break,
                }
            };
            if !letters::is_mark(c) {
                marks = 0;
            }
            self.word.push(Unit { range: range.clone(), kind });
            end = range.end;
        }
        if end <= at {
            // The word before has ended: the character stands by itself.
            return self.alone(text, at);
        }
        self.write_word(text, start..end);
        end
    }

    /// Treats the character at `at` outside any word.
    fn alone(&mut self, text: &str, at: usize) -> usize {
        let Some(c) = char_at(text, at) else { return at + 1 };
        let end = at + c.len_utf8();
        if let Some(folded) = self.single(text, at, c) {
            count(&mut self.changes.styled);
            self.rewrite.replace(text, at..end, self.folded.get(folded).unwrap_or(""));
        }
        end
    }

    /// What a character outside words becomes, as a range of the folded text; `None` when it stays.
    fn single(&mut self, text: &str, at: usize, c: char) -> Option<Range<usize>> {
        let end = at + c.len_utf8();
        let previous = text.get(..at).and_then(|before| before.chars().next_back());
        let next = char_at(text, end);
        let from = self.folded.len();
        if next == Some('\u{fe0f}') {
            // Shown as an emoji.
            return None;
        }
        if matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}') {
            let digits = previous.is_some_and(|c| c.is_ascii_digit())
                && next.is_some_and(|c| c.is_ascii_digit());
            if !digits {
                return None;
            }
            self.folded.push('-');
        } else if let Some(value) = letters::digit(c) {
            if !in_long_number(text, at) {
                return None;
            }
            self.folded.push(value);
        } else if let Some(letter) = letters::enclosed_letter(c) {
            let same = |other: Option<char>| {
                other.and_then(letters::enclosed_letter).is_some()
                    || other.is_some_and(|c| c.is_ascii_alphabetic())
            };
            let is_flag = matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
            // Two regional indicators are a flag; the letters in circles and squares are words only in company.
            if same(previous) || same(next) {
                if is_flag {
                    return None;
                }
            } else if !is_flag {
                return None;
            }
            self.folded.push(letter);
        } else {
            // Wide punctuation is at home among Chinese characters.
            if letters::is_wide_mark(c) && is_among_east_asian(text, at, end) {
                return None;
            }
            if !letters::fold(c, &mut self.folded) {
                return None;
            }
        }
        Some(from..self.folded.len())
    }

    /// A Latin word may touch a word that is really in another script. Four or more letters of that script in a row, one of them
    /// without a Latin twin, are such a word and no disguise. Where it is the larger part, so is what stands at the word's edges (a
    /// Latin letter typed by mistake); a look-alike between two Latin letters never is.
    fn set_genuine_runs_aside(&mut self) {
        let ends_run = |unit: &Unit| matches!(unit.kind, UnitKind::Latin | UnitKind::Folded(_));
        let is_like = |unit: &&mut Unit| matches!(unit.kind, UnitKind::Like(_));
        let latin = self.word.iter().filter(|unit| ends_run(unit)).count();
        let mut genuine = 0;
        for run in self.word.split_mut(ends_run) {
            let distinct = run.iter().any(|unit| {
                matches!(unit.kind, UnitKind::Like(Likeness::Weak(_) | Likeness::Distinct))
            });
            let letters = run.iter_mut().filter(is_like).count();
            if letters > 3 && distinct {
                genuine += letters;
                run.iter_mut().filter(is_like).for_each(|unit| unit.kind = UnitKind::Other);
            }
        }
        if genuine > latin {
            let mut runs = self.word.split_mut(ends_run);
            for run in [runs.next(), runs.next_back()].into_iter().flatten() {
                run.iter_mut().filter(is_like).for_each(|unit| unit.kind = UnitKind::Other);
            }
        }
    }

    fn write_word(&mut self, text: &str, range: Range<usize>) {
        self.set_genuine_runs_aside();
        let mut latin = 0;
        let (mut strong, mut weak, mut small, mut distinct, mut gaps, mut other) =
            (0, 0, 0, 0, 0, 0);
        let (mut symbol, mut greek) = (false, false);
        for unit in &self.word {
            match &unit.kind {
                UnitKind::Latin => latin += 1,
                UnitKind::Folded(folded) => {
                    latin += self
                        .folded
                        .get(folded.clone())
                        .map_or(0, |letters| letters.chars().count());
                }
                UnitKind::Like(likeness) => {
                    let c = char_at(text, unit.range.start);
                    greek |= matches!(c, Some('\u{370}'..='\u{3ff}'));
                    symbol |= c.is_some_and(letters::is_symbol);
                    match likeness {
                        Likeness::Strong(_) => strong += 1,
                        Likeness::Weak(_) => weak += 1,
                        Likeness::SmallCapital(_) => small += 1,
                        Likeness::Distinct => distinct += 1,
                    }
                }
                UnitKind::Gap => gaps += 1,
                UnitKind::Other => other += 1,
                UnitKind::Dropped => {}
            }
        }
        let letters = latin + strong + weak + small + distinct;
        // Units and formulas mix a Greek letter with Latin ones: `μm`, `λx`.
        let long_enough = !symbol || letters >= 5;
        let mixed =
            latin > 0 && long_enough && ((distinct == 0 && weak == 0) || 2 * latin >= letters);
        let alone = latin == 0
            && distinct == 0
            && weak == 0
            && strong > 0
            && (!greek || letters >= 3)
            && is_among_latin(text, &range);
        let unlike = mixed || alone;
        let capitals = small >= 2 && 2 * (small + latin) > letters && other == 0;
        // A zero-width space after every few letters of a long word stands for a space.
        let spaced = gaps >= 2 && letters >= 16 && letters >= 3 * (gaps + 1);

        let is_lower = |unit: &&Unit| match &unit.kind {
            UnitKind::Folded(folded) => {
                let text = self.folded.get(folded.clone()).unwrap_or("");
                !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase())
            }
            UnitKind::Latin
            | UnitKind::Like(_)
            | UnitKind::Gap
            | UnitKind::Dropped
            | UnitKind::Other => false,
        };
        if self.word.iter().filter(is_lower).count() >= 4 {
            count(&mut self.changes.styled_words);
        }

        let mut buffer = [0; 4];
        let mut units = self.word.iter().peekable();
        while let Some(unit) = units.next() {
            let source = text.get(unit.range.clone()).unwrap_or("");
            let with = match &unit.kind {
                UnitKind::Like(Likeness::Strong(c) | Likeness::Weak(c)) if unlike => {
                    count(&mut self.changes.look_alikes);
                    c.encode_utf8(&mut buffer)
                }
                UnitKind::Like(Likeness::SmallCapital(c)) if capitals => {
                    count(&mut self.changes.look_alikes);
                    c.encode_utf8(&mut buffer)
                }
                UnitKind::Latin | UnitKind::Other | UnitKind::Like(_) => source,
                UnitKind::Folded(folded) => {
                    count(&mut self.changes.styled);
                    self.folded.get(folded.clone()).unwrap_or("")
                }
                UnitKind::Gap if spaced => " ",
                UnitKind::Gap | UnitKind::Dropped => "",
            };
            if with.is_empty() {
                count(&mut self.changes.invisible);
            }
            // What is dropped after a character is part of it.
            let mut end = unit.range.end;
            while let Some(dropped) = units.next_if(|next| {
                next.kind == UnitKind::Dropped || (next.kind == UnitKind::Gap && !spaced)
            }) {
                count(&mut self.changes.invisible);
                end = dropped.range.end;
            }
            if with != source || end != unit.range.end {
                self.rewrite.replace(text, unit.range.start..end, with);
            }
        }
    }
}

/// Combining marks on one letter that are still writing and not noise; Vietnamese needs two, scholarly text three.
const MAX_MARKS: usize = 3;

fn count(counter: &mut u32) {
    *counter = counter.saturating_add(1);
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..).and_then(|rest| rest.chars().next())
}

fn encode<'a>(letters: &[char], buffer: &'a mut [u8; 8]) -> &'a str {
    let mut length = 0;
    for letter in letters {
        if let Some(room) = buffer.get_mut(length..length + letter.len_utf8()) {
            length += letter.encode_utf8(room).len();
        }
    }
    buffer.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or("")
}

/// The first byte of `bytes[from..to]` that is not printable ASCII or plain white space, or `to`.
fn special(bytes: &[u8], from: usize, to: usize) -> usize {
    const STRIDE: usize = 64;
    let mut position = from;
    let rest = bytes.get(from..to).unwrap_or(&[]);
    let (blocks, tail) = rest.as_chunks::<STRIDE>();
    for block in blocks {
        let mut any = 0;
        for &byte in block {
            any |= is_special(byte);
        }
        if any != 0 {
            return position + block.iter().position(|&b| is_special(b) != 0).unwrap_or(0);
        }
        position += STRIDE;
    }
    position + tail.iter().position(|&b| is_special(b) != 0).unwrap_or(tail.len())
}

/// 1 for bytes outside ASCII and for controls other than tab, line feed and carriage return.
#[inline(always)]
const fn is_special(byte: u8) -> u8 {
    ((byte >= 0x80)
        | (byte == 0x7f)
        | ((byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r'))) as u8
}

/// Bytes of plain characters outside ASCII from `from` on.
fn plain(text: &str, from: usize) -> usize {
    text.get(from..)
        .unwrap_or("")
        .chars()
        .take(128)
        .take_while(|&c| !c.is_ascii() && letters::is_plain(c))
        .map(char::len_utf8)
        .sum()
}

/// The end of the word at `at` if it is plainly Cyrillic, Greek or alike: letters of such scripts only, one of them without a Latin
/// twin. Most words of genuine text end here.
fn genuine_word(text: &str, at: usize) -> Option<usize> {
    if at > 0 && text.as_bytes().get(at - 1).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let mut distinct = false;
    let mut end = at;
    for c in text.get(at..).unwrap_or("").chars() {
        match letters::likeness(c) {
            Some(likeness) => {
                distinct |= matches!(likeness, Likeness::Distinct | Likeness::Weak(_))
            }
            None if c.is_ascii() && !c.is_ascii_alphabetic() => break,
            None => return None,
        }
        end += c.len_utf8();
        if end - at > MAX_WORD {
            return None;
        }
    }
    (distinct && end > at).then_some(end)
}

/// Whether the word at `range` stands among Latin letters, with no word near it that is really in its script.
fn is_among_latin(text: &str, range: &Range<usize>) -> bool {
    let before =
        text.get(floor(text, range.start.saturating_sub(NEIGHBOURHOOD))..range.start).unwrap_or("");
    let after = text.get(range.end..floor(text, range.end + NEIGHBOURHOOD)).unwrap_or("");
    let mut latin = 0;
    for c in before.chars().chain(after.chars()) {
        if c.is_ascii_alphabetic() {
            latin += 1;
        } else if matches!(letters::likeness(c), Some(Likeness::Distinct | Likeness::Weak(_))) {
            return false;
        }
    }
    latin >= 6
}

/// Whether an invisible character has a job where it stands: joiners in scripts that need them and inside emoji sequences, selectors
/// after emoji, symbols and Chinese characters, word boundaries in scripts without spaces.
fn keeps_invisible(text: &str, at: usize, c: char) -> bool {
    let previous = text.get(..at).and_then(|before| before.chars().next_back());
    let next = char_at(text, at + c.len_utf8());
    let both = |test: fn(char) -> bool| previous.is_some_and(test) && next.is_some_and(test);
    match c {
        '\u{200c}' => previous.is_some_and(letters::uses_joiners),
        '\u{200d}' => both(letters::is_emoji) || previous.is_some_and(letters::uses_joiners),
        '\u{200b}' => {
            previous.is_some_and(letters::has_no_spaces) && next.is_some_and(letters::has_no_spaces)
        }
        '\u{fe0e}' | '\u{fe0f}' => {
            let keycap = next == Some('\u{20e3}')
                && previous.is_some_and(|c| c.is_ascii_digit() || matches!(c, '#' | '*'));
            keycap || previous.is_some_and(|c| letters::is_emoji(c) && c != '\u{fe0f}')
        }
        '\u{fe00}'..='\u{fe0d}' | '\u{e0100}'..='\u{e01ef}' => previous.is_some_and(|c| {
            letters::is_east_asian(c)
                || letters::uses_joiners(c)
                || matches!(c, '\u{2200}'..='\u{22ff}')
        }),
        '\u{180b}'..='\u{180f}' | '\u{17b4}' | '\u{17b5}' | '\u{34f}' => {
            previous.is_some_and(letters::uses_joiners)
        }
        // Right-to-left text sets its direction with marks.
        '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            let right_to_left = |c: char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}');
            let last = text
                .get(..at)
                .and_then(|before| before.chars().rev().take(4).find(|c| !c.is_whitespace()));
            last.is_some_and(right_to_left) || next.is_some_and(right_to_left)
        }
        _ => false,
    }
}

/// Whether the nearest character on either side that is no wide punctuation itself is Chinese, Japanese or Korean.
fn is_among_east_asian(text: &str, at: usize, end: usize) -> bool {
    const REACH: usize = 4;
    let other = |c: &char| !letters::is_wide_mark(*c);
    let before = text.get(..at).and_then(|before| before.chars().rev().take(REACH).find(other));
    let after = text.get(end..).and_then(|after| after.chars().take(REACH).find(other));
    before.is_some_and(letters::is_east_asian) || after.is_some_and(letters::is_east_asian)
}

/// Whether the digit at `at`, of a script with digits of its own, belongs to a number with at least seven digits, such as a
/// telephone or card number. Prices and dates stay as they are written.
fn in_long_number(text: &str, at: usize) -> bool {
    const REACH: usize = 24;
    let joins = |c: char| {
        letters::digit(c).is_some() || matches!(c, ' ' | '-' | '.' | '(' | ')' | '+' | '0'..='9')
    };
    let is_digit = |c: &char| letters::digit(*c).is_some() || c.is_ascii_digit();
    let after = text
        .get(at..)
        .unwrap_or("")
        .chars()
        .take(REACH)
        .take_while(|&c| joins(c))
        .filter(is_digit)
        .count();
    let before = text
        .get(..at)
        .unwrap_or("")
        .chars()
        .rev()
        .take(REACH)
        .take_while(|&c| joins(c))
        .filter(is_digit)
        .count();
    before + after >= 7
}
