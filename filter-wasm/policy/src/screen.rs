//! The text of one request on its way from body bytes to a question for the daemon, and spans on their way back.
//!
//! Everything that can overlap with the upload does: each chunk is decoded, parsed, normalised, searched by the
//! recognisers and counted by the compressor as it comes. After the last byte only selection and encoding are left.

use std::collections::BTreeMap;
use std::ops::Range;

use body_stream::encoding::{self, Decoder, Encoding};
use body_stream::{
    Api, BodyReader, Edit, ErrorClass, ErrorKind, Facts, Passage, PassageKind, Redactor, Role,
};
use compress::{Compressor, Flag, Mode, SelectRequest, Selection};
use forebay_proto::v1;
use recognise::{Normaliser, Recogniser, Scanner};

use crate::config::{Config, Coverage, Placeholders, SignalConfig};
use crate::decision::Entity;
use crate::question::{self, Plan, Question, Sent, wire_role};
use crate::reply::Refusal;
use crate::restore::Placeholder;

/// Text up to this many bytes is not given to the compressor while it comes: most of it fits the budget and is read
/// whole, and the compressor's tables are larger.
const SHORT_TEXT_BYTES: usize = 2048;

/// Bytes of a chunk that are read before the memory held is looked at again.
const STEP_BYTES: usize = 16 << 10;

/// The same of an encoded chunk, which may decode to some hundred times as many.
const ENCODED_STEP_BYTES: usize = 1 << 10;

/// The text side of one request.
#[derive(Debug)]
pub(crate) struct Screen {
    reader: BodyReader,
    /// Set when the body is encoded.
    decoder: Option<Decoder>,
    encoding: Option<Encoding>,
    caps: encoding::Caps,
    received: usize,
    max_body_bytes: usize,
    texts: Vec<Text>,
    /// Passages before this one are complete and have been read to their end.
    settled: usize,
    /// Memory that those hold, in bytes.
    settled_bytes: usize,
    /// Memory that the last, incomplete one holds, in bytes.
    open_bytes: usize,
    /// Whether a signal is on. Without one the body is parsed and no more.
    is_read: bool,
    compress: Reading,
}

/// How the compressor gets its text.
#[derive(Debug)]
enum Reading {
    /// While it comes, once it is long; possible when all of it is screened, whoever wrote it.
    Early(compress::Config, Option<Box<Compressor>>),
    /// At the end, since a role may be known only when its message has ended; or never.
    Late(compress::Config),
}

#[derive(Debug, Default)]
struct Text {
    normaliser: Normaliser,
    scanner: Scanner,
}

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The client's doing.
    Refused(Refusal),
    /// More memory would be held than there is room for.
    Full,
}

impl Screen {
    pub(crate) fn new(api: &Api, encoding: Option<Encoding>, config: &Config) -> Self {
        let limits = body_stream::Limits {
            max_body_bytes: config.limits.max_body_bytes,
            max_text_bytes: config.limits.max_text_bytes,
            max_depth: config.limits.max_depth,
            ..Default::default()
        };
        let caps = encoding::Caps {
            max_decoded_bytes: config.limits.max_body_bytes,
            ..Default::default()
        };
        let selects = selects(&config.jailbreak) || selects(&config.pii) || selects(&config.domain);
        let early = selects && config.scans_every_role() && config.trusted_prefixes.is_empty();
        Self {
            reader: BodyReader::new(api, limits).with_tool_definitions(config.tool_definitions),
            decoder: encoding.map(|encoding| Decoder::new(encoding, caps)),
            encoding,
            caps,
            received: 0,
            max_body_bytes: config.limits.max_body_bytes,
            texts: Vec::new(),
            settled: 0,
            settled_bytes: 0,
            open_bytes: 0,
            is_read: config.jailbreak.action.is_some()
                || config.pii.action.is_some()
                || config.domain.action.is_some(),
            compress: if early {
                Reading::Early(config.compress, None)
            } else {
                Reading::Late(config.compress)
            },
        }
    }

    /// Bytes of memory held, for the worker's budget.
    pub(crate) fn held_bytes(&self) -> usize {
        let compressor = match &self.compress {
            Reading::Early(_, Some(compressor)) => compressor.held_bytes(),
            Reading::Early(_, None) | Reading::Late(_) => 0,
        };
        self.settled_bytes
            + self.open_bytes
            + self.reader.other_held_bytes()
            + self.decoder.as_ref().map_or(0, Decoder::held_bytes)
            + compressor
    }

