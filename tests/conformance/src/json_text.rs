//! Every string of a JSON text, also those behind duplicate keys and inside strings that hold JSON themselves.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// All strings of a JSON text, keys included, JSON inside strings read as well. `None` when the text is not JSON.
#[must_use]
pub(crate) fn strings(text: &[u8]) -> Option<Vec<String>> {
    let mut found = serde_json::from_slice::<Strings>(text).ok()?.0;
    let mut at = 0;
    while at < found.len() {
        let inner = &found[at];
        if inner.trim_start().starts_with(['{', '['])
            && let Ok(Strings(more)) = serde_json::from_str(inner)
        {
            found.extend(more);
        }
        at += 1;
    }
    Some(found)
}

/// The strings in a value, in any depth; `serde_json::Value` would keep only the last of duplicate keys.
struct Strings(Vec<String>);

impl<'de> Deserialize<'de> for Strings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Collect)
    }
}

struct Collect;

impl<'de> Visitor<'de> for Collect {
    type Value = Strings;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Strings, E> {
        Ok(Strings(Vec::new()))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Strings, E> {
        Ok(Strings(Vec::new()))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Strings, E> {
        Ok(Strings(Vec::new()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Strings, E> {
        Ok(Strings(Vec::new()))
    }

    fn visit_unit<E>(self) -> Result<Strings, E> {
        Ok(Strings(Vec::new()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Strings, E> {
        Ok(Strings(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Strings, A::Error> {
        let mut all = Vec::new();
        while let Some(Strings(more)) = seq.next_element()? {
            all.extend(more);
        }
        Ok(Strings(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strings, A::Error> {
        let mut all = Vec::new();
        while let Some((key, Strings(more))) = map.next_entry::<String, Strings>()? {
            all.push(key);
            all.extend(more);
        }
        Ok(Strings(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_behind_duplicate_keys_and_inside_strings_are_found() {
        let found = strings(br#"{"a":"x","a":"y","b":[1,{"c":"{\"d\":\"z\\u0021\"}"}]}"#).unwrap();
        for text in ["x", "y", "z!"] {
            assert!(found.iter().any(|f| f == text), "{text}");
        }
        assert_eq!(strings(b"{"), None);
    }
}
