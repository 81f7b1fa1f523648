//! Sentence rules, as text arrives.
//!
//! UAX #29 is the reference, with these decisions on top of it:
//!
//! - `.`, `!` and `?` end a sentence only before white space, so that addresses, links, file names, decimals and
//!   versions stay whole; full-width, Arabic, Indic and other marks end it at once.
//! - An abbreviation, an initial or a list number does not end a sentence.
//! - A line ends a sentence, unless it looks wrapped: a long line that stops in mid-sentence before a line that
//!   goes on in lower case. Inside a code fence every line stands for itself.
//! - Past [`MAX_BYTES`] a sentence is cut: after a clause, else after a word, else after a grapheme.
//!
//! Every decision reads at most `LOOKAHEAD` bytes past its place and is taken only when they are there or the
//! text is complete. That is why the result cannot depend on how the text was cut on its way here.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

/// Longest sentence in bytes: about 40 tokens of prose, a twelfth of the default budget. Of 168 and 240, 168 kept more
/// planted attacks (84.9 against 84.1 % of 794 on the development half of the plants of `bench compress-quality`).
pub const MAX_BYTES: usize = 168;

/// Bytes past a place that its decision may read.
const LOOKAHEAD: usize = 64;

/// Shortest line, in bytes, that counts as wrapped and not as ended on purpose.
const WRAPPED_LINE_BYTES: usize = 40;

/// A sentence of Thai, Lao or Khmer ends at a space after this many bytes; these scripts have no full stop.
const SPACED_PHRASE_BYTES: usize = 60;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Space,
    Newline,
    Stop,
    Clause,
    Joint,
    Wide,
}

const CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut table = [Class::Plain; 256];
    table[b' ' as usize] = Class::Space;
    table[b'\t' as usize] = Class::Space;
    table[b'\r' as usize] = Class::Space;
    table[0x0B] = Class::Space;
    table[0x0C] = Class::Space;
    table[b'\n' as usize] = Class::Newline;
    table[b'.' as usize] = Class::Stop;
    table[b'!' as usize] = Class::Stop;
    table[b'?' as usize] = Class::Stop;
    table[b',' as usize] = Class::Clause;
    table[b';' as usize] = Class::Clause;
    table[b':' as usize] = Class::Clause;
    table[b'}' as usize] = Class::Joint;
    table[b']' as usize] = Class::Joint;
    table[b')' as usize] = Class::Joint;
    table[b'>' as usize] = Class::Joint;
    table[b'|' as usize] = Class::Joint;
    table[b'&' as usize] = Class::Joint;
    let mut lead = 0xC2;
    while lead <= 0xF4 {
        table[lead] = Class::Wide;
        lead += 1;
    }
    table
}

/// Ends a sentence wherever it stands.
fn is_wide_stop(char: char) -> bool {
    matches!(
        char,
        '。' | '！'
            | '？'
            | '｡'
            | '．'
            | '؟'
            | '۔'
            | '।'
            | '॥'
            | '։'
            | '።'
            | '፧'
            | '፨'
            | '។'
            | '៕'
            | '။'
            | '၊'
            | '‼'
            | '⁇'
            | '⁈'
            | '⁉'
            | '‽'
            | '᠃'
            | '᠉'
            | '܀'
            | '܁'
            | '܂'
            | '\u{0F0D}'
            | '\u{0F0E}'
            | '꓿'
            | '︒'
            | '﹒'
            | '﹖'
            | '﹗'
    )
}

/// Ends a sentence before white space only.
fn is_ellipsis(char: char) -> bool {
    matches!(char, '…' | '‥' | '․')
}

fn is_closer(char: char) -> bool {
    matches!(
        char,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '»'
            | '”'
            | '’'
            | '›'
            | '*'
            | '_'
            | '`'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '］'
            | '｝'
            | '＂'
    )
}

fn is_spaced_script(char: char) -> bool {
    matches!(u32::from(char), 0x0E00..=0x0EFF | 0x1780..=0x17FF | 0x1000..=0x109F)
}

/// Cuts one passage into sentences while it grows.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// First byte of the sentence in progress, past leading white space once `begun`.
    start: usize,
    /// Next byte to look at.
    scan: usize,
    begun: bool,
    line_start: bool,
    fenced: bool,
    /// First byte of the line in progress.
    line: usize,
    /// Best places to cut an overlong sentence, 0 when there is none.
    clause_cut: usize,
    word_cut: usize,
    joint_cut: usize,
}

