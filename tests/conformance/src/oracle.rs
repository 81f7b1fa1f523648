//! The cases' stub classifier, played in the layers that have no daemon: the oracle of the stub daemon, and faults.

use forebay_proto::v1;

pub(crate) use e2e::stub::ATTACK;

/// How the classifier behaves when it is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Answer {
    /// As the cases' README says.
    #[default]
    Faithful,
    /// It says that it left text out.
    Truncated,
    /// Its scores are not numbers.
    NotFinite,
    /// It says that its classifiers failed.
    Failed,
    /// Its bytes are no message.
    Garbage,
}

/// The oracle's answer to a request, encoded.
#[must_use]
pub(crate) fn answer(request: &v1::ClassifyRequest, how: Answer) -> Vec<u8> {
    use prost::Message as _;
    if how == Answer::Garbage {
        return vec![0xff; 32];
    }
    let results = request.signals.iter().map(|signal| result(request, signal, how)).collect();
    v1::ClassifyResponse { results, timings: Some(v1::Timings::default()) }.encode_to_vec()
}

fn result(
    request: &v1::ClassifyRequest,
    asked: &v1::SignalRequest,
    how: Answer,
) -> v1::SignalResult {
    let mut result = e2e::stub::oracle(&request.passages, asked);
    result.truncated = how == Answer::Truncated;
    if how == Answer::NotFinite {
        result.scores.iter_mut().for_each(|score| score.score = f32::NAN);
    }
    if how == Answer::Failed {
        result = v1::SignalResult {
            signal: asked.signal,
            failure: v1::Failure::Runtime.into(),
            ..Default::default()
        };
    }
    result
}
