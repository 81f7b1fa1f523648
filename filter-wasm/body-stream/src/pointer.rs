//! JSON pointers (RFC 6901) that name the text of bodies of any other API.

use crate::error::{Error, ErrorKind};
use crate::passage::PassageKind;
use crate::place::Place;
use std::sync::Arc;

/// Most pointers in a list: one bit each.
const MAX_POINTERS: usize = 64;

/// A list of one to 64 JSON pointers; cheap to clone.
///
/// A token `*` stands for any key or index, so `/items/*/text` names the
/// `text` of each item. (A key that is really `*` is matched as well.) All
/// strings at or below a place that a pointer names are text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointers(Arc<[Vec<Token>]>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Any,
    Key(String),
}

impl Pointers {
    /// Parses a list of pointers.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BadPointer`] if the list is empty or longer than 64 (with
    /// that limit), or if a pointer does not start with `/` or has a `~` that
    /// is not part of `~0` or `~1` (with the offset in that pointer).
    pub fn parse<'a>(list: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let pointers = list.into_iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        if pointers.is_empty() || pointers.len() > MAX_POINTERS {
            return Err(Error::over(ErrorKind::BadPointer, 0, MAX_POINTERS));
        }
        Ok(Self(pointers.into()))
    }

    /// The bits of all pointers.
    pub(crate) fn all(&self) -> u64 {
        u64::MAX >> (MAX_POINTERS - self.0.len())
    }

    /// What the value of `key` is, in an object `depth` levels down that the
    /// pointers of the set `matching` lead to.
    pub(crate) fn step_key(&self, matching: u64, depth: usize, key: &str) -> Place {
        self.step(matching, depth, |name| name == key)
    }

    /// As [`Pointers::step_key`], for the element at `index` of an array.
    pub(crate) fn step_index(&self, matching: u64, depth: usize, index: usize) -> Place {
        self.step(matching, depth, |name| {
            // "01" and "+1" are no indices.
            name.parse() == Ok(index)
                && !name.starts_with('+')
                && (name == "0" || !name.starts_with('0'))
        })
    }

    fn step(&self, matching: u64, depth: usize, is_same: impl Fn(&str) -> bool) -> Place {
        let mut next = 0;
        for (bit, pointer) in self.0.iter().enumerate() {
            let same = match pointer.get(depth) {
                Some(Token::Any) => true,
                Some(Token::Key(name)) => is_same(name),
                None => false,
            };
            if matching & 1 << bit != 0 && same {
                if pointer.len() == depth + 1 {
                    return Place::Free(PassageKind::Content);
                }
                next |= 1 << bit;
            }
        }
        if next == 0 { Place::Skip } else { Place::Pointers(next) }
    }
}

fn parse(pointer: &str) -> Result<Vec<Token>, Error> {
    let bad = |at| Error::new(ErrorKind::BadPointer, at);
    let tokens = pointer.strip_prefix('/').ok_or_else(|| bad(0))?;
    for (at, _) in pointer.match_indices('~') {
        let next = pointer.as_bytes().get(at + 1);
        if !matches!(next, Some(b'0' | b'1')) {
            return Err(bad(at));
        }
    }
    Ok(tokens
        .split('/')
        .map(|token| match token {
            "*" => Token::Any,
            _ => Token::Key(token.replace("~1", "/").replace("~0", "~")),
        })
        .collect())
}