enum Found {
    /// The sentence ends at this byte.
    End(usize),
    /// No end here; go on at this byte.
    GoOn(usize),
}

impl Splitter {
    /// A splitter at the start of a passage.
    #[must_use]
    pub fn new() -> Self {
        Self { line_start: true, ..Self::default() }
    }

    /// The next sentence of `text`, without the white space around it, or `None` when more text is needed or
    /// nothing is left. `text` is the passage so far; it may only grow between calls.
    pub fn next(&mut self, text: &str, complete: bool) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let limit = if complete { bytes.len() } else { bytes.len().saturating_sub(LOOKAHEAD) };
        if !self.begun && !self.begin(text, limit) {
            return None;
        }
        while self.scan < limit {
            if self.scan - self.start >= MAX_BYTES {
                let cut = self.forced_cut(text);
                return Some(self.emit(text, cut));
            }
            let Some(byte) = bytes.get(self.scan) else { break };
            let found = match CLASSES[usize::from(*byte)] {
                Class::Plain => {
                    self.scan += 1;
                    continue;
                }
                Class::Space => {
                    self.word_cut = self.scan;
                    self.scan += 1;
                    continue;
                }
                Class::Clause => {
                    if *byte == b';' && self.is_greek_question(text) {
                        self.at_stop(text, self.scan)
                    } else {
                        self.scan += 1;
                        if bytes.get(self.scan).is_some_and(u8::is_ascii_whitespace) {
                            self.clause_cut = self.scan;
                        } else {
                            self.joint_cut = self.scan;
                        }
                        continue;
                    }
                }
                Class::Joint => {
                    self.scan += 1;
                    self.joint_cut = self.scan;
                    continue;
                }
                Class::Newline => self.at_newline(text),
                Class::Stop if self.fenced => Found::GoOn(self.scan + 1),
                Class::Stop => self.at_stop(text, self.scan),
                Class::Wide => self.at_wide(text),
            };
            match found {
                Found::End(end) => return Some(self.emit(text, end)),
                Found::GoOn(scan) => self.scan = scan,
            }
        }
        if complete && self.start < bytes.len() {
            return Some(self.emit(text, bytes.len()));
        }
        None
    }

    /// Skips the white space before a sentence. False when the passage holds no more so far.
    fn begin(&mut self, text: &str, limit: usize) -> bool {
        while self.start < limit {
            let Some(char) = char_at(text, self.start) else { break };
            if !char.is_whitespace() {
                self.begun = true;
                self.scan = self.start;
                if self.line_start {
                    self.line = self.start;
                    let head = text.get(self.start..).unwrap_or_default();
                    if head.starts_with("```") || head.starts_with("~~~") {
                        self.fenced = !self.fenced;
                    }
                }
                return true;
            }
            if matches!(char, '\n' | '\u{85}' | '\u{2028}' | '\u{2029}') {
                self.line_start = true;
            }
            self.start += char.len_utf8();
        }
        false
    }

    fn emit(&mut self, text: &str, end: usize) -> Range<usize> {
        let head = text.get(self.start..end).unwrap_or_default();
        let range = self.start..self.start + head.trim_end().len();
        *self = Self {
            start: end.max(self.start),
            line: self.line.min(end),
            fenced: self.fenced,
            ..Self::default()
        };
        range
    }

    /// Where to cut a sentence that has grown past [`MAX_BYTES`].
    fn forced_cut(&self, text: &str) -> usize {
        let third = self.start + MAX_BYTES / 3;
        for cut in [self.clause_cut, self.word_cut, self.joint_cut] {
            if cut > third {
                return cut;
            }
        }
        let mut cut = self.start + MAX_BYTES;
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        // The cursor sees this sentence and a little more, so that a long run of joiners or flags stays cheap.
        let sentence =
            text.get(self.start..self.within_lookahead(text, text.len())).unwrap_or_default();
        let mut cursor = GraphemeCursor::new(cut - self.start, sentence.len(), true);
        match cursor.is_boundary(sentence, 0) {
            Ok(false) => match cursor.prev_boundary(sentence, 0) {
                Ok(Some(before)) if before > MAX_BYTES / 2 => self.start + before,
                _ => cut,
            },
            _ => cut,
        }
    }

    fn is_greek_question(&self, text: &str) -> bool {
        let before = char_before(text, self.scan).map_or(0, u32::from);
        matches!(before, 0x370..=0x3FF | 0x1F00..=0x1FFF)
    }

    fn at_newline(&mut self, text: &str) -> Found {
        let here = self.scan;
        let wrapped = !self.fenced
            && here.saturating_sub(self.line) >= WRAPPED_LINE_BYTES
            && char_before_space(text, here)
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, ',' | '-' | ')' | '\''))
            && goes_on_in_lower_case(text.get(here + 1..).unwrap_or_default());
        if wrapped {
            self.line = here + 1;
            self.word_cut = here;
            Found::GoOn(here + 1)
        } else {
            self.line_start = true;
            Found::End(here)
        }
    }

    fn at_wide(&mut self, text: &str) -> Found {
        let here = self.scan;
        let Some(char) = char_at(text, here) else { return Found::GoOn(here + 1) };
        let next = here + char.len_utf8();
        if is_wide_stop(char) {
            let run = text.get(next..).unwrap_or_default();
            let closed = run.trim_start_matches(|c: char| {
                is_wide_stop(c) || is_closer(c) || matches!(c, '!' | '?')
            });
            return Found::End(self.within_lookahead(text, text.len() - closed.len()));
        }
        if is_ellipsis(char) {
            return self.at_stop(text, here);
        }
        match char {
            '\u{85}' | '\u{2028}' | '\u{2029}' => return Found::End(here),
            '\u{37E}' => return Found::End(next),
            '，' | '、' | '；' | '：' | '،' | '؛' | '–' | '—' => self.clause_cut = next,
            space if space.is_whitespace() => self.word_cut = here,
            _ => {}
        }
        if is_spaced_script(char)
            && next - self.start >= SPACED_PHRASE_BYTES
            && text.get(next..).is_some_and(|rest| {
                rest.trim_start_matches(' ').len() < rest.len()
                    && rest.trim_start_matches(' ').starts_with(is_spaced_script)
            })
        {
            return Found::End(next);
        }
        Found::GoOn(next)
    }

    /// A run of stops and closers may be long; a decision reads no further than [`LOOKAHEAD`].
    fn within_lookahead(&self, text: &str, end: usize) -> usize {
        let mut end = end.min(self.scan + LOOKAHEAD);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        end
    }

    /// Decides whether the run of stops that begins at `first` ends the sentence.
    fn at_stop(&mut self, text: &str, first: usize) -> Found {
        let reach = self.within_lookahead(text, text.len());
        let ahead = text.get(first..reach).unwrap_or_default();
        let is_stop =
            |c: char| matches!(c, '.' | '!' | '?' | ';') || is_ellipsis(c) || is_wide_stop(c);
        let after_stops = ahead.trim_start_matches(is_stop);
        let stops = &ahead[..ahead.len() - after_stops.len()];
        let after_closers = after_stops.trim_start_matches(is_closer);
        let closed = after_closers.len() < after_stops.len();
        let end = first + (ahead.len() - after_closers.len());
        let after_space = after_closers.trim_start();
        if after_closers.is_empty() || stops.is_empty() {
            // The end of the passage, or a run longer than any sentence's ending.
            return if end >= text.len() {
                Found::End(end)
            } else {
                Found::GoOn(end.max(first + 1))
            };
        }
        if after_space.len() == after_closers.len() {
            return Found::GoOn(end);
        }
        let spaces = &after_closers[..after_closers.len() - after_space.len()];
        let Some(next) = after_space.chars().next() else { return Found::End(end) };
        let new_line = spaces.contains('\n');
        if new_line && (spaces.matches('\n').count() > 1 || !next.is_lowercase()) {
            self.line_start = true;
            return Found::End(end);
        }
        let strong = stops.contains(|c: char| !matches!(c, '.') && !is_ellipsis(c));
        if strong {
            return if closed && next.is_lowercase() { Found::GoOn(end) } else { Found::End(end) };
        }
        if next.is_lowercase()
            || matches!(next, ',' | ';' | ':')
            || (closed && matches!(next, '-' | '–' | '—'))
        {
            return Found::GoOn(end);
        }
        if stops == "." && !closed && self.is_abbreviation(text, first, next) {
            return Found::GoOn(end);
        }
        Found::End(end)
    }

    fn is_abbreviation(&self, text: &str, stop: usize, next: char) -> bool {
        let mut floor = self.start.max(stop.saturating_sub(24));
        while !text.is_char_boundary(floor) {
            floor += 1;
        }
        let before = text.get(floor..stop).unwrap_or_default();
        let word = before
            .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '/'))
            .next()
            .map(|word| word.trim_start_matches(['\'', '‘', '“', '«', '*', '_']));
        let Some(word) = word.filter(|word| !word.is_empty()) else { return false };
        let starts_line = self.line_start_of(text) && stop - word.len() == self.start;
        let mut letters = word.chars();
        let (first, single) = (letters.next().unwrap_or(' '), letters.next().is_none());
        if word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit()) {
            return starts_line;
        }
        if single && first.is_alphabetic() {
            // "J. Smith", "т. е.", "a. First point"; but "so did I. Then" and a lone ideograph end.
            return starts_line || (word != "I" && (first.is_lowercase() || first.is_uppercase()));
        }
        if word.contains('.') {
            let dotted = word.split('.').all(|part| {
                part.chars().count() <= 2
                    && part.chars().all(|c| c.is_lowercase() || c.is_uppercase())
            });
            return dotted && !matches!(word, "a.m" | "p.m" | "A.M" | "P.M");
        }
        if starts_line
            && word.len() <= 4
            && word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x' | b'I' | b'V' | b'X'))
        {
            return true;
        }
        let mut buffer = [0; LONGEST_ABBREVIATION];
        let Some(lower) = in_lower_case(word, &mut buffer) else { return false };
        ALWAYS.binary_search(&lower).is_ok()
            || (!next.is_uppercase() && BEFORE_NUMBERS.binary_search(&lower).is_ok())
    }

    fn line_start_of(&self, text: &str) -> bool {
        self.start == self.line
            || text
                .get(..self.start)
                .is_none_or(|head| head.trim_end_matches([' ', '\t']).ends_with('\n'))
    }
}

