//! Finds duplicate keys.

use crate::error::{Error, ErrorKind};
use std::collections::BTreeSet;

/// Keys that are compared one by one before a set is made.
const FEW: usize = 24;

/// The keys of all open objects, each kept as a 64-bit hash.
///
/// Equal keys have equal hashes, so no duplicate slips through. A client who
/// constructs two keys with the same hash gets its own body refused. The set
/// is ordered, so there is no hash table to flood.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    open: Vec<Object>,
    /// The first few hashes of each open object, one object after another.
    few: Vec<u64>,
    allow_duplicates: bool,
}

#[derive(Debug)]
struct Object {
    /// Index in `few` of the object's first hash.
    first: usize,
    /// The hashes after the first few.
    many: BTreeSet<u64>,
}

impl Keys {
    /// Counts keys only. For JSON in a string, which a model has written and
    /// in which all values are screened.
    pub(crate) const fn allow_duplicates(&mut self) {
        self.allow_duplicates = true;
    }

    /// An object opens.
    pub(crate) fn open(&mut self) {
        self.open.push(Object { first: self.few.len(), many: BTreeSet::new() });
    }

    /// The innermost object closes.
    pub(crate) fn close(&mut self) {
        if let Some(object) = self.open.pop() {
            self.few.truncate(object.first);
        }
    }

    /// Adds a key, which starts at `at`, to the innermost object. With
    /// `fold_case`, keys that differ in the case of ASCII letters are the same.
    pub(crate) fn insert(
        &mut self,
        key: &str,
        fold_case: bool,
        at: usize,
        max: usize,
    ) -> Result<(), Error> {
        let Some(object) = self.open.last_mut() else { return Ok(()) };
        if self.allow_duplicates {
            return Ok(());
        }
        let hash = hash(key, fold_case);
        let few = self.few.get(object.first..).unwrap_or_default();
        if few.contains(&hash) {
            return Err(Error::new(ErrorKind::DuplicateKey, at));
        }
        if few.len() + object.many.len() >= max {
            return Err(Error::over(ErrorKind::TooManyKeys, at, max));
        }
        if few.len() < FEW {
            self.few.push(hash);
        } else if !object.many.insert(hash) {
            return Err(Error::new(ErrorKind::DuplicateKey, at));
        }
        Ok(())
    }
}

/// FNV-1a, 64 bits.
fn hash(key: &str, fold_case: bool) -> u64 {
    key.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        let byte = if fold_case { byte.to_ascii_lowercase() } else { byte };
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
