//! The text of one request on its way from body bytes to a question for the daemon, and spans on their way back.
//!
//! Everything that can overlap with the upload does: each chunk is decoded, parsed, normalised, searched by the
//! recognisers and counted by the compressor as it comes. After the last byte only selection and encoding are left.

use std::collections::BTreeMap;
use std::ops::Range;

use body_stream::encoding::{self, Decoder, Encoding};
use body_stream::{Api, BodyReader, ErrorClass, ErrorKind, Facts, Passage, PassageKind, Role};
use compress::{Compressor, Flag, Mode, SelectRequest, Selection};
use forebay_proto::v1;
use prost::Message as _;
use recognise::{Normaliser, Recogniser, Scanner};

use crate::config::{Config, Coverage, Placeholders};
use crate::decision::Entity;
use crate::reply::Refusal;
use crate::restore::Placeholder;

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
    compressor: Compressor,
    /// Whether the compressor reads the text while it comes: when all of it is screened, whoever wrote it.
    selects_early: bool,
}

#[derive(Debug, Default)]
struct Text {
    normaliser: Normaliser,
    scanner: Scanner,
}

/// What goes to the daemon and how its answer is read.
#[derive(Debug)]
pub(crate) struct Question {
    /// An encoded [`v1::ClassifyRequest`].
    pub(crate) message: Vec<u8>,
    /// The signals asked about.
    pub(crate) asked: Vec<v1::Signal>,
    /// Where each sent passage came from; the index is its id.
    sent: Vec<Sent>,
    /// Signals whose selection was made without reading all of the text.
    pub(crate) cut: Vec<v1::Signal>,
    /// The share of the screened text that each signal reads, 0 to 1.
    pub(crate) shares: Vec<(v1::Signal, f32)>,
    /// Estimated tokens of all the text.
    pub(crate) tokens_in: usize,
    /// Estimated tokens that the domain classifier reads.
    pub(crate) tokens_kept: usize,
}