/// Never end a sentence. Sorted.
const ALWAYS: [&str; 62] = [
    "al", "approx", "art", "av", "bzw", "ca", "capt", "cf", "ch", "col", "dept", "dipl", "doc",
    "dott", "dr", "dra", "eq", "eqs", "fig", "figs", "fr", "frl", "gen", "gov", "hon", "hr", "ing",
    "lic", "lt", "maj", "mlle", "mme", "mr", "mrs", "ms", "mt", "nr", "núm", "prof", "pág", "rep",
    "rev", "sec", "sen", "sgt", "sig", "sra", "srta", "st", "sta", "str", "supt", "ud", "uds",
    "univ", "vgl", "vol", "vs", "гл", "им", "рис", "ул",
];

/// Do not end a sentence before a number or anything else without capitals. Sorted.
const BEFORE_NUMBERS: [&str; 31] = [
    "apr", "aug", "co", "corp", "dec", "ed", "est", "etc", "ext", "feb", "inc", "jan", "jr", "jul",
    "jun", "ltd", "mar", "max", "min", "no", "nos", "nov", "oct", "p", "pp", "sept", "sr", "tel",
    "vols", "см", "стр",
];

/// Bytes of the longest abbreviation in lower case.
const LONGEST_ABBREVIATION: usize = 8;

