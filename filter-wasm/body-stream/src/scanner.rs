//! JSON tokens from chunks, strictly by RFC 8259.
//!
//! A pull scanner: [`Scanner::next`] hands out one event at a time and never
//! looks at a byte twice, wherever the chunks are cut. Text is lent from the
//! chunk in long runs: the quote or backslash that ends a run is found with
//! `memchr2`, and control characters and UTF-8 are checked on the whole run,
//! so no state machine steps through the bytes of a string. It holds one bit
//! of state per open bracket and at most one cut character; keys and values
//! are the business of [`crate::shapes`].

use crate::error::{Error, ErrorKind};
use crate::escapes::{Dense, hex_digit, simple_escape};
use memchr::memchr2;

/// Longest run that is lent at once: it stays in the first-level cache
/// between the three passes over it.
const MAX_RUN_BYTES: usize = 16 << 10;

/// One chunk of the body and the place reached in it.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    chunk: &'a [u8],
    at: usize,
    base: usize,
}

impl<'a> Input<'a> {
    /// A chunk whose first byte is byte `base` of the body.
    pub(crate) const fn new(chunk: &'a [u8], base: usize) -> Self {
        Self { chunk, at: 0, base }
    }

    /// Offset into the body.
    pub(crate) const fn offset(&self) -> usize {
        self.base + self.at
    }

    fn peek(&self) -> Option<u8> {
        self.chunk.get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.chunk.get(self.at..).unwrap_or_default()
    }