    /// Bytes of the body, as received.
    pub(crate) const fn received(&self) -> usize {
        self.received
    }

    pub(crate) const fn encoding(&self) -> Option<Encoding> {
        self.encoding
    }

    pub(crate) fn facts(&self) -> &Facts {
        self.reader.facts()
    }

    /// Reads the next bytes of the body, as long as at most `room` bytes of memory are held.
    pub(crate) fn feed(
        &mut self,
        chunk: &[u8],
        recogniser: &Recogniser,
        room: usize,
    ) -> Result<(), Fault> {
        self.received = self.received.saturating_add(chunk.len());
        if self.received > self.max_body_bytes {
            return Err(Fault::Refused(Refusal::BodyTooLarge));
        }
        let step = if self.decoder.is_some() { ENCODED_STEP_BYTES } else { STEP_BYTES };
        for part in chunk.chunks(step) {
            match &mut self.decoder {
                None => self.reader.feed(part).map_err(refusal)?,
                Some(decoder) => {
                    let reader = &mut self.reader;
                    decoder.decode(part, &mut |piece| reader.feed(piece)).map_err(refusal)?;
                }
            }
            self.advance(recogniser);
            if self.held_bytes() > room {
                return Err(Fault::Full);
            }
        }
        Ok(())
    }

    /// The body has ended.
    pub(crate) fn finish(&mut self, recogniser: &Recogniser, room: usize) -> Result<(), Fault> {
        if self.received == 0 {
            return Err(Fault::Refused(Refusal::EmptyBody));
        }
        if let Some(mut decoder) = self.decoder.take() {
            decoder.finish().map_err(refusal)?;
        }
        self.reader.finish().map_err(refusal)?;
        self.advance(recogniser);
        if self.held_bytes() > room { Err(Fault::Full) } else { Ok(()) }
    }

    fn advance(&mut self, recogniser: &Recogniser) {
        let passages = self.reader.passages();
        self.texts.resize_with(passages.len(), Text::default);
        let mut compressor = match &mut self.compress {
            Reading::Early(config, slot) => {
                if slot.is_none() && self.reader.text_bytes() > SHORT_TEXT_BYTES {
                    let mut compressor = Compressor::new(config);
                    for at in 0..self.settled {
                        compressor.advance(at, normal(passages, &self.texts, at), true);
                    }
                    *slot = Some(Box::new(compressor));
                }
                slot.as_mut()
            }
            Reading::Late(_) => None,
        };
        let mut settled = self.settled;
        self.open_bytes = 0;
        for (index, (passage, text)) in
            passages.iter().zip(&mut self.texts).enumerate().skip(settled)
        {
            if self.is_read {
                text.normaliser.advance(&passage.text, passage.complete);
                let normal = text.normaliser.text(&passage.text);
                text.scanner.advance(recogniser, normal, passage.complete);
                if let Some(compressor) = &mut compressor {
                    compressor.advance(index, normal, passage.complete);
                }
            }
            let held = passage.held_bytes()
                + size_of::<Text>()
                + text.normaliser.held_bytes()
                + text.scanner.held_bytes();
            if passage.complete && index == settled {
                settled += 1;
                self.settled_bytes += held;
            } else {
                self.open_bytes += held;
            }
        }
        self.settled = settled;
    }

    /// Frees what only the question needs. Spans still find their way back.
    pub(crate) fn release(&mut self) {
        if let Reading::Early(_, compressor) = &mut self.compress {
            *compressor = None;
        }
        self.settled_bytes = 0;
        for (passage, text) in self.reader.passages().iter().zip(&mut self.texts) {
            text.normaliser.release_text();
            self.settled_bytes +=
                passage.held_bytes() + size_of::<Text>() + text.normaliser.held_bytes();
            text.scanner = Scanner::new();
        }
    }

    /// The stretches of passages' normalised text that the configuration screens: of the configured roles, without a
    /// trusted prefix, with something in them.
    fn screened(&self, config: &Config) -> Vec<Sent> {
        let stretch = |passage: usize| {
            let text = self.normal(passage);
            Sent { passage, range: self.trusted_bytes(passage, config)..text.len() }
        };
        let has_text = |sent: &Sent| self.text_of(sent).chars().any(|c| !c.is_whitespace());
        self.reader
            .passages()
            .iter()
            .enumerate()
            .filter(|(_, p)| config.scan_roles.contains(&p.role))
            .map(|(index, _)| stretch(index))
            .filter(has_text)
            .collect()
    }

