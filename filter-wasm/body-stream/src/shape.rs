//! Turns JSON events into passages and facts, by the table in [`crate::place`].

use crate::error::{Error, ErrorKind};
use crate::facts::Facts;
use crate::keys::Keys;
use crate::limits::Limits;
use crate::offsets::OffsetMap;
use crate::opaque::{MAX_SETTING, Opaque, Verdict};
use crate::passage::{Passage, PassageKind, Role};
use crate::place::{Medium, Place};
use crate::pointer::Pointers;
use crate::scanner::{Event, Input, Piece, Root, Scanner, Text};
use std::sync::Arc;

/// Longest key that can be a plain identifier, in bytes.
const MAX_IDENTIFIER: usize = 40;

/// Texts longer than this, in bytes, grow in small steps.
const GROWS_GENTLY: usize = 64 << 10;

/// Whether strings in tool and schema definitions are text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolDefinitions {
    /// They are not: an operator wrote them, and they quote what they guard against.
    #[default]
    Skip,
    /// They are, as passages of kind [`PassageKind::ToolDefinition`].
    Scan,
}

/// One open array or object.
#[derive(Debug)]
struct Frame {
    /// Of an object: what it is. Of an array: what its elements are.
    place: Place,
    is_array: bool,
    /// Elements of the array so far.
    elements: usize,
    /// A media object has declared its data to be plain text.
    media_is_text: bool,
    /// A media object's data has been passed over.
    media_passed: bool,
}

/// What is done with the string that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// None is.
    Nothing,
    /// It is passed over.
    Skip,
    /// It is text: parts go to the last passage.
    Passage,
    /// It may be JSON: parts go to `held`.
    Held,
    /// It is passed over unless it turns out to be text.
    Opaque(Place),
    Model,
}

/// The message whose object is open.
#[derive(Debug)]
struct Message {
    index: u32,
    first_passage: usize,
    role: Role,
    /// Number of open frames around the message.
    depth: usize,
}

#[derive(Debug)]
pub(crate) struct Shape {
    limits: Limits,
    definitions: ToolDefinitions,
    pointers: Option<Pointers>,
    frames: Vec<Frame>,
    /// What the next value is, unless it is an array's element.
    member: Place,
    key: String,
    key_offsets: OffsetMap,
    keys: Keys,
    reading: Reading,
    opaque: Opaque,
    held: Option<Passage>,
    model: String,
    number: Option<u64>,
    /// Role of text that belongs to no message.
    outer_role: Role,
    message: Option<Message>,
    passages: Vec<Passage>,
    text_bytes: usize,
    /// Bytes of maps that passages of one string share.
    shared_bytes: usize,
    facts: Facts,
}

impl Shape {
    /// For a body whose root is an object of a known API.
    pub(crate) fn of_body(limits: Limits) -> Self {
        Self::new(Place::Root, limits)
    }

    /// For a body in which `pointers` name the text.
    pub(crate) fn of_pointers(pointers: Pointers, limits: Limits) -> Self {
        let mut shape = Self::new(Place::Pointers(pointers.all()), limits);
        shape.pointers = Some(pointers);
        shape
    }

    fn new(root: Place, limits: Limits) -> Self {
        Self {
            limits,
            definitions: ToolDefinitions::Skip,
            pointers: None,
            frames: Vec::new(),
            member: root,
            key: String::new(),
            key_offsets: OffsetMap::default(),
            keys: Keys::default(),
            reading: Reading::Nothing,
            opaque: Opaque::default(),
            held: None,
            model: String::new(),
            number: None,
            outer_role: Role::Unspecified,
            message: None,
            passages: Vec::new(),
            text_bytes: 0,
            shared_bytes: 0,
            facts: Facts::default(),
        }
    }

    pub(crate) const fn scan_definitions(&mut self, definitions: ToolDefinitions) {
        self.definitions = definitions;
    }

    pub(crate) fn passages(&self) -> &[Passage] {
        &self.passages
    }

    pub(crate) const fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(crate) const fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    pub(crate) fn other_held_bytes(&self) -> usize {
        self.held.as_ref().map_or(0, Passage::held_bytes) + self.shared_bytes
    }