    const fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

/// A part of a string or key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) text: Text<'a>,
    /// Offset of its first raw byte in the body.
    pub(crate) at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text<'a> {
    /// Characters that stand in the body as they are.
    Run(&'a str),
    /// One character written with `raw` bytes: an escape, or, if `raw` is its
    /// own length, a character that a chunk boundary cut.
    Char { ch: char, raw: usize },
    /// Escapes with little between them.
    Dense(&'a Dense),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event<'a> {
    ObjectStart,
    ObjectEnd,
    ArrayStart,
    ArrayEnd,
    /// Part of a key; a key may have any number of parts.
    Key(Piece<'a>),
    /// The key's closing quote is at this offset.
    KeyEnd(usize),
    /// Part of a string value; a string may have any number of parts.
    Text(Piece<'a>),
    /// Part of a key or string value, from this offset on, as in [`Scanner::dense`].
    Dense(usize),
    /// The value's content started at this offset.
    TextEnd(usize),
    /// Part of a number's lexeme, in ASCII; a number has one or more parts.
    Number(&'a [u8]),
    NumberEnd,
    Bool(bool),
    Null,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the root value.
    Start,
    /// A value must follow.
    Value,
    /// After `[`: a value or `]`.
    FirstElement,
    /// After `{`: a key or `}`.
    FirstKey,
    /// After `,` in an object: a key.
    Key,
    Colon,
    /// After a value in an array or object: `,` or the closing bracket.
    After,
    /// After the root value.
    Done,
    String(InString),
    Number(InNumber),
    Literal(Literal, usize),
}

/// Where in a string the scanner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InString {
    /// Between characters.
    Run,
    /// Inside a character that a chunk boundary cut: its bytes so far.
    Cut([u8; 4], usize),
    /// After a backslash.
    Escape,
    /// After `\u`: value so far, digits so far, and the high surrogate before.
    Hex { value: u16, digits: u8, high: bool },
    /// A whole `\uXXXX` lies behind; its UTF-16 unit is to be handed out.
    Unit(u16),
    /// After the escape of a high surrogate.
    High(u16),
    /// After the escape of a high surrogate and a backslash.
    HighEscape(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InNumber {
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
}

impl InNumber {
    const fn next(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Minus, b'0') => Some(Self::Zero),
            (Self::Minus, b'1'..=b'9') | (Self::Integer, b'0'..=b'9') => Some(Self::Integer),
            (Self::Zero | Self::Integer, b'.') => Some(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Some(Self::Fraction),
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Some(Self::Exponent),
            (Self::Exponent, b'+' | b'-') => Some(Self::ExponentSign),
            (Self::Exponent | Self::ExponentSign | Self::ExponentDigits, b'0'..=b'9') => {
                Some(Self::ExponentDigits)
            }
            _ => None,
        }
    }

    const fn is_whole(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::ExponentDigits)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Literal {
    True,
    False,
    Null,
}

impl Literal {
    const fn spelling(self) -> &'static [u8] {
        match self {
            Self::True => b"true",
            Self::False => b"false",
            Self::Null => b"null",
        }
    }

    const fn event(self) -> Event<'static> {
        match self {
            Self::True => Event::Bool(true),
            Self::False => Event::Bool(false),
            Self::Null => Event::Null,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bracket {
    Array,
    Object,
}

/// What the root value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    Object,
    Any,
}

/// The state between two chunks.
#[derive(Debug)]
pub(crate) struct Scanner {
    root: Root,
    state: State,
    in_key: bool,
    /// The first UTF-16 unit of a possible surrogate pair.
    high: u16,
    open: Vec<Bracket>,
    max_depth: usize,
    value_at: usize,
    dense: Dense,
}

impl Scanner {
    pub(crate) const fn new(root: Root, max_depth: usize) -> Self {
        Self {
            root,
            state: State::Start,
            in_key: false,
            high: 0,
            open: Vec::new(),
            max_depth,
            value_at: 0,
            dense: Dense::new(),
        }
    }

    /// The next event, or `None` when the chunk is used up.
    ///
    /// After an error the scanner must not be used again.
    pub(crate) fn next<'a>(&mut self, input: &mut Input<'a>) -> Result<Option<Event<'a>>, Error> {
        loop {
            match self.state {
                State::String(place) => {
                    if let Some(event) = self.string(place, input)? {
                        return Ok(Some(event));
                    }
                    if input.rest().is_empty() {
                        return Ok(None);
                    }
                }
                State::Number(place) => return self.number(place, input),
                State::Literal(literal, seen) => return self.literal(literal, seen, input),
                State::Start
                | State::Value
                | State::FirstElement
                | State::FirstKey
                | State::Key
                | State::Colon
                | State::After
                | State::Done => {
                    let space = input.rest().iter().take_while(|b| is_space(**b)).count();
                    input.skip(space);
                    let Some(byte) = input.peek() else { return Ok(None) };
                    if let Some(event) = self.structure(byte, input)? {
                        return Ok(Some(event));
                    }
                }
            }
        }
    }

    /// The event with its text: what [`Event::Dense`] stands for lies in the scanner.
    pub(crate) fn resolve<'a>(&'a self, event: Event<'a>) -> Event<'a> {
        if let Event::Dense(at) = event {
            return self.piece(Text::Dense(&self.dense), at);
        }
        event
    }

    /// Checks that the root value is complete at the end of the body.
    pub(crate) fn finish(&self, offset: usize) -> Result<(), Error> {
        match self.state {
            State::Done => Ok(()),
            State::Number(place) if self.open.is_empty() && place.is_whole() => Ok(()),
            State::Start => Err(Error::new(ErrorKind::Empty, offset)),
            State::Value
            | State::FirstElement
            | State::FirstKey
            | State::Key
            | State::Colon
            | State::After
            | State::String(_)
            | State::Number(_)
            | State::Literal(..) => Err(Error::new(ErrorKind::Truncated, offset)),
        }
    }

    /// Takes the byte of structure at the cursor.
    fn structure<'a>(
        &mut self,
        byte: u8,
        input: &mut Input<'a>,
    ) -> Result<Option<Event<'a>>, Error> {
        let here = input.offset();
        match (self.state, byte) {
            (State::Start, 0xef) => return Err(Error::new(ErrorKind::ByteOrderMark, here)),
            (State::FirstElement | State::After, b']') => {
                return self.close(Bracket::Array, input).map(Some);
            }
            (State::FirstKey | State::After, b'}') => {
                return self.close(Bracket::Object, input).map(Some);
            }
            (State::Start | State::Value | State::FirstElement, _) => {
                return self.value(byte, input);
            }
            (State::FirstKey | State::Key, b'"') => {
                self.in_key = true;
                self.state = State::String(InString::Run);
            }
            (State::FirstKey | State::Key, _) => {
                return Err(Error::new(ErrorKind::ExpectedKey, here));
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::Colon, _) => return Err(Error::new(ErrorKind::ExpectedColon, here)),
            (State::After, b',') => {
                self.state = match self.open.last() {
                    Some(Bracket::Object) => State::Key,
                    Some(Bracket::Array) | None => State::Value,
                };
            }
            (State::After, _) => return Err(Error::new(ErrorKind::ExpectedCommaOrClose, here)),
            (State::Done | State::String(_) | State::Number(_) | State::Literal(..), _) => {
                return Err(Error::new(ErrorKind::TrailingBytes, here));
            }
        }
        input.skip(1);
        Ok(None)
    }

    fn value<'a>(&mut self, byte: u8, input: &mut Input<'a>) -> Result<Option<Event<'a>>, Error> {
        let here = input.offset();
        self.value_at = here;
        if self.state == State::Start && self.root == Root::Object && byte != b'{' {
            let is_value = matches!(byte, b'"' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n');
            let kind = if is_value { ErrorKind::NotAnObject } else { ErrorKind::ExpectedValue };
            return Err(Error::new(kind, here));
        }
        let state = match byte {
            b'"' => {
                self.in_key = false;
                State::String(InString::Run)
            }
            b'{' | b'[' => {
                if self.open.len() >= self.max_depth {
                    return Err(Error::over(ErrorKind::TooDeep, here, self.max_depth));
                }
                input.skip(1);
                return Ok(Some(if byte == b'{' {
                    self.open.push(Bracket::Object);
                    self.state = State::FirstKey;
                    Event::ObjectStart
                } else {
                    self.open.push(Bracket::Array);
                    self.state = State::FirstElement;
                    Event::ArrayStart
                }));
            }
            b'-' => return self.begin_number(InNumber::Minus, input).map(Some),
            b'0' => return self.begin_number(InNumber::Zero, input).map(Some),
            b'1'..=b'9' => return self.begin_number(InNumber::Integer, input).map(Some),
            b't' => State::Literal(Literal::True, 0),
            b'f' => State::Literal(Literal::False, 0),
            b'n' => State::Literal(Literal::Null, 0),
            _ => return Err(Error::new(ErrorKind::ExpectedValue, here)),
        };
        if matches!(state, State::String(_)) {
            input.skip(1);
        }
        self.state = state;
        Ok(None)
    }

    fn close(&mut self, bracket: Bracket, input: &mut Input<'_>) -> Result<Event<'static>, Error> {
        if self.open.pop() != Some(bracket) {
            return Err(Error::new(ErrorKind::ExpectedCommaOrClose, input.offset()));
        }
        input.skip(1);
        self.after_value();
        Ok(match bracket {
            Bracket::Array => Event::ArrayEnd,
            Bracket::Object => Event::ObjectEnd,
        })
    }

    const fn after_value(&mut self) {
        self.state = if self.open.is_empty() { State::Done } else { State::After };
    }

    fn literal<'a>(
        &mut self,
        literal: Literal,
        seen: usize,
        input: &mut Input<'a>,
    ) -> Result<Option<Event<'a>>, Error> {
        let spelling = literal.spelling().get(seen..).unwrap_or_default();
        let rest = input.rest();
        let same = spelling.iter().zip(rest).take_while(|(a, b)| a == b).count();
        input.skip(same);
        if same == spelling.len() {
            self.after_value();
            return Ok(Some(literal.event()));
        }
        if same < rest.len() {
            return Err(Error::new(ErrorKind::BadLiteral, input.offset()));
        }
        self.state = State::Literal(literal, seen + same);
        Ok(None)
    }

    fn begin_number<'a>(
        &mut self,
        place: InNumber,
        input: &mut Input<'a>,
    ) -> Result<Event<'a>, Error> {
        let first = input.rest();
        input.skip(1);
        self.digits(place, first, input)
    }

    /// Takes the rest of a number's lexeme; `lexeme` starts with the bytes
    /// that the cursor has passed already.
    fn digits<'a>(
        &mut self,
        mut place: InNumber,
        lexeme: &'a [u8],
        input: &mut Input<'a>,
    ) -> Result<Event<'a>, Error> {
        let start = lexeme.len() - input.rest().len();
        let mut taken = start;
        for &byte in input.rest() {
            let Some(next) = place.next(byte) else {
                if !place.is_whole() {
                    return Err(Error::new(ErrorKind::BadNumber, input.offset() + taken - start));
                }
                break;
            };
            place = next;
            taken += 1;
        }
        input.skip(taken - start);
        self.state = State::Number(place);
        Ok(Event::Number(lexeme.get(..taken).unwrap_or_default()))
    }

    fn number<'a>(
        &mut self,
        place: InNumber,
        input: &mut Input<'a>,
    ) -> Result<Option<Event<'a>>, Error> {
        let Some(byte) = input.peek() else { return Ok(None) };
        if place.next(byte).is_some() {
            return self.digits(place, input.rest(), input).map(Some);
        }
        // `01` and `1.` end here; what may follow a number is structure.
        if !place.is_whole() || byte.is_ascii_digit() {
            return Err(Error::new(ErrorKind::BadNumber, input.offset()));
        }
        self.after_value();
        Ok(Some(Event::NumberEnd))
    }

    /// One step inside a string. `None` asks for another step, or for more
    /// input if there is none left.
    fn string<'a>(
        &mut self,
        place: InString,
        input: &mut Input<'a>,
    ) -> Result<Option<Event<'a>>, Error> {
        let here = input.offset();
        if let InString::Unit(unit) = place {
            return Ok(self.unit(unit, here));
        }
        let Some(byte) = input.peek() else { return Ok(None) };
        match place {
            InString::Run => return self.run(input),
            InString::Cut(bytes, len) => return self.cut(bytes, len, byte, input),
            InString::Escape => {
                input.skip(1);
                if byte == b'u' {
                    self.go(InString::Hex { value: 0, digits: 0, high: false });
                } else {
                    let Some(ch) = simple_escape(byte) else {
                        return Err(Error::new(ErrorKind::BadEscape, here));
                    };
                    self.go(InString::Run);
                    return Ok(Some(self.char(ch, 2, here.saturating_sub(1))));
                }
            }
            InString::Hex { value, digits, high } => {
                let Some(digit) = hex_digit(byte) else {
                    return Err(Error::new(ErrorKind::BadEscape, here));
                };
                input.skip(1);
                let value = value << 4 | digit;
                if digits < 3 {
                    self.go(InString::Hex { value, digits: digits + 1, high });
                } else if !high {
                    self.go(InString::Unit(value));
                } else if let Some(ch) = pair(self.high, value) {
                    self.go(InString::Run);
                    return Ok(Some(self.char(ch, 12, (here + 1).saturating_sub(12))));
                } else {
                    // The high surrogate stands alone; what follows is another escape.
                    self.go(InString::Unit(value));
                    return Ok(Some(self.lone((here + 1).saturating_sub(12))));
                }
            }
            InString::High(unit) => {
                if byte == b'\\' {
                    input.skip(1);
                    self.go(InString::HighEscape(unit));
                } else {
                    self.go(InString::Run);
                    return Ok(Some(self.lone(here.saturating_sub(6))));
                }
            }
            InString::HighEscape(unit) => {
                if byte == b'u' {
                    input.skip(1);
                    self.high = unit;
                    self.go(InString::Hex { value: 0, digits: 0, high: true });
                } else {
                    self.go(InString::Escape);
                    return Ok(Some(self.lone(here.saturating_sub(7))));
                }
            }
            InString::Unit(_) => {}
        }
        Ok(None)
    }

    const fn go(&mut self, place: InString) {
        self.state = State::String(place);
    }

    /// Wraps a part of the current key or string.
    const fn piece<'a>(&self, text: Text<'a>, at: usize) -> Event<'a> {
        let piece = Piece { text, at };
        if self.in_key { Event::Key(piece) } else { Event::Text(piece) }
    }

    const fn char(&self, ch: char, raw: usize, at: usize) -> Event<'static> {
        self.piece(Text::Char { ch, raw }, at)
    }

    /// A surrogate without its partner cannot be text: it reads as U+FFFD.
    const fn lone(&self, at: usize) -> Event<'static> {
        self.char(char::REPLACEMENT_CHARACTER, 6, at)
    }

    /// Hands out the unit of an escape that ends at `end`.
    fn unit(&mut self, unit: u16, end: usize) -> Option<Event<'static>> {
        if (0xd800..0xdc00).contains(&unit) {
            self.go(InString::High(unit));
            return None;
        }
        self.go(InString::Run);
        let at = end.saturating_sub(6);
        Some(match char::from_u32(u32::from(unit)) {
            Some(ch) => self.char(ch, 6, at),
            None => self.lone(at),
        })
    }

    /// Takes one more byte of a character that a chunk boundary cut.
    fn cut<'a>(
        &mut self,
        mut bytes: [u8; 4],
        len: usize,
        byte: u8,
        input: &mut Input<'a>,
    ) -> Result<Option<Event<'a>>, Error> {
        let start = input.offset().saturating_sub(len);
        let invalid = Error::new(ErrorKind::InvalidUtf8, start);
        *bytes.get_mut(len).ok_or(invalid)? = byte;
        match str::from_utf8(bytes.get(..=len).ok_or(invalid)?) {
            Ok(text) => {
                input.skip(1);
                self.go(InString::Run);
                Ok(text.chars().next().map(|ch| self.char(ch, len + 1, start)))
            }
            Err(error) if error.error_len().is_none() => {
                input.skip(1);
                self.go(InString::Cut(bytes, len + 1));
                Ok(None)
            }
            Err(_) => Err(invalid),
        }
    }

    /// Takes characters up to the next quote, backslash or end of the chunk.
    fn run<'a>(&mut self, input: &mut Input<'a>) -> Result<Option<Event<'a>>, Error> {
        let rest = input.rest();
        let rest = rest.get(..MAX_RUN_BYTES).unwrap_or(rest);
        let end = memchr2(b'"', b'\\', rest);
        let run = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        if run.is_empty() {
            return self.end_of_run(rest, input);
        }
        let here = input.offset();
        let control =
            if has_control(run) { run.iter().position(|byte| *byte < 0x20) } else { None };
        let run = run.get(..control.unwrap_or(run.len())).unwrap_or_default();
        let text = match str::from_utf8(run) {
            Ok("") => return Err(Error::new(ErrorKind::ControlCharacter, here)),
            Ok(text) => text,
            Err(error) => {
                // What is before a fault is handed out first, so that the
                // outcome does not depend on where the chunks are cut.
                let (text, cut) = run.split_at_checked(error.valid_up_to()).unwrap_or_default();
                let is_cut = error.error_len().is_none() && run.len() == rest.len();
                if text.is_empty() && !is_cut {
                    return Err(Error::new(ErrorKind::InvalidUtf8, here));
                }
                if is_cut {
                    let mut bytes = [0; 4];
                    for (to, from) in bytes.iter_mut().zip(cut) {
                        *to = *from;
                    }
                    input.skip(cut.len());
                    self.go(InString::Cut(bytes, cut.len()));
                }
                str::from_utf8(text).unwrap_or_default()
            }
        };
        input.skip(text.len());
        Ok((!text.is_empty()).then(|| self.piece(Text::Run(text), here)))
    }

    /// Takes the quote or escape at the cursor. Whole escapes are decoded at
    /// once; only those that a chunk boundary cuts go through the states.
    fn end_of_run<'a>(
        &mut self,
        rest: &[u8],
        input: &mut Input<'a>,
    ) -> Result<Option<Event<'a>>, Error> {
        let here = input.offset();
        match *rest {
            [b'"', ..] => {
                input.skip(1);
                return Ok(Some(if self.in_key {
                    self.state = State::Colon;
                    Event::KeyEnd(here)
                } else {
                    self.after_value();
                    Event::TextEnd(self.value_at + 1)
                }));
            }
            _ => {
                let raw = self.dense.fill(rest);
                if raw > 0 {
                    input.skip(raw);
                    return Ok(Some(Event::Dense(here)));
                }
            }
        }
        input.skip(1);
        self.go(InString::Escape);
        Ok(None)
    }
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a byte is below 0x20. Without an early exit this compiles to SIMD.
fn has_control(run: &[u8]) -> bool {
    run.iter().fold(false, |found, byte| found | (*byte < 0x20))
}

/// The character of a high and a low surrogate.
pub(crate) fn pair(high: u16, low: u16) -> Option<char> {
    char::decode_utf16([high, low]).next()?.ok().filter(|ch| *ch > '\u{ffff}')
}

#[cfg(test)]
mod tests;
