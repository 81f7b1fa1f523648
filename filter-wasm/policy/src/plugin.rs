//! The bytes that a proxy hands a filter as its configuration: JSON text or a protobuf `Struct`.
//!
//! Envoy passes a `StringValue` on as its text. A `google.protobuf.Struct`, which is what people write in an
//! `EnvoyFilter`, reaches the filter as protobuf bytes (Envoy 1.40). The two cannot be mistaken for each other: a value
//! of a `Struct` is marked by the byte 0x12, and no JSON text holds that byte.

use std::collections::BTreeMap;

use prost::Message;
use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// The first byte of a `Struct` that is not empty: field 1, length-delimited. In JSON it is a line feed.
const FIELDS: u8 = 0x0a;

/// The protobuf `google.protobuf.Struct`.
#[derive(Clone, PartialEq, Message)]
struct Struct {
    #[prost(btree_map = "string, message", tag = "1")]
    fields: BTreeMap<String, Value>,
}

/// The protobuf `google.protobuf.Value`.
#[derive(Clone, PartialEq, Message)]
struct Value {
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4, 5, 6")]
    kind: Option<Kind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
enum Kind {
    #[prost(int32, tag = "1")]
    Null(i32),
    #[prost(double, tag = "2")]
    Number(f64),
    #[prost(string, tag = "3")]
    Text(String),
    #[prost(bool, tag = "4")]
    Bool(bool),
    #[prost(message, tag = "5")]
    Object(Struct),
    #[prost(message, tag = "6")]
    List(List),
}

/// The protobuf `google.protobuf.ListValue`.
#[derive(Clone, PartialEq, Message)]
struct List {
    #[prost(message, repeated, tag = "1")]
    values: Vec<Value>,
}

/// The JSON of a `Struct`; `None` when these bytes are none. prost's limit on nesting (100) holds.
pub(crate) fn struct_as_json(bytes: &[u8]) -> Option<serde_json::Value> {
    if bytes.first() != Some(&FIELDS) {
        return None;
    }
    object(Struct::decode(bytes).ok()?)
}

fn object(fields: Struct) -> Option<serde_json::Value> {
    let entries: Option<_> =
        fields.fields.into_iter().map(|(key, value)| Some((key, json(value)?))).collect();
    Some(serde_json::Value::Object(entries?))
}

fn json(value: Value) -> Option<serde_json::Value> {
    Some(match value.kind? {
        Kind::Null(_) => serde_json::Value::Null,
        Kind::Number(number) => serde_json::Number::from_f64(number)?.into(),
        Kind::Text(text) => text.into(),
        Kind::Bool(bool) => bool.into(),
        Kind::Object(fields) => object(fields)?,
        Kind::List(list) => {
            serde_json::Value::Array(list.values.into_iter().map(json).collect::<Option<_>>()?)
        }
    })
}

/// Reads a whole number that may be spelled as a float: a `Struct` has no others, and some writers print `512.0`.
pub(crate) fn whole<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = from.deserialize_any(Whole)?;
    T::try_from(number).map_err(|_| D::Error::invalid_value(Unexpected::Unsigned(number), &Whole))
}

/// As [`whole`], where `null` is allowed.
pub(crate) fn whole_or_null<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    struct OrNull<T>(std::marker::PhantomData<T>);
    impl<'de, T: TryFrom<u64>> Visitor<'de> for OrNull<T> {
        type Value = Option<T>;
        fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Whole.expecting(to)
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_none<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
            whole(from).map(Some)
        }
    }
    from.deserialize_option(OrNull(std::marker::PhantomData))
}

struct Whole;

impl Visitor<'_> for Whole {
    type Value = u64;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("a whole number that is not negative")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u64, E> {
        u64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked: whole, and within the range in which a double holds every whole number"
    )]
    fn visit_f64<E: Error>(self, number: f64) -> Result<u64, E> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && (0.0..=EXACT).contains(&number) {
            Ok(number as u64)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

/// Reads a number or `null`. A number may stand in quotes: in a bootstrap file, Envoy's YAML reader makes a string of each
/// decimal in a `Struct` (1.40).
pub(crate) fn decimal_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
    struct OrNull;
    impl<'de> Visitor<'de> for OrNull {
        type Value = Option<f32>;
        fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Decimal.expecting(to)
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_none<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }
        fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
            from.deserialize_any(Decimal).map(Some)
        }
    }
    from.deserialize_option(OrNull)
}