    /// Takes in the next event.
    pub(crate) fn on(&mut self, event: Event<'_>) -> Result<(), Error> {
        match event {
            Event::Text(piece) => self.text(piece),
            Event::TextEnd(at) => self.text_end(at),
            Event::Key(piece) => self.key_piece(piece),
            Event::KeyEnd(at) => self.key_end(at),
            // Resolved by the scanner.
            Event::Dense(_) => Ok(()),
            Event::ObjectStart => {
                self.open(false);
                Ok(())
            }
            Event::ArrayStart => {
                self.open(true);
                Ok(())
            }
            Event::ObjectEnd | Event::ArrayEnd => {
                self.close();
                Ok(())
            }
            Event::Number(digits) => {
                self.number(digits);
                Ok(())
            }
            Event::NumberEnd => {
                self.number_end();
                Ok(())
            }
            Event::Bool(value) => {
                if self.begin_value() == Place::Stream {
                    self.facts.stream = Some(value);
                }
                Ok(())
            }
            Event::Null => {
                self.begin_value();
                Ok(())
            }
        }
    }

    /// What the value that begins here is.
    fn begin_value(&mut self) -> Place {
        let Some(frame) = self.frames.last_mut() else { return self.member };
        if !frame.is_array {
            return self.member;
        }
        let index = frame.elements;
        frame.elements += 1;
        match (frame.place, &self.pointers) {
            (Place::Pointers(matching), Some(pointers)) => {
                pointers.step_index(matching, self.frames.len() - 1, index)
            }
            (place, _) => place,
        }
    }

    fn open(&mut self, is_array: bool) {
        let mut place = self.begin_value();
        if place == Place::Definitions || place == Place::TextFormat && !is_array {
            self.facts.tools |= place == Place::Definitions;
            place = match self.definitions {
                ToolDefinitions::Skip => Place::Skip,
                ToolDefinitions::Scan => Place::Free(PassageKind::ToolDefinition),
            };
        }
        if let Place::Media(medium) = place {
            self.see_medium(medium);
        }
        let place = if is_array { place.element() } else { place.object() };
        if place == Place::Message && !is_array {
            self.message = Some(Message {
                index: self.facts.messages,
                first_passage: self.passages.len(),
                role: Role::Unspecified,
                depth: self.frames.len(),
            });
            self.facts.messages = self.facts.messages.saturating_add(1);
        }
        if !is_array {
            self.keys.open();
        }
        self.frames.push(Frame {
            place,
            is_array,
            elements: 0,
            media_is_text: false,
            media_passed: false,
        });
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if !frame.is_array {
            self.keys.close();
        }
        self.facts.unscreenable.late_text |= frame.media_is_text && frame.media_passed;
        if let Some(message) = self.message.take_if(|message| message.depth == self.frames.len()) {
            for passage in self.passages.iter_mut().skip(message.first_passage) {
                (passage.role, passage.kind) = settle(passage.kind, message.role);
            }
        }
    }

    fn key_piece(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        if self.frames.last().is_some_and(|frame| frame.place.is_skipped()) {
            return Ok(());
        }
        if self.key.is_empty() {
            self.key_offsets = OffsetMap::starting_at(piece.at);
        }
        let room = self.limits.max_key_bytes - self.key.len();
        if let Some(over) = push(&mut self.key, &mut self.key_offsets, piece, room) {
            return Err(Error::over(ErrorKind::KeyTooLong, over, self.limits.max_key_bytes));
        }
        Ok(())
    }

