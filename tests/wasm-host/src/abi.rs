//! Numbers and formats of proxy-wasm ABI 0.2.1.

/// What a host call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// There is no such thing now.
    NotFound = 1,
    /// An argument is not allowed, now or ever.
    BadArgument = 2,
    /// The bytes cannot be read, or the cluster is unknown.
    ParseFailure = 4,
    /// An address lies outside the module's memory.
    InvalidMemoryAccess = 6,
    /// A shared value has changed meanwhile.
    CasMismatch = 8,
    /// The host does not do that.
    Unimplemented = 12,
}

/// How serious a log line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Finest.
    Trace,
    /// For developers.
    Debug,
    /// Normal events.
    Info,
    /// Something odd.
    Warn,
    /// Something failed.
    Error,
    /// The filter cannot go on.
    Critical,
}

impl LogLevel {
    pub(crate) const fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Trace,
            1 => Self::Debug,
            2 => Self::Info,
            3 => Self::Warn,
            4 => Self::Error,
            5 => Self::Critical,
            _ => return None,
        })
    }
}

/// Buffers that a filter can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BufferKind {
    RequestBody,
    ResponseBody,
    GrpcReceive,
    VmConfiguration,
    PluginConfiguration,
}

impl BufferKind {
    pub(crate) const fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::RequestBody,
            1 => Self::ResponseBody,
            5 => Self::GrpcReceive,
            6 => Self::VmConfiguration,
            7 => Self::PluginConfiguration,
            _ => return None,
        })
    }
}

/// Maps that a filter can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapKind {
    RequestHeaders,
    RequestTrailers,
    ResponseHeaders,
    ResponseTrailers,
}

impl MapKind {
    pub(crate) const fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::RequestHeaders,
            1 => Self::RequestTrailers,
            2 => Self::ResponseHeaders,
            3 => Self::ResponseTrailers,
            _ => return None,
        })
    }
}

/// Writes pairs as the ABI does: a count, the size of each key and value, then both with a NUL after each.
pub(crate) fn write_pairs(pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = word(pairs.len()).to_vec();
    for (key, value) in pairs {
        bytes.extend(word(key.len()));
        bytes.extend(word(value.len()));
    }
    for part in pairs.iter().flat_map(|(key, value)| [key, value]) {
        bytes.extend(part);
        bytes.push(0);
    }
    bytes
}

/// Reads what [`write_pairs`] writes; `None` if it is cut short. No bytes mean no pairs.
pub(crate) fn read_pairs(bytes: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    if bytes.is_empty() {
        return Some(Vec::new());
    }
    let word = |at: usize| -> Option<usize> {
        let bytes = bytes.get(at..at.checked_add(4)?)?;
        usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let count = word(0)?;
    let mut at = count.checked_mul(8)?.checked_add(4)?;
    let mut pairs = Vec::new();
    for index in 0..count {
        let mut part = |size: usize| -> Option<Vec<u8>> {
            let end = at.checked_add(size)?;
            let part = bytes.get(at..end)?.to_vec();
            at = end.checked_add(1)?;
            Some(part)
        };
        let sizes = index.checked_mul(8)?.checked_add(4)?;
        pairs.push((part(word(sizes)?)?, part(word(sizes.checked_add(4)?)?)?));
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_survive_the_wire_format() {
        let pairs = vec![(b"a".to_vec(), b"".to_vec()), (b":path".to_vec(), vec![0, 255, 7])];
        assert_eq!(read_pairs(&write_pairs(&pairs)), Some(pairs));
        assert_eq!(read_pairs(&[]), Some(vec![]));
        assert_eq!(read_pairs(&[2, 0, 0, 0, 1]), None, "cut short");
    }
}