    /// Bytes of normalised text at the start of a passage that the operator wrote.
    fn trusted_bytes(&self, passage: usize, config: &Config) -> usize {
        let role = self.reader.passages().get(passage).map(|p| p.role);
        if !matches!(role, Some(Role::System | Role::Developer)) {
            return 0;
        }
        let text = self.normal(passage);
        let prefixes = config.trusted_prefixes.iter().filter(|p| text.starts_with(p.as_str()));
        prefixes.map(String::len).max().unwrap_or(0)
    }

    fn text_of(&self, sent: &Sent) -> &str {
        self.normal(sent.passage).get(sent.range.clone()).unwrap_or_default()
    }

    fn normal(&self, index: usize) -> &str {
        normal(self.reader.passages(), &self.texts, index)
    }

    /// What to ask the daemon; `None` when there is no text to screen or no signal is on.
    pub(crate) fn question(&mut self, request_id: &str, config: &Config) -> Option<Question> {
        if !self.is_read {
            return None;
        }
        let screened = self.screened(config);
        if screened.is_empty() {
            return None;
        }
        let signals = [
            (v1::Signal::Jailbreak, config.jailbreak.action.map(|_| config.jailbreak.coverage)),
            (v1::Signal::Pii, config.pii.action.map(|_| config.pii.coverage)),
            (v1::Signal::Domain, config.domain.action.map(|_| config.domain.coverage)),
        ];
        let mut plan = Plan::default();
        // Signals of one coverage read one selection.
        let mut selections: [Option<Selection>; 2] = [None, None];
        let mut sizes = None;
        let mut cut = Vec::new();
        let mut shares = Vec::new();
        let all_bytes: usize = screened.iter().map(|sent| sent.range.len()).sum();
        for (signal, coverage) in signals {
            let Some(coverage) = coverage else { continue };
            let reading = match coverage {
                Coverage::Full => screened.clone(),
                Coverage::Compressed | Coverage::Guarded => {
                    let [compressed, guarded] = &mut selections;
                    let (slot, mode) = if coverage == Coverage::Guarded {
                        (guarded, Mode::Guarded)
                    } else {
                        (compressed, Mode::Compressed)
                    };
                    let selection =
                        slot.get_or_insert_with(|| self.select(&screened, mode, config));
                    if selection.overflowed {
                        cut.push(signal);
                    }
                    sizes = Some((selection.tokens_in, selection.tokens_kept));
                    if selection.whole {
                        screened.clone()
                    } else {
                        selection
                            .pieces
                            .iter()
                            .map(|p| Sent { passage: p.passage, range: p.range.clone() })
                            .collect()
                    }
                }
            };
            let bytes: usize = reading.iter().map(|sent| sent.range.len()).sum();
            shares.push((signal, bytes as f32 / all_bytes.max(1) as f32));
            plan.ask(signal, &reading);
        }
        let (tokens_in, tokens_kept) = sizes.unwrap_or_else(|| {
            let tokens = screened.iter().map(|s| compress::estimate_tokens(self.text_of(s))).sum();
            (tokens, tokens)
        });
        // All is selected. What selecting needed is freed before the message is made.
        if let Reading::Early(_, compressor) = &mut self.compress {
            *compressor = None;
        }
        let role = |sent: &Sent| self.reader.passages().get(sent.passage).map(|p| p.role);
        let passages: Vec<(v1::Role, &str)> =
            plan.sent.iter().map(|sent| (wire_role(role(sent)), self.text_of(sent))).collect();
        let asked = plan.signals.iter().map(v1::SignalRequest::signal).collect();
        let request_id = request_id.chars().take(128).collect();
        Some(Question {
            message: question::encode(request_id, plan.signals, &passages),
            asked,
            sent: plan.sent,
            cut,
            shares,
            tokens_in,
            tokens_kept,
        })
    }