    fn key_end(&mut self, quote: usize) -> Result<(), Error> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let place = frame.place;
        if place.is_skipped() {
            self.member = place;
            return Ok(());
        }
        let at = match self.key.is_empty() {
            true => quote,
            false => self.key_offsets.raw_range(0..0).unwrap_or_default().start,
        };
        self.keys.insert(&self.key, place.has_known_keys(), at, self.limits.max_object_keys)?;
        self.member = match (place, &self.pointers) {
            (Place::Pointers(matching), Some(pointers)) => {
                pointers.step_key(matching, self.frames.len() - 1, &self.key)
            }
            _ => place.member(&self.key),
        };
        if self.frames.len() == 1 {
            self.outer_role = match self.key.as_str() {
                "system" | "instructions" => Role::System,
                _ => Role::Unspecified,
            };
            if matches!(self.member, Place::Pointers(_) | Place::Skip) && self.key == "model" {
                self.member = Place::Model;
            }
        }
        match place.key_kind() {
            Some(kind) if !is_identifier(&self.key) => {
                let text = core::mem::take(&mut self.key);
                let offsets = core::mem::take(&mut self.key_offsets);
                self.add_passage(kind, text, offsets, at)?;
                self.complete();
            }
            _ => self.key.clear(),
        }
        Ok(())
    }

    fn text(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        if self.reading == Reading::Nothing {
            self.begin_string(Some(piece.at))?;
        }
        match self.reading {
            Reading::Nothing | Reading::Skip => Ok(()),
            Reading::Passage => self.grow(piece),
            Reading::Held => {
                let room = self.room(self.held.as_ref().map_or(0, |held| held.text.len()));
                let Some(held) = &mut self.held else { return Ok(()) };
                match push(&mut held.text, &mut held.offsets, piece, room) {
                    None => Ok(()),
                    Some(over) => Err(self.too_much_text(over)),
                }
            }
            Reading::Opaque(place) => match piece.text {
                // The first of the parts may settle what the others are.
                Text::Dense(dense) => dense.pieces(piece.at).try_for_each(|piece| self.text(piece)),
                Text::Run(_) | Text::Char { .. } => self.opaque_piece(piece, place),
            },
            Reading::Model => {
                let max = self.limits.max_model_bytes;
                let room = max - self.model.len();
                match push(&mut self.model, &mut OffsetMap::default(), piece, room) {
                    None => Ok(()),
                    Some(over) => Err(Error::over(ErrorKind::ModelTooLong, over, max)),
                }
            }
        }
    }

    /// Decides what to do with the string that begins; `first` is the offset
    /// of its first character, `None` if it has none.
    fn begin_string(&mut self, first: Option<usize>) -> Result<(), Error> {
        let place = self.begin_value();
        let frame = self.frames.last();
        self.reading = match place {
            Place::Free(kind) | Place::Content(kind) => self.begin_text(kind, first)?,
            Place::Unknown | Place::TextFormat => self.begin_text(PassageKind::Other, first)?,
            Place::Items | Place::Prompt => {
                let reading = self.begin_text(PassageKind::Content, first)?;
                if let Some(passage) = self.passages.last_mut().filter(|_| first.is_some()) {
                    passage.role = Role::User;
                    passage.message = self.facts.messages;
                }
                self.facts.messages = self.facts.messages.saturating_add(1);
                reading
            }
            Place::Arguments => {
                self.held = Some(self.passage(PassageKind::ToolArguments, first.unwrap_or(0)));
                Reading::Held
            }
            Place::MediaData if frame.is_some_and(|frame| frame.media_is_text) => {
                self.begin_text(PassageKind::Content, first)?
            }
            Place::Media(medium) => {
                self.see_medium(medium);
                Reading::Opaque(place)
            }
            Place::Call
            | Place::Setting
            | Place::Blob
            | Place::MediaData
            | Place::MediaType
            | Place::PartType
            | Place::Role
            | Place::Reference => Reading::Opaque(place),
            Place::Model => {
                self.model.clear();
                Reading::Model
            }
            Place::Definitions => match self.definitions {
                ToolDefinitions::Skip => Reading::Skip,
                ToolDefinitions::Scan => self.begin_text(PassageKind::ToolDefinition, first)?,
            },
            // A string where an object belongs is no known shape.
            Place::Root | Place::Message | Place::StoredPrompt => {
                self.begin_text(PassageKind::Other, first)?
            }
            Place::Pointers(_) | Place::Stream | Place::MaxTokens | Place::Skip => Reading::Skip,
        };
        Ok(())
    }

    fn text_end(&mut self, first: usize) -> Result<(), Error> {
        if self.reading == Reading::Nothing {
            self.begin_string(None)?;
        }
        match core::mem::replace(&mut self.reading, Reading::Nothing) {
            Reading::Nothing | Reading::Skip => {}
            Reading::Passage => self.complete(),
            Reading::Held => return self.arguments_end(),
            Reading::Opaque(place) => return self.opaque_end(place, first),
            Reading::Model => self.facts.model = Some(core::mem::take(&mut self.model)),
        }
        Ok(())
    }

    // Text and passages.

    /// Begins a passage if the string has any characters.
    fn begin_text(&mut self, kind: PassageKind, first: Option<usize>) -> Result<Reading, Error> {
        let Some(at) = first else { return Ok(Reading::Skip) };
        self.add_passage(kind, String::new(), OffsetMap::starting_at(at), at)?;
        Ok(Reading::Passage)
    }

    fn passage(&self, kind: PassageKind, at: usize) -> Passage {
        let (message, role) = match &self.message {
            Some(message) => (message.index, message.role),
            None => (Passage::NO_MESSAGE, self.outer_role),
        };
        let (role, kind) = settle(kind, role);
        let offsets = OffsetMap::starting_at(at);
        Passage { role, kind, message, text: String::new(), complete: false, offsets }
    }

    /// Adds a passage that holds `text` already.
    fn add_passage(
        &mut self,
        kind: PassageKind,
        text: String,
        offsets: OffsetMap,
        at: usize,
    ) -> Result<(), Error> {
        if self.passages.len() >= self.limits.max_passages {
            let max = self.limits.max_passages;
            return Err(Error::over(ErrorKind::TooManyPassages, at, max));
        }
        if text.len() > self.room(0) {
            return Err(self.too_much_text(at));
        }
        self.text_bytes += text.len();
        let passage = Passage { text, offsets, ..self.passage(kind, at) };
        self.passages.push(passage);
        Ok(())
    }

    fn grow(&mut self, piece: Piece<'_>) -> Result<(), Error> {
        let room = self.room(0);
        let Some(passage) = self.passages.last_mut() else { return Ok(()) };
        let before = passage.text.len();
        let over = push(&mut passage.text, &mut passage.offsets, piece, room);
        self.text_bytes += passage.text.len() - before;
        match over {
            None => Ok(()),
            Some(over) => Err(self.too_much_text(over)),
        }
    }

    /// Bytes of text that may still be added, besides `more`.
    const fn room(&self, more: usize) -> usize {
        self.limits.max_text_bytes.saturating_sub(self.text_bytes + more)
    }

    const fn too_much_text(&self, at: usize) -> Error {
        Error::over(ErrorKind::TextTooLarge, at, self.limits.max_text_bytes)
    }

    fn complete(&mut self) {
        if let Some(passage) = self.passages.last_mut() {
            passage.complete = true;
            passage.text.shrink_to_fit();
        }
    }

    // Strings that may be text after all.

    fn opaque_piece(&mut self, piece: Piece<'_>, place: Place) -> Result<(), Error> {
        let is_blob = matches!(place, Place::Blob | Place::Media(_) | Place::MediaData);
        let max = if is_blob { usize::MAX } else { MAX_SETTING };
        let Verdict::TextFrom(from) = self.opaque.push(piece, max) else { return Ok(()) };
        self.reveal(place, piece.at)?;
        self.reading = Reading::Passage;
        match piece.text {
            Text::Run(run) => {
                let text = Text::Run(run.get(from..).unwrap_or_default());
                self.grow(Piece { text, at: piece.at + from })
            }
            Text::Char { .. } | Text::Dense(_) => self.grow(piece),
        }
    }

    /// Turns what is held of an opaque string into a passage.
    fn reveal(&mut self, place: Place, at: usize) -> Result<(), Error> {
        let is_data = place == Place::MediaData;
        let kind = if is_data { PassageKind::Content } else { PassageKind::Other };
        let (text, offsets) = self.opaque.take();
        let offsets = if text.is_empty() { OffsetMap::starting_at(at) } else { offsets };
        self.add_passage(kind, text, offsets, at)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "the other places say nothing")]
    fn opaque_end(&mut self, place: Place, first: usize) -> Result<(), Error> {
        let whole = self.opaque.whole().unwrap_or_default();
        let modalities = &mut self.facts.modalities;
        match place {
            Place::Role => match (Role::parse(whole), &mut self.message) {
                (Some(role), Some(message)) => message.role = role,
                // Some servers write an unknown role into the prompt as it is.
                _ if !whole.is_empty() => {
                    self.reveal(place, first)?;
                    self.complete();
                }
                _ => {}
            },
            Place::PartType => {
                modalities.image |= matches!(whole, "image" | "input_image" | "image_url");
                modalities.audio |= matches!(whole, "audio" | "input_audio" | "audio_url");
                modalities.video |= matches!(whole, "video" | "input_video" | "video_url");
                modalities.file |= matches!(whole, "file" | "input_file" | "document");
                self.facts.unscreenable.references |= whole == "item_reference";
            }
            Place::MediaType => {
                modalities.image |= whole.starts_with("image/");
                modalities.audio |= whole.starts_with("audio/");
                modalities.video |= whole.starts_with("video/");
                let is_text = whole == "text" || whole.starts_with("text/");
                modalities.file |= is_text || whole.starts_with("application/");
                if let Some(frame) = self.frames.last_mut() {
                    frame.media_is_text |= is_text;
                }
            }
            Place::MediaData => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.media_passed |= self.opaque.seen() > 0;
                }
            }
            Place::Reference => self.facts.unscreenable.references |= self.opaque.seen() > 0,
            _ => {}
        }
        self.opaque.reset();
        Ok(())
    }

    const fn see_medium(&mut self, medium: Medium) {
        match medium {
            Medium::Image => self.facts.modalities.image = true,
            Medium::Audio => self.facts.modalities.audio = true,
            Medium::File => self.facts.modalities.file = true,
            Medium::Video => self.facts.modalities.video = true,
            Medium::Embeddings => self.facts.unscreenable.embeddings = true,
            Medium::Any => {}
        }
    }

    // Numbers.

    fn number(&mut self, digits: &[u8]) {
        let first = self.reading == Reading::Nothing;
        if first {
            let place = self.begin_value();
            self.facts.unscreenable.token_ids |= matches!(place, Place::Items | Place::Prompt);
            self.number = (place == Place::MaxTokens).then_some(0);
            self.reading = Reading::Skip;
        }
        self.number = self.number.and_then(|number| {
            digits.iter().try_fold(number, |number, byte| {
                let digit = u64::from(byte.wrapping_sub(b'0'));
                (digit < 10).then(|| number.saturating_mul(10).saturating_add(digit))
            })
        });
    }

    fn number_end(&mut self) {
        self.reading = Reading::Nothing;
        self.facts.max_tokens = self.facts.max_tokens.max(self.number.take());
    }

    // JSON in a string.

    /// Turns the string that is held into passages: one for each string in
    /// it if it is JSON, else one for all of it.
    fn arguments_end(&mut self) -> Result<(), Error> {
        let Some(mut held) = self.held.take().filter(|held| !held.text.is_empty()) else {
            return Ok(());
        };
        let outer = Arc::new(core::mem::take(&mut held.offsets));
        let raw = |at: usize| outer.raw_range(at..at).unwrap_or_default().start;
        let limits = Limits {
            max_text_bytes: self.room(0),
            max_passages: self.limits.max_passages - self.passages.len(),
            ..self.limits
        };
        let mut inner = Self::new(Place::Free(PassageKind::ToolArguments), limits);
        inner.keys.allow_duplicates();
        let mut scanner = Scanner::new(Root::Any, self.limits.max_depth);
        match read(&mut scanner, &mut inner, held.text.as_bytes(), 0)
            .and_then(|()| scanner.finish(held.text.len()))
        {
            Ok(()) => {
                self.text_bytes += inner.text_bytes;
                self.shared_bytes += outer.held_bytes();
                for mut passage in inner.passages {
                    passage.offsets.nest_in(&outer);
                    passage.message = held.message;
                    passage.role = held.role;
                    self.passages.push(passage);
                }
                Ok(())
            }
            // A cap, unlike bad syntax, must not be a way to hide text in escapes.
            Err(error) if error.kind() == ErrorKind::TextTooLarge => {
                Err(self.too_much_text(raw(error.offset())))
            }
            Err(error) if error.kind() == ErrorKind::TooManyPassages => {
                let max = self.limits.max_passages;
                Err(Error::over(ErrorKind::TooManyPassages, raw(error.offset()), max))
            }
            Err(error) if error.limit().is_some() => {
                let limit = error.limit().unwrap_or_default();
                Err(Error::over(error.kind(), raw(error.offset()), limit))
            }
            Err(_) => {
                let at = raw(0);
                match read_escapes(&held.text) {
                    Some((text, mut offsets)) => {
                        offsets.nest_in(&outer);
                        self.shared_bytes += outer.held_bytes();
                        self.add_passage(PassageKind::ToolArguments, text, offsets, at)?;
                    }
                    None => {
                        let Passage { text, .. } = held;
                        let offsets =
                            Arc::try_unwrap(outer).unwrap_or_else(|shared| (*shared).clone());
                        self.add_passage(PassageKind::ToolArguments, text, offsets, at)?;
                    }
                }
                self.complete();
                Ok(())
            }
        }
    }
}

