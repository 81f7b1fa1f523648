//! Request bodies that need not be in memory, and how they are cut.

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use serde_json::{Map, Value};

/// A body as a sequence of repeated pieces. Some cases send 200 MiB of one letter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Body {
    parts: Vec<(Vec<u8>, usize)>,
}

impl From<&[u8]> for Body {
    fn from(bytes: &[u8]) -> Self {
        Self { parts: vec![(bytes.to_vec(), 1)] }
    }
}

impl Body {
    /// The body that a request describes; `None` when it has none.
    ///
    /// # Errors
    ///
    /// When the members that describe it do not fit together.
    pub(crate) fn of(request: &Map<String, Value>) -> Result<Option<Self>> {
        let word = |key: &str| request.get(key).and_then(Value::as_str);
        let count = |key: &str| -> Result<usize> {
            let number = request
                .get(key)
                .and_then(Value::as_u64)
                .with_context(|| format!("{key} is no number"))?;
            Ok(usize::try_from(number)?)
        };
        if let Some(text) = word("body") {
            return Ok(Some(Self::from(text.as_bytes())));
        }
        if let Some(json) = request.get("body_json").or_else(|| request.get("body")) {
            return Ok(Some(Self::from(serde_json::to_vec(json)?.as_slice())));
        }
        if let Some(text) = word("body_base64") {
            return Ok(Some(Self::from(decode(text)?.as_slice())));
        }
        if let Some(chunks) = explicit(request)? {
            return Ok(Some(Self::from(chunks.concat().as_slice())));
        }
        let Some(template) = word("body_template") else { return Ok(None) };
        let mut fills: Vec<(&str, &str, usize)> = Vec::new();
        if request.contains_key("open") {
            let depth = count("depth")?;
            fills.push(("{{OPEN}}", word("open").context("open is no string")?, depth));
            fills.push(("{{CLOSE}}", word("close").context("close is no string")?, depth));
        } else {
            fills.push(("{{FILL}}", word("fill").context("no fill")?, count("repeat")?));
        }
        let mut parts = Vec::new();
        let mut rest = template;
        while let Some((at, (mark, fill, times))) = fills
            .iter()
            .filter_map(|fill| rest.find(fill.0).map(|at| (at, *fill)))
            .min_by_key(|(at, _)| *at)
        {
            parts.push((rest.as_bytes()[..at].to_vec(), 1));
            parts.push((fill.as_bytes().to_vec(), times));
            rest = &rest[at + mark.len()..];
        }
        parts.push((rest.as_bytes().to_vec(), 1));
        Ok(Some(Self { parts }))
    }

    /// How many bytes it has.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(|(bytes, times)| bytes.len() * times).sum()
    }

    /// All of it.
    #[must_use]
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.len());
        for (bytes, times) in &self.parts {
            all.extend(bytes.repeat(*times));
        }
        all
    }

    /// Whether these bytes are exactly the body.
    #[must_use]
    pub(crate) fn is(&self, bytes: &[u8]) -> bool {
        let mut rest = bytes;
        self.len() == bytes.len()
            && self.steps(65_536).all(|step| {
                let same = rest.starts_with(&step);
                rest = rest.get(step.len()..).unwrap_or_default();
                same
            })
    }

    /// The body in steps of `size` bytes, the last one shorter; nothing for an empty body.
    pub(crate) fn steps(&self, size: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
        let size = size.max(1);
        let mut pieces = self.parts.iter().flat_map(|(bytes, times)| {
            // Small pieces are joined first, so that a step does not take a call for each letter.
            let times = if bytes.is_empty() { 0 } else { *times };
            let block = (65_536 / bytes.len().max(1)).clamp(1, times.max(1));
            std::iter::repeat_n(bytes.repeat(block), times / block)
                .chain(std::iter::once(bytes.repeat(times % block)))
        });
        let mut held: Vec<u8> = Vec::new();
        let mut start = 0;
        std::iter::from_fn(move || {
            while held.len() - start < size {
                let Some(piece) = pieces.next() else { break };
                held.drain(..start);
                start = 0;
                held.extend(piece);
            }
            if start == held.len() {
                return None;
            }
            let end = held.len().min(start + size);
            let step = held[start..end].to_vec();
            start = end;
            Some(step)
        })
    }
}

