//! Reading fields of protobuf messages in JSON: either spelling of a name, numbers as text, durations, wrapped messages.

use serde_json::Value;

static ABSENT: Value = Value::Null;

/// A field by its name in the `.proto` file; Null when absent. JSON may spell it `like_this` or `likeThis`.
pub(super) fn field<'a>(message: &'a Value, name: &str) -> &'a Value {
    message.get(name).or_else(|| message.get(camel(name))).unwrap_or(&ABSENT)
}

/// Follows several fields.
pub(super) fn path<'a>(message: &'a Value, names: &[&str]) -> &'a Value {
    names.iter().fold(message, |message, name| field(message, name))
}

fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        if c == '_' {
            upper = true;
        } else if upper {
            out.push(c.to_ascii_uppercase());
            upper = false;
        } else {
            out.push(c);
        }
    }
    out
}

/// The elements of a repeated field.
pub(super) fn list<'a>(message: &'a Value, name: &str) -> &'a [Value] {
    field(message, name).as_array().map_or(&[], Vec::as_slice)
}

/// A string field; empty when absent.
pub(super) fn text<'a>(message: &'a Value, name: &str) -> &'a str {
    field(message, name).as_str().unwrap_or_default()
}

/// A bool field.
pub(super) fn flag(message: &Value, name: &str) -> Option<bool> {
    field(message, name).as_bool()
}

/// An integer field; protobuf's JSON may write it as text.
pub(super) fn number(message: &Value, name: &str) -> Option<u64> {
    let value = field(message, name);
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// A duration field such as `0.25s`, in seconds.
pub(super) fn seconds(message: &Value, name: &str) -> Option<f64> {
    field(message, name).as_str()?.strip_suffix('s')?.parse().ok()
}

/// The type of an `Any` and its content; a `TypedStruct` is looked through.
pub(super) fn any(message: &Value) -> (&str, &Value) {
    let kind = message.get("@type").and_then(Value::as_str).unwrap_or_default();
    if kind.ends_with(".TypedStruct") {
        return (text(message, "type_url"), field(message, "value"));
    }
    (kind, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_spellings_and_text_numbers_are_read() {
        let message = json!({"streamIdleTimeout": "1.5s", "max_bytes": "42", "a": {"b_c": true}});
        assert_eq!(seconds(&message, "stream_idle_timeout"), Some(1.5));
        assert_eq!(number(&message, "max_bytes"), Some(42));
        assert_eq!(path(&message, &["a", "b_c"]), &json!(true));
        assert_eq!(path(&message, &["a", "x", "y"]), &Value::Null);
    }

    #[test]
    fn a_typed_struct_is_looked_through() {
        let message = json!({
            "@type": "type.googleapis.com/udpa.type.v1.TypedStruct",
            "type_url": "type.googleapis.com/x.Y", "value": {"z": 1}
        });
        assert_eq!(any(&message), ("type.googleapis.com/x.Y", &json!({"z": 1})));
    }
}
