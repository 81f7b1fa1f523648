//! How the daemon's cluster is named to the proxy.

use std::borrow::Cow;

use prost::Message;

/// What the daemon is called in `:authority`. Any name does: the socket alone decides who answers.
const AUTHORITY: &str = "inferd";

/// Longest cluster name that goes with an authority of its own, in bytes. The host call takes text, and the length of a
/// longer message would not be text.
pub(crate) const MAX_NAME_BYTES: usize = 127 - 2 - 2 - AUTHORITY.len();

/// Envoy's `GrpcService`, as far as it is needed.
#[derive(Clone, PartialEq, Message)]
struct GrpcService {
    #[prost(message, optional, tag = "1")]
    envoy_grpc: Option<EnvoyGrpc>,
}

#[derive(Clone, PartialEq, Message)]
struct EnvoyGrpc {
    #[prost(string, tag = "1")]
    cluster_name: String,
    #[prost(string, tag = "2")]
    authority: String,
}

/// The service to call, as the proxy's gRPC call wants it: a cluster's name, or an encoded `GrpcService` with an authority.
///
/// Envoy takes the cluster's name for `:authority` when it is given no other. Istio's names (`outbound|50051||host`) and
/// Envoy Gateway's (`envoyextensionpolicy/...`) are none, and the daemon's HTTP/2 refuses the call.
#[must_use]
pub fn grpc_service(cluster: &str) -> Cow<'_, str> {
    if is_authority(cluster) || cluster.len() > MAX_NAME_BYTES {
        return Cow::Borrowed(cluster);
    }
    let envoy_grpc =
        EnvoyGrpc { cluster_name: cluster.to_owned(), authority: AUTHORITY.to_owned() };
    let bytes = GrpcService { envoy_grpc: Some(envoy_grpc) }.encode_to_vec();
    String::from_utf8(bytes).map_or(Cow::Borrowed(cluster), Cow::Owned)
}

/// Whether a cluster's name may stand in `:authority`.
pub(crate) fn is_authority(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_is_handed_on_as_it_is() {
        for name in ["inferd", "forebay_inferd.v1-a", ""] {
            assert_eq!(grpc_service(name), name);
        }
    }

    #[test]
    fn a_name_that_is_no_authority_gets_one() {
        for name in
            ["outbound|50051||inferd.forebay.internal", "envoyextensionpolicy/llm/forebay/0"]
        {
            let service = GrpcService::decode(grpc_service(name).as_bytes()).unwrap();
            let grpc = service.envoy_grpc.unwrap();
            assert_eq!((grpc.cluster_name.as_str(), grpc.authority.as_str()), (name, "inferd"));
        }
    }

    #[test]
    fn the_longest_name_still_makes_a_text_and_a_longer_one_is_left_alone() {
        for length in 1..=MAX_NAME_BYTES {
            let name = "/".repeat(length);
            assert!(GrpcService::decode(grpc_service(&name).as_bytes()).is_ok(), "{length}");
            assert_ne!(grpc_service(&name), name);
        }
        let name = "/".repeat(MAX_NAME_BYTES + 1);
        assert_eq!(grpc_service(&name), name);
        let config = format!(r#"{{"daemon":{{"cluster":"{name}"}}}}"#);
        let error = crate::Config::from_json(config.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("daemon.cluster") && error.contains("117"), "{error}");
    }
}