/// The word in lower case, unless it is longer than the buffer.
fn in_lower_case<'a>(word: &str, buffer: &'a mut [u8; LONGEST_ABBREVIATION]) -> Option<&'a str> {
    let mut end = 0;
    for char in word.chars().flat_map(char::to_lowercase) {
        end += char.encode_utf8(buffer.get_mut(end..end + char.len_utf8())?).len();
    }
    std::str::from_utf8(buffer.get(..end)?).ok()
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

fn char_before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

fn char_before_space(text: &str, at: usize) -> Option<char> {
    let mut floor = at.saturating_sub(16);
    while !text.is_char_boundary(floor) {
        floor += 1;
    }
    text.get(floor..at)?.trim_end_matches([' ', '\t', '\r']).chars().next_back()
}

/// True when the next line begins, without indent, with a lower-case word that is not a list letter.
fn goes_on_in_lower_case(line: &str) -> bool {
    let mut chars = line.chars();
    let (first, second) = (chars.next(), chars.next());
    first.is_some_and(char::is_lowercase) && !second.is_some_and(|c| matches!(c, ')' | '.'))
}

/// The sentences of a whole text: byte ranges in order, without the white space around them.
pub fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut splitter = Splitter::new();
    std::iter::from_fn(move || splitter.next(text, true)).filter(|range| !range.is_empty())
}

#[cfg(test)]
mod tests;