/// Takes a chunk that starts at byte `base` through the scanner to the shape.
pub(crate) fn read(
    scanner: &mut Scanner,
    shape: &mut Shape,
    chunk: &[u8],
    base: usize,
) -> Result<(), Error> {
    let mut input = Input::new(chunk, base);
    while let Some(event) = scanner.next(&mut input)? {
        shape.on(scanner.resolve(event))?;
    }
    Ok(())
}

/// Role and kind of a passage in a message of role `role`.
const fn settle(kind: PassageKind, role: Role) -> (Role, PassageKind) {
    match (kind, role) {
        (PassageKind::ToolResult, _) | (PassageKind::Content, Role::Tool) => {
            (Role::Tool, PassageKind::ToolResult)
        }
        (PassageKind::ToolArguments, Role::Unspecified) => (Role::Assistant, kind),
        _ => (role, kind),
    }
}

/// Appends a piece of at most `room` bytes, else returns the offset of the
/// first character that is too much.
fn push(
    text: &mut String,
    offsets: &mut OffsetMap,
    piece: Piece<'_>,
    room: usize,
) -> Option<usize> {
    match piece.text {
        Text::Run(run) if run.len() <= room => {
            make_room(text, run.len());
            text.push_str(run);
            offsets.push_verbatim(run.len());
        }
        Text::Run(run) => return Some(piece.at + run.floor_char_boundary(room)),
        Text::Char { ch, raw } if ch.len_utf8() <= room => {
            text.push(ch);
            offsets.push_char(ch.len_utf8(), raw);
        }
        Text::Char { .. } => return Some(piece.at),
        Text::Dense(dense) if dense.text().len() <= room => {
            make_room(text, dense.text().len());
            dense.push_to(text, offsets);
        }
        Text::Dense(dense) => {
            let before = text.len();
            return dense.pieces(piece.at).find_map(|piece| {
                let room = room - (text.len() - before);
                push(text, offsets, piece, room)
            });
        }
    }
    None
}