    fn select(&mut self, screened: &[Sent], mode: Mode, config: &Config) -> Selection {
        let passages = self.reader.passages();
        let early = matches!(self.compress, Reading::Early(..));
        let mut late;
        let compressor = match &mut self.compress {
            Reading::Early(config, slot) => {
                slot.get_or_insert_with(|| Box::new(Compressor::new(config))).as_mut()
            }
            Reading::Late(config) => {
                late = Compressor::new(config);
                &mut late
            }
        };
        let whole = |passage: usize| Sent {
            passage,
            range: 0..normal(passages, &self.texts, passage).len(),
        };
        let stretches: Vec<Sent> =
            if early { (0..passages.len()).map(whole).collect() } else { screened.to_vec() };
        let texts: Vec<&str> = stretches
            .iter()
            .map(|s| {
                normal(passages, &self.texts, s.passage).get(s.range.clone()).unwrap_or_default()
            })
            .collect();
        let roles: Vec<compress::Role> = stretches
            .iter()
            .filter_map(|s| passages.get(s.passage))
            .map(|passage| select_role(passage.role, passage.kind))
            .collect();
        let mut flagged = Vec::new();
        for (number, stretch) in stretches.iter().enumerate() {
            let hits = self.texts.get(stretch.passage).map(|text| text.scanner.hits());
            for hit in hits.unwrap_or_default() {
                let start = hit.range.start.saturating_sub(stretch.range.start);
                let end = hit.range.end.saturating_sub(stretch.range.start);
                if start < end {
                    flagged.push(Flag { passage: number, range: start..end });
                }
            }
        }
        let mut selection = compressor.select(SelectRequest {
            texts: &texts,
            roles: &roles,
            flagged: &flagged,
            budget_tokens: config.budget_tokens,
            mode,
        });
        for piece in &mut selection.pieces {
            if let Some(stretch) = stretches.get(piece.passage) {
                piece.passage = stretch.passage;
                piece.range.start += stretch.range.start;
                piece.range.end += stretch.range.start;
            }
        }
        selection
    }

    /// Whether some text was disguised, so that its reader and a classifier would read different words.
    pub(crate) fn is_obfuscated(&self) -> bool {
        self.texts.iter().any(|text| text.normaliser.changes().is_obfuscated())
    }

    /// What the recognisers found in the screened passages.
    pub(crate) fn recognised(&self, config: &Config) -> Vec<Entity> {
        let mut entities = Vec::new();
        for (index, (passage, text)) in self.reader.passages().iter().zip(&self.texts).enumerate() {
            if text.scanner.hits().is_empty() || !config.scan_roles.contains(&passage.role) {
                continue;
            }
            let trusted = self.trusted_bytes(index, config);
            let hits = text.scanner.hits().iter().filter(|hit| hit.range.end > trusted);
            entities.extend(hits.map(|hit| Entity {
                passage: index,
                range: text.normaliser.original_range(hit.range.clone()),
                entity_type: hit.entity.name().to_owned(),
            }));
        }
        entities
    }

    /// Where a span of a sent passage lies in the body's passages.
    pub(crate) fn locate(
        &self,
        question: &Question,
        span: &v1::Span,
    ) -> Option<(usize, Range<usize>)> {
        let sent = question.sent.get(span.passage_id as usize)?;
        let text = self.texts.get(sent.passage)?;
        let start = sent.range.start.checked_add(span.start as usize)?;
        let end = sent.range.start.checked_add(span.end as usize)?.min(sent.range.end);
        if start >= end {
            return None;
        }
        let range = text.normaliser.original_range(start..end);
        (!range.is_empty()).then_some((sent.passage, range))
    }

    /// What stands in place of each entity, in the order given.
    pub(crate) fn placeholders(
        &self,
        entities: &[Entity],
        style: Placeholders,
    ) -> Vec<Placeholder> {
        let mut numbers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut placeholders = Vec::with_capacity(entities.len());
        for entity in entities {
            let passage = self.reader.passages().get(entity.passage);
            let original =
                passage.and_then(|p| p.text.get(entity.range.clone())).unwrap_or_default();
            let name = match style {
                Placeholders::Plain => format!("[{}]", entity.entity_type),
                Placeholders::Numbered | Placeholders::Restored => {
                    let known = numbers.entry(&entity.entity_type).or_default();
                    let index = known.iter().position(|&value| value == original);
                    let number = index.unwrap_or_else(|| {
                        known.push(original);
                        known.len() - 1
                    });
                    format!("[{}_{}]", entity.entity_type, number + 1)
                }
            };
            placeholders.push(Placeholder { name, original: original.to_owned() });
        }
        placeholders
    }

