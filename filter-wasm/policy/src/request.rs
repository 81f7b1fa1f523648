//! Reads the request's head: is this an LLM request, of which API, and can its body be read?

use body_stream::Api;
use body_stream::encoding::Encoding;

use crate::config::Config;
use crate::reply::Refusal;

/// The request headers, as the host hands them over. Names are lower case (HTTP/2) or any case (HTTP/1).
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// Name and value pairs, pseudo-headers included.
    pub headers: &'a [(String, String)],
}

impl Head<'_> {
    /// The first header of this (lower-case) name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    fn all<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s str> {
        self.headers
            .iter()
            .filter(move |(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.as_str())
    }

    /// Inbound headers that only the filter may write. `-` and `_` count as the same, since many back ends read them so.
    pub(crate) fn forged(&self, config: &Config) -> Vec<String> {
        let headers = &config.headers;
        let ours = |name: &str| {
            begins_with(name, &headers.prefix)
                || headers
                    .route
                    .iter()
                    .chain(&headers.strip)
                    .any(|header| header.len() == name.len() && begins_with(name, header))
        };
        let mut names: Vec<String> =
            self.headers.iter().map(|(n, _)| n).filter(|n| ours(n)).cloned().collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Whether `name` begins with the (lower-case) `start`, in any case and with `-` and `_` as the same. Every header of every
/// request is looked at, so nothing is allocated.
fn begins_with(name: &str, start: &str) -> bool {
    let dashed = |byte: u8| if byte == b'_' { b'-' } else { byte };
    let same = |(a, b): (u8, u8)| dashed(a.to_ascii_lowercase()) == dashed(b);
    name.len() >= start.len() && name.bytes().zip(start.bytes()).all(same)
}

/// What the head says about the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Not for this filter: it passes untouched and unbuffered.
    Other,
    /// An LLM request whose body must be read.
    Llm {
        /// The shape of the body.
        api: Api,
        /// How the body is encoded; `None` when it is not.
        encoding: Option<Encoding>,
    },
    /// An LLM request that is refused before its body is read.
    Refused(Api, Refusal),
}

impl Target {
    /// Classifies a request by path, method, content type and encoding. `ends` is true when there is no body.
    #[must_use]
    pub fn of(head: &Head<'_>, ends: bool, config: &Config) -> Self {
        let Some(api) = head.get(":path").and_then(|path| api_of(path, config)) else {
            return Self::Other;
        };
        let method = head.get(":method").unwrap_or("");
        if head.get("upgrade").is_some() || method == "CONNECT" {
            return Self::Refused(api, Refusal::Upgrade);
        }
        if ends {
            return if method == "POST" {
                Self::Refused(api, Refusal::EmptyBody)
            } else {
                Self::Other
            };
        }
        if !may_be_json(head.get("content-type")) {
            return Self::Refused(api, Refusal::ContentType);
        }
        let codings: Vec<&str> = head.all("content-encoding").collect();
        let Ok(encoding) = Encoding::parse(&codings.join(",")) else {
            return Self::Refused(api, Refusal::Encoding);
        };
        let length = head.get("content-length").and_then(|v| v.trim().parse::<u64>().ok());
        if length.is_some_and(|n| n > config.limits.max_body_bytes as u64) {
            return Self::Refused(api, Refusal::BodyTooLarge);
        }
        Self::Llm { api, encoding }
    }
}

/// The API of a path: percent-escapes of plain characters are read, doubled and final slashes dropped, case ignored, so
/// that a spelling which a back end accepts is not a way past the filter.
fn api_of(path: &str, config: &Config) -> Option<Api> {
    let path = path.split(['?', '#']).next().unwrap_or("");
    let mut plain = String::with_capacity(path.len());
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        let byte = match byte {
            b'%' => {
                let mut ahead = bytes.clone();
                let hex = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
                match (hex(ahead.next()), hex(ahead.next())) {
                    (Some(high), Some(low)) => {
                        bytes = ahead;
                        u8::try_from(high * 16 + low).unwrap_or(b'%')
                    }
                    _ => b'%',
                }
            }
            b'\\' => b'/',
            other => other,
        };
        if byte == b'/' && plain.ends_with('/') {
            continue;
        }
        plain.push(char::from(byte).to_ascii_lowercase());
    }
    // `/v1/x/..;a=b/` and friends are left to Envoy's own path normalisation; parameters after `;` are dropped here.
    let plain = plain.split(';').next().unwrap_or("").trim_end_matches('/');
    config.paths.iter().find(|rule| plain.ends_with(&rule.suffix)).map(|rule| rule.api.clone())
}