/// A piece of a passage's normalised text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sent {
    passage: usize,
    range: Range<usize>,
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
        Self {
            reader: BodyReader::new(api, limits).with_tool_definitions(config.tool_definitions),
            decoder: encoding.map(|encoding| Decoder::new(encoding, caps)),
            encoding,
            caps,
            received: 0,
            max_body_bytes: config.limits.max_body_bytes,
            texts: Vec::new(),
            settled: 0,
            compressor: Compressor::new(&config.compress),
            selects_early: config.scans_every_role() && config.trusted_prefixes.is_empty(),
        }
    }

    /// Bytes of text held, for the worker's budget.
    pub(crate) fn held_bytes(&self) -> usize {
        self.reader.text_bytes()
    }

    pub(crate) fn facts(&self) -> &Facts {
        self.reader.facts()
    }

    /// Reads the next bytes of the body.
    pub(crate) fn feed(&mut self, chunk: &[u8], recogniser: &Recogniser) -> Result<(), Refusal> {
        self.received = self.received.saturating_add(chunk.len());
        if self.received > self.max_body_bytes {
            return Err(Refusal::BodyTooLarge);
        }
        match &mut self.decoder {
            None => self.reader.feed(chunk).map_err(refusal)?,
            Some(decoder) => {
                let reader = &mut self.reader;
                decoder.decode(chunk, &mut |piece| reader.feed(piece)).map_err(refusal)?;
            }
        }
        self.advance(recogniser);
        Ok(())
    }

    /// The body has ended.
    pub(crate) fn finish(&mut self, recogniser: &Recogniser) -> Result<(), Refusal> {
        if self.received == 0 {
            return Err(Refusal::EmptyBody);
        }
        if let Some(decoder) = &mut self.decoder {
            decoder.finish().map_err(refusal)?;
        }
        self.reader.finish().map_err(refusal)?;
        self.advance(recogniser);
        Ok(())
    }

    fn advance(&mut self, recogniser: &Recogniser) {
        let passages = self.reader.passages();
        self.texts.resize_with(passages.len(), Text::default);
        let mut settled = self.settled;
        for (index, (passage, text)) in
            passages.iter().zip(&mut self.texts).enumerate().skip(settled)
        {
            text.normaliser.advance(&passage.text, passage.complete);
            let normal = text.normaliser.text(&passage.text);
            text.scanner.advance(recogniser, normal, passage.complete);
            if self.selects_early {
                self.compressor.advance(index, normal, passage.complete);
            }
            if passage.complete && index == settled {
                settled += 1;
            }
        }
        self.settled = settled;
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

    /// What to ask the daemon; `None` when there is no text to screen.
    pub(crate) fn question(&mut self, request_id: &str, config: &Config) -> Option<Question> {
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
            plan.ask(signal, reading);
        }
        let (tokens_in, tokens_kept) = sizes.unwrap_or_else(|| {
            let tokens = screened.iter().map(|s| compress::estimate_tokens(self.text_of(s))).sum();
            (tokens, tokens)
        });
        if plan.signals.is_empty() {
            return None;
        }
        let passages = plan.sent.iter().enumerate().map(|(id, sent)| v1::Passage {
            id: u32::try_from(id).unwrap_or(u32::MAX),
            role: wire_role(self.reader.passages().get(sent.passage).map(|p| p.role)).into(),
            text: self.text_of(sent).to_owned(),
        });
        let request = v1::ClassifyRequest {
            request_id: request_id.chars().take(128).collect(),
            passages: passages.collect(),
            signals: plan.signals,
        };
        let asked = request.signals.iter().map(v1::SignalRequest::signal).collect();
        Some(Question {
            message: request.encode_to_vec(),
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
        // When all is screened the compressor has read it while it came. Otherwise it reads the screened stretches now,
        // since a role may be known only when its message has ended.
        let mut late = (!self.selects_early).then(|| Compressor::new(&config.compress));
        let whole = |passage: usize| Sent {
            passage,
            range: 0..normal(passages, &self.texts, passage).len(),
        };
        let stretches: Vec<Sent> = if self.selects_early {
            (0..passages.len()).map(whole).collect()
        } else {
            screened.to_vec()
        };
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
        let compressor = late.as_mut().unwrap_or(&mut self.compressor);
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

    /// The body with each entity replaced by its placeholder, decoded if it came encoded. `held` is the body as received.
    ///
    /// An encoded body is decoded once more here rather than kept decoded: most bodies are never redacted, and media in
    /// them must not be held.
    pub(crate) fn redact(
        &self,
        held: &[u8],
        entities: &[Entity],
        placeholders: &[Placeholder],
    ) -> Option<Vec<u8>> {
        let mut decoded = Vec::new();
        let raw = match self.encoding {
            None => held,
            Some(encoding) => {
                let mut decoder = Decoder::new(encoding, self.caps);
                let mut keep = |piece: &[u8]| {
                    decoded.extend_from_slice(piece);
                    Ok(())
                };
                decoder.decode(held, &mut keep).ok()?;
                decoder.finish().ok()?;
                decoded.as_slice()
            }
        };
        let mut edits = Vec::with_capacity(entities.len());
        for (entity, placeholder) in entities.iter().zip(placeholders) {
            let passage = self.reader.passages().get(entity.passage)?;
            edits.push(passage.edit(entity.range.clone(), &placeholder.name)?);
        }
        body_stream::redact(raw, &edits).ok()
    }

    /// Whether a redacted body goes out without the encoding that it came with.
    pub(crate) fn is_encoded(&self) -> bool {
        self.encoding.is_some()
    }
}

/// The normalised text of a passage.
fn normal<'a>(passages: &'a [Passage], texts: &'a [Text], index: usize) -> &'a str {
    match (texts.get(index), passages.get(index)) {
        (Some(text), Some(passage)) => text.normaliser.text(&passage.text),
        _ => "",
    }
}

/// The sent passages, each piece once, and who reads them.
#[derive(Debug, Default)]
struct Plan {
    sent: Vec<Sent>,
    signals: Vec<v1::SignalRequest>,
}

impl Plan {
    fn ask(&mut self, signal: v1::Signal, reading: Vec<Sent>) {
        let mut passage_ids = Vec::with_capacity(reading.len());
        // Reading lists are whole passages or the same selection again, so the first piece tells whether it was sent.
        let known: std::collections::HashMap<(usize, usize, usize), usize> = self
            .sent
            .iter()
            .enumerate()
            .map(|(id, s)| ((s.passage, s.range.start, s.range.end), id))
            .collect();
        for piece in reading {
            let key = (piece.passage, piece.range.start, piece.range.end);
            let id = known.get(&key).copied().unwrap_or_else(|| {
                self.sent.push(piece);
                self.sent.len() - 1
            });
            passage_ids.push(u32::try_from(id).unwrap_or(u32::MAX));
        }
        self.signals.push(v1::SignalRequest { signal: signal.into(), passage_ids });
    }
}

fn wire_role(role: Option<Role>) -> v1::Role {
    match role {
        Some(Role::System) => v1::Role::System,
        Some(Role::Developer) => v1::Role::Developer,
        Some(Role::User) => v1::Role::User,
        Some(Role::Assistant) => v1::Role::Assistant,
        Some(Role::Tool) => v1::Role::Tool,
        Some(Role::Unspecified) | None => v1::Role::Unspecified,
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

fn refusal(error: body_stream::Error) -> Refusal {
    let kind = error.kind();
    if matches!(kind, ErrorKind::TextTooLarge | ErrorKind::TooManyPassages) {
        return Refusal::TextTooLarge;
    }
    match kind.class() {
        ErrorClass::TooLarge => Refusal::BodyTooLarge,
        ErrorClass::Encoding => Refusal::Encoding,
        ErrorClass::Malformed | ErrorClass::Caller => {
            Refusal::Malformed { kind, offset: error.offset() }
        }
    }
}