/// How a body is cut into frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// As the layer does by itself, with a content-length.
    Natural,
    /// Steps of this many bytes.
    Steps(usize),
    /// Exactly these frames; the flag ends the stream.
    Frames(Vec<(Vec<u8>, bool)>),
}

impl Framing {
    /// The framing that a request asks for.
    ///
    /// # Errors
    ///
    /// When its members do not fit together.
    pub(crate) fn of(request: &Map<String, Value>, body: &Body) -> Result<Self> {
        if let Some(frames) = request.get("frames") {
            let frames = frames.as_array().context("frames is no array")?;
            let mut out = Vec::with_capacity(frames.len());
            for frame in frames {
                let data = match (frame.get("data"), frame.get("data_base64")) {
                    (_, Some(Value::String(text))) => decode(text)?,
                    (Some(Value::String(text)), _) if text == "<body>" => body.bytes(),
                    (Some(Value::String(text)), _) => text.clone().into_bytes(),
                    _ => bail!("a frame without data"),
                };
                let ends = frame.get("end_stream").and_then(Value::as_bool).unwrap_or(false);
                out.push((data, ends));
            }
            return Ok(Self::Frames(out));
        }
        if let Some(chunks) = explicit(request)? {
            let last = chunks.len().saturating_sub(1);
            return Ok(Self::Frames(
                chunks.into_iter().enumerate().map(|(i, c)| (c, i == last)).collect(),
            ));
        }
        Ok(match request.get("chunk_bytes").and_then(Value::as_u64) {
            Some(size) => Self::Steps(usize::try_from(size)?),
            None => Self::Natural,
        })
    }
}

fn explicit(request: &Map<String, Value>) -> Result<Option<Vec<Vec<u8>>>> {
    let (list, encoded) = match (request.get("chunks_base64"), request.get("chunks")) {
        (Some(list), _) => (list, true),
        (None, Some(list)) => (list, false),
        (None, None) => return Ok(None),
    };
    let list = list.as_array().context("chunks are no array")?;
    let chunks = list.iter().map(|chunk| {
        let text = chunk.as_str().context("a chunk is no string")?;
        if encoded { decode(text) } else { Ok(text.as_bytes().to_vec()) }
    });
    Ok(Some(chunks.collect::<Result<_>>()?))
}

fn decode(text: &str) -> Result<Vec<u8>> {
    base64::engine::general_purpose::STANDARD.decode(text).context("not base64")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Map<String, Value> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_template_is_filled_as_the_reference_program_does() {
        let body = Body::of(&request(r#"{"body_template":"<{{FILL}}>","fill":"ab","repeat":3}"#))
            .unwrap()
            .unwrap();
        assert_eq!((body.len(), body.bytes()), (8, b"<ababab>".to_vec()));
        let nested = r#"{"body_template":"{{OPEN}}1{{CLOSE}}","open":"[","close":"]","depth":2}"#;
        assert_eq!(Body::of(&request(nested)).unwrap().unwrap().bytes(), b"[[1]]");
    }

    #[test]
    fn any_step_gives_the_same_bytes() {
        let body = Body {
            parts: vec![
                (b"x".to_vec(), 1),
                (b"abc".to_vec(), 50_001),
                (Vec::new(), 9),
                (b"z".to_vec(), 2),
            ],
        };
        for size in [1, 7, 4096, 65_536, usize::MAX] {
            assert_eq!(body.steps(size).flatten().collect::<Vec<_>>(), body.bytes(), "{size}");
        }
        assert!(
            body.is(&body.bytes())
                && !body.is(&body.bytes()[1..])
                && !body.is(&vec![b'x'; body.len()])
        );
        assert!(body.steps(4096).take(3).all(|step| step.len() == 4096));
    }

    #[test]
    fn frames_are_taken_as_they_are() {
        let request = request(
            r#"{"body":"xy","frames":[{"data":"<body>","end_stream":false},{"data":"","end_stream":true}]}"#,
        );
        let body = Body::of(&request).unwrap().unwrap();
        let frames = vec![(b"xy".to_vec(), false), (Vec::new(), true)];
        assert_eq!(Framing::of(&request, &body).unwrap(), Framing::Frames(frames));
    }
}