/// Types that an LLM server reads as JSON, and absent or vague ones that it may read so.
fn may_be_json(content_type: Option<&str>) -> bool {
    let Some(content_type) = content_type else {
        return true;
    };
    let media = content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    let charset = content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
    });
    let utf8 = charset.is_none_or(|c| {
        ["utf-8", "utf8", "us-ascii", "ascii"].iter().any(|known| c.eq_ignore_ascii_case(known))
    });
    let json = media.is_empty()
        || media.ends_with("/json")
        || media.ends_with("+json")
        || matches!(
            media.as_str(),
            "text/plain" | "application/octet-stream" | "text/json" | "*/*"
        );
    json && utf8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect()
    }

    fn target(pairs: &[(&str, &str)]) -> Target {
        let config = Config::from_json(b"").unwrap();
        let mut all = head(&[(":method", "POST")]);
        all.extend(head(pairs));
        Target::of(&Head { headers: &all }, false, &config)
    }

    #[test]
    fn every_spelling_of_a_path_that_a_server_may_accept_is_the_api() {
        for path in [
            "/v1/chat/completions",
            "/v1/chat/completions/",
            "/v1//chat///completions",
            "/v1/chat/completions?x=/files",
            "/V1/Chat/Completions",
            "/v1/ch%61t/completions",
            "/v1/chat%2Fcompletions",
            "/openai/deployments/x/chat/completions",
            "/v1/chat/completions;a=b",
        ] {
            assert!(
                matches!(target(&[(":path", path)]), Target::Llm { api: Api::ChatCompletions, .. }),
                "{path}"
            );
        }
    }

    #[test]
    fn other_paths_pass() {
        for path in ["/", "/files/upload", "/v1/models", "/v1/chat/completionsx", "/xcompletions"] {
            assert_eq!(target(&[(":path", path)]), Target::Other, "{path}");
        }
    }

    #[test]
    fn content_types_that_may_be_json_are_read_and_others_refused() {
        let with = |value| target(&[(":path", "/v1/messages"), ("content-type", value)]);
        for value in [
            "application/json",
            "Application/JSON; charset=UTF-8",
            "application/vnd.api+json",
            "text/plain",
            "",
        ] {
            assert!(matches!(with(value), Target::Llm { .. }), "{value}");
        }
        for value in
            ["multipart/form-data; boundary=b", "application/json; charset=utf-16", "image/png"]
        {
            assert_eq!(
                with(value),
                Target::Refused(Api::Messages, Refusal::ContentType),
                "{value}"
            );
        }
    }

    #[test]
    fn one_known_encoding_is_read_and_anything_else_refused() {
        let with = |value| target(&[(":path", "/v1/responses"), ("content-encoding", value)]);
        for (value, encoding) in [
            ("gzip", Some(Encoding::Gzip)),
            ("X-GZIP", Some(Encoding::Gzip)),
            ("identity, zstd", Some(Encoding::Zstd)),
            ("br", Some(Encoding::Brotli)),
            ("deflate", Some(Encoding::Deflate)),
        ] {
            assert_eq!(with(value), Target::Llm { api: Api::Responses, encoding }, "{value}");
        }
        for value in ["gzip, gzip", "lzma", "gzip;q=1"] {
            assert_eq!(with(value), Target::Refused(Api::Responses, Refusal::Encoding), "{value}");
        }
    }

    #[test]
    fn an_announced_body_over_the_limit_is_refused_before_it_is_read() {
        let found = target(&[(":path", "/v1/messages"), ("content-length", "99999999999")]);
        assert_eq!(found, Target::Refused(Api::Messages, Refusal::BodyTooLarge));
    }

    #[test]
    fn headers_that_only_the_filter_may_write_are_found_in_every_spelling() {
        let config = Config::from_json(br#"{"headers":{"route":["x-ai-eg-model"]}}"#).unwrap();
        let headers = head(&[
            ("X-Forebay-Verdict", "allow"),
            ("x_forebay_route", "b"),
            ("x-ai-eg-model", "large"),
            ("authorization", "t"),
        ]);
        let found = Head { headers: &headers }.forged(&config);
        assert_eq!(found, ["X-Forebay-Verdict", "x-ai-eg-model", "x_forebay_route"]);
    }
}