/// Makes room for `more` bytes. A long text grows by a quarter and not to the double: most of what the filter holds is text.
fn make_room(text: &mut String, more: usize) {
    if text.capacity() - text.len() < more && text.len() > GROWS_GENTLY {
        text.reserve_exact(more.max(text.len() / 4));
    }
}

/// Whether a key can be the name of a field and hardly anything else.
fn is_identifier(key: &str) -> bool {
    key.len() <= MAX_IDENTIFIER
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'$'))
        && !key.starts_with(|ch: char| ch.is_ascii_digit() || ch == '-' || ch == '.')
}

/// The text with each well-formed `\uXXXX` decoded, for text that is almost
/// JSON: a lenient parser may read what a strict one refuses. `None` if there is none.
fn read_escapes(text: &str) -> Option<(String, OffsetMap)> {
    memchr::memmem::find(text.as_bytes(), b"\\u")?;
    let mut out = String::with_capacity(text.len());
    let mut offsets = OffsetMap::starting_at(0);
    let mut rest = text;
    while let Some(at) = memchr::memmem::find(rest.as_bytes(), b"\\u") {
        let (before, escape) = rest.split_at_checked(at)?;
        out.push_str(before);
        offsets.push_verbatim(before.len());
        let unit = |from: usize| {
            let digits = escape.get(from..)?.strip_prefix("\\u")?.get(..4)?;
            digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(())?;
            u16::from_str_radix(digits, 16).ok()
        };
        let (ch, raw) = match (unit(0), unit(6)) {
            (Some(high), Some(low)) if (0xd800..0xdc00).contains(&high) => {
                match char::decode_utf16([high, low]).next() {
                    Some(Ok(ch)) => (ch, 12),
                    _ => (char::REPLACEMENT_CHARACTER, 6),
                }
            }
            (Some(unit), _) => {
                (char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
            }
            (None, _) => ('\\', 1),
        };
        out.push(ch);
        offsets.push_char(ch.len_utf8(), raw);
        rest = escape.get(raw..)?;
    }
    out.push_str(rest);
    offsets.push_verbatim(rest.len());
    Some((out, offsets))
}