struct Decimal;

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "thresholds and weights are kept as f32, as serde reads them"
)]
impl Visitor<'_> for Decimal {
    type Value = f32;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("a number")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f32, E> {
        Ok(number as f32)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f32, E> {
        Ok(number as f32)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f32, E> {
        Ok(number as f32)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f32, E> {
        let number = text.parse::<f32>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn value(json: &serde_json::Value) -> Value {
        let kind = match json {
            serde_json::Value::Null => Kind::Null(0),
            serde_json::Value::Bool(bool) => Kind::Bool(*bool),
            serde_json::Value::Number(number) => Kind::Number(number.as_f64().unwrap()),
            serde_json::Value::String(text) => Kind::Text(text.clone()),
            serde_json::Value::Array(list) => {
                Kind::List(List { values: list.iter().map(value).collect() })
            }
            serde_json::Value::Object(_) => Kind::Object(fields(json)),
        };
        Value { kind: Some(kind) }
    }

    fn fields(json: &serde_json::Value) -> Struct {
        let fields = json.as_object().unwrap().iter();
        Struct { fields: fields.map(|(key, json)| (key.clone(), value(json))).collect() }
    }

    const FULL: &str = r#"{
        "daemon": {"cluster": "inferd", "timeout_ms": 750},
        "signals": {
            "jailbreak": {"threshold": 0.5, "block_status": 422},
            "pii": {"entities": ["PERSON"], "numbered": true, "allow": [{"pattern": "*@example.com"}]},
            "domain": {"routes": {"math": "reasoning"}, "default_route": null}
        },
        "budget_tokens": 256,
        "limits": {"max_body_bytes": 1048576, "max_depth": 64, "upload_timeout_ms": 5000},
        "compress": {"keep_first": 2, "keep_last": null}
    }"#;

    #[test]
    fn a_struct_means_what_the_same_json_means() {
        let json: serde_json::Value = serde_json::from_str(FULL).unwrap();
        let from_struct = Config::from_json(&fields(&json).encode_to_vec()).unwrap();
        let from_text = Config::from_json(FULL.as_bytes()).unwrap();
        assert_eq!(format!("{from_struct:?}"), format!("{from_text:?}"));
    }

    #[test]
    fn bytes_as_envoy_hands_them_over_are_read() {
        // {"budget_tokens": 512}: an entry (0x0a) of a key (0x0a) and a value (0x12) that is a double (0x11).
        let mut bytes = vec![0x0a, 26, 0x0a, 13];
        bytes.extend(b"budget_tokens");
        bytes.extend([0x12, 9, 0x11, 0, 0, 0, 0, 0, 0, 0x80, 0x40]);
        assert_eq!(bytes.len(), 28);
        assert_eq!(struct_as_json(&bytes).unwrap(), serde_json::json!({"budget_tokens": 512.0}));
    }

    #[test]
    fn a_wrong_value_of_a_struct_is_named_by_its_key() {
        for (json, key) in [
            (serde_json::json!({"budget_tokens": 512.5}), "budget_tokens"),
            (serde_json::json!({"limits": {"max_depth": -1}}), "limits.max_depth"),
            (serde_json::json!({"signals": {"pii": {"action": "explode"}}}), "signals.pii.action"),
            (serde_json::json!({"signal": {}}), "signal"),
        ] {
            let error = Config::from_json(&fields(&json).encode_to_vec()).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
    }

    #[test]
    fn whole_floats_in_text_are_whole_numbers() {
        let config =
            Config::from_json(br#"{"budget_tokens": 512.0, "limits": {"max_body_bytes": 1e6}}"#);
        assert_eq!(config.unwrap().limits.max_body_bytes, 1_000_000);
        for text in ["-1", "1.5", "1e300", "-0.5", "\"512\"", "99999999999999999999"] {
            let json = format!(r#"{{"budget_tokens": {text}}}"#);
            let error = Config::from_json(json.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("budget_tokens"), "{text}: {error}");
        }
        let error =
            Config::from_json(br#"{"signals":{"pii":{"block_status":65939}}}"#).unwrap_err();
        assert!(error.to_string().contains("block_status"), "{error}");
    }

    #[test]
    fn a_decimal_may_stand_in_quotes_as_envoys_yaml_reader_writes_it() {
        let quoted = serde_json::json!({"signals": {"jailbreak": {"threshold": "0.25"}}});
        let config = Config::from_json(&fields(&quoted).encode_to_vec()).unwrap();
        assert_eq!(config.jailbreak.threshold, Some(0.25));
        for wrong in ["high", "", "NaN", "inf", "1.5"] {
            let json = serde_json::json!({"signals": {"jailbreak": {"threshold": wrong}}});
            let error = Config::from_json(&fields(&json).encode_to_vec()).unwrap_err().to_string();
            assert!(error.contains("signals.jailbreak.threshold"), "{wrong}: {error}");
        }
    }

    #[test]
    fn json_that_starts_with_a_line_feed_is_json() {
        let text = "\n{\n  \"budget_tokens\": 64\n}\n";
        assert!(struct_as_json(text.as_bytes()).is_none());
        assert!(Config::from_json(text.as_bytes()).is_ok());
        // The byte after the line feed, taken as a length, fits what follows: still not a value in sight.
        let tricky = format!("\n\n{}", " ".repeat(10));
        assert!(struct_as_json(tricky.as_bytes()).is_none());
    }

    #[test]
    fn a_broken_struct_is_refused_and_deep_nesting_ends() {
        let mut bytes = fields(&serde_json::json!({"budget_tokens": 64})).encode_to_vec();
        bytes.pop();
        assert!(Config::from_json(&bytes).is_err());
        let mut deep = serde_json::json!(1);
        for _ in 0..300 {
            deep = serde_json::json!({ "limits": deep });
        }
        assert!(Config::from_json(&fields(&deep).encode_to_vec()).is_err());
    }
}