    /// Prepares to replace each entity by its placeholder. `None` when they do not fit the body.
    ///
    /// An encoded body is decoded once more rather than kept decoded: most bodies are never redacted, and media in them
    /// must not be held.
    pub(crate) fn redaction(
        &self,
        entities: &[Entity],
        placeholders: &[Placeholder],
    ) -> Option<Redaction> {
        let mut edits = Vec::with_capacity(entities.len());
        for (entity, placeholder) in entities.iter().zip(placeholders) {
            let passage = self.reader.passages().get(entity.passage)?;
            edits.push(passage.edit(entity.range.clone(), &placeholder.name)?);
        }
        Some(Redaction {
            edits: Some((edits, self.reader.bytes_read())),
            redactor: None,
            decoder: self.encoding.map(|encoding| Decoder::new(encoding, self.caps)),
            body_bytes: self.received,
            taken: 0,
        })
    }

    /// Whether a redacted body goes out without the encoding that it came with.
    pub(crate) fn is_encoded(&self) -> bool {
        self.encoding.is_some()
    }
}

/// Whether a signal reads a selection of the text.
fn selects<A>(signal: &SignalConfig<A>) -> bool {
    signal.action.is_some() && signal.coverage != Coverage::Full
}

/// The normalised text of a passage.
fn normal<'a>(passages: &'a [Passage], texts: &'a [Text], index: usize) -> &'a str {
    match (texts.get(index), passages.get(index)) {
        (Some(text), Some(passage)) => text.normaliser.text(&passage.text),
        _ => "",
    }
}

/// Replaces entities in the body that the host holds, piece by piece.
#[derive(Debug)]
pub(crate) struct Redaction {
    /// Until the first piece: the edits, and the length of the decoded body.
    edits: Option<(Vec<Edit>, usize)>,
    redactor: Option<Redactor>,
    decoder: Option<Decoder>,
    /// Bytes of the body as it was received, and those that have come again.
    body_bytes: usize,
    taken: usize,
}

impl Redaction {
    /// Bytes of the body that have come.
    pub(crate) const fn taken(&self) -> usize {
        self.taken
    }

    /// Bytes of the body that are still to come.
    pub(crate) const fn left(&self) -> usize {
        self.body_bytes - self.taken
    }

    /// Takes the next piece. `None` when it cannot be the body that was read.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Option<()> {
        if piece.len() > self.left() {
            return None;
        }
        self.taken += piece.len();
        if let Some((edits, bytes)) = self.edits.take() {
            self.redactor = Some(Redactor::new(edits, bytes).ok()?);
        }
        let redactor = self.redactor.as_mut()?;
        let Some(decoder) = &mut self.decoder else {
            redactor.push(piece);
            return Some(());
        };
        let mut keep = |piece: &[u8]| {
            redactor.push(piece);
            Ok(())
        };
        decoder.decode(piece, &mut keep).ok()
    }

    /// The new body, when all of the old one has come.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        if let Some(mut decoder) = self.decoder {
            decoder.finish().ok()?;
        }
        (self.taken == self.body_bytes).then_some(())?;
        self.redactor?.finish().ok()
    }
}

fn select_role(role: Role, kind: PassageKind) -> compress::Role {
    match (kind, role) {
        (PassageKind::ToolResult | PassageKind::ToolArguments | PassageKind::ToolDefinition, _)
        | (_, Role::Tool) => compress::Role::Tool,
        (_, Role::System | Role::Developer) => compress::Role::System,
        (_, Role::Assistant) => compress::Role::Assistant,
        (_, Role::User) => compress::Role::User,
        (_, Role::Unspecified) => compress::Role::Unspecified,
    }
}

fn refusal(error: body_stream::Error) -> Fault {
    let kind = error.kind();
    if matches!(kind, ErrorKind::TextTooLarge | ErrorKind::TooManyPassages) {
        return Fault::Refused(Refusal::TextTooLarge);
    }
    Fault::Refused(match kind.class() {
        ErrorClass::TooLarge => Refusal::BodyTooLarge,
        ErrorClass::Encoding => Refusal::Encoding,
        ErrorClass::Malformed | ErrorClass::Caller => {
            Refusal::Malformed { kind, offset: error.offset() }
        }
    })
}
