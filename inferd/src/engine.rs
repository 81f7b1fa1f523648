//! From a request to batches and back: what is read, by which model, and what it says.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, watch};

use crate::decode::{self, LabelScore, Placed, Span, TokenInput};
use crate::loaded::{Loaded, Model};
use crate::models::{HeadKind, Signal};
use crate::telemetry::{Metrics, Stage};
use crate::tokenize::{Tokens, lower_shouting, windows};
use crate::worker::{Done, Work, WorkError};

/// A contiguous piece of a request's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Unique within the request.
    pub id: u32,
    /// May be empty.
    pub text: String,
}

/// One question about the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What to find out.
    pub signal: Signal,
    /// The passages to read, in this order, joined by a line feed.
    pub passages: Vec<u32>,
}

/// One request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The text, each piece once.
    pub passages: Vec<Passage>,
    /// At most one for each signal.
    pub questions: Vec<Question>,
}

/// Why a classifier gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No loaded model serves the signal.
    NoModel,
    /// The model returned a value that is not a finite number.
    NotFinite,
    /// The run failed inside the runtime.
    Runtime,
}

impl Failure {
    /// Label value in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoModel => "no_model",
            Self::NotFinite => "not_finite",
            Self::Runtime => "runtime",
        }
    }
}

/// What a classifier found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The model's name.
    pub model: String,
    /// The model's version.
    pub version: String,
    /// Every label with its probability, highest first; empty for token heads.
    pub scores: Vec<LabelScore>,
    /// Entities, sorted by passage and start; empty for sequence heads.
    pub spans: Vec<Span>,
    /// The probability from which a label or entity counts.
    pub threshold: f32,
    /// Tokens read, overlap counted once, special tokens not counted.
    pub tokens: usize,
    /// How many windows.
    pub windows: usize,
    /// Whether text was left out.
    pub truncated: bool,
    /// The head's `window_prior`.
    pub window_prior: f32,
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What was asked.
    pub signal: Signal,
    /// What came of it.
    pub finding: Result<Finding, Failure>,
}

/// Where the wall time went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Text to ids.
    pub tokenise: Duration,
    /// The longest wait for a worker.
    pub queue: Duration,
    /// The longest run.
    pub run: Duration,
    /// Logits to answers.
    pub decode: Duration,
}

/// All answers, in the order of the questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// One for each question.
    pub answers: Vec<Answer>,
    /// Where the time went.
    pub timings: Timings,
}

/// Why a request got no answers at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The request breaks a rule; the message says which and never quotes text.
    #[error("{0}")]
    Invalid(String),
    /// There is no room now.
    #[error("overloaded: {0}")]
    Overloaded(&'static str),
    /// The deadline passed.
    #[error("the deadline passed")]
    Deadline,
    /// Not warm yet, or shutting down.
    #[error("not serving")]
    Unavailable,
    /// A bug or a broken tokenizer; the message never quotes text.
    #[error("internal error: {0}")]
    Internal(String),
}

/// Caps of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Requests being worked on at once.
    pub max_concurrent_requests: usize,
    /// Tokens after which the rest of a text is left out, and the answer says so; `None` refuses what does not fit the queue.
    pub max_tokens_per_signal: Option<usize>,
}

/// Said to callers whose answer would come after their deadline.
const LATE: &str = "what waits already would outlast the deadline";

/// Most passages of a request.
const MAX_PASSAGES: usize = 65_536;

/// Texts from this size on are tokenised and decoded on the blocking pool: about a millisecond's work.
const INLINE_BYTES: usize = 16 * 1024;

/// Answers requests with the models that are loaded now.
#[derive(Debug)]
pub struct Engine {
    current: RwLock<Option<Arc<Loaded>>>,
    permits: Semaphore,
    limits: Limits,
    metrics: Arc<Metrics>,
    cut_off: watch::Sender<bool>,
}

impl Engine {
    /// An engine without models: it answers [`EngineError::Unavailable`] until [`Engine::swap`].
    #[must_use]
    pub fn new(limits: Limits, metrics: Arc<Metrics>) -> Self {
        let permits = Semaphore::new(limits.max_concurrent_requests);
        Self {
            current: RwLock::default(),
            permits,
            limits,
            metrics,
            cut_off: watch::Sender::new(false),
        }
    }

    /// Puts other models in place; requests under way end with those that they began with.
    pub fn swap(&self, loaded: Option<Arc<Loaded>>) -> Option<Arc<Loaded>> {
        std::mem::replace(
            &mut *self.current.write().unwrap_or_else(PoisonError::into_inner),
            loaded,
        )
    }

    /// The models in place.
    #[must_use]
    pub fn loaded(&self) -> Option<Arc<Loaded>> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The metrics that the engine counts in.
    #[must_use]
    pub const fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// Answers a request. Dropping the future takes back what has not run yet.
    ///
    /// # Errors
    ///
    /// [`EngineError`]; a failure of one classifier is part of its answer instead.
    pub async fn classify(
        &self,
        request: Request,
        deadline: Option<Instant>,
    ) -> Result<Response, EngineError> {
        let mut cut_off = self.cut_off.subscribe();
        tokio::select! {
            biased;
            _ = cut_off.wait_for(|cut| *cut) => Err(EngineError::Unavailable),
            answered = self.answer(request, deadline) => answered,
        }
    }

    /// How many requests are being answered.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.limits.max_concurrent_requests.saturating_sub(self.permits.available_permits())
    }

    /// Ends all requests with [`EngineError::Unavailable`], now and from now on.
    pub fn cut_off(&self) {
        self.cut_off.send_replace(true);
    }

    async fn answer(
        &self,
        request: Request,
        deadline: Option<Instant>,
    ) -> Result<Response, EngineError> {
        let loaded = self.loaded().ok_or(EngineError::Unavailable)?;
        check(&request)?;
        let _permit = self
            .permits
            .try_acquire()
            .map_err(|_| EngineError::Overloaded("too many requests at once"))?;
        if !loaded.take(request.questions.iter().map(|q| q.signal), deadline) {
            return Err(EngineError::Overloaded(LATE));
        }
        let mut timings = Timings::default();

        let began = Instant::now();
        let bytes: usize = request.passages.iter().map(|p| p.text.len()).sum();
        let cap = self.limits.max_tokens_per_signal;
        let plan = Arc::new(blocking(bytes, move || Plan::new(&request, loaded, cap)).await??);
        timings.tokenise = began.elapsed();
        if deadline.is_some_and(|d| d <= Instant::now()) {
            return Err(EngineError::Deadline);
        }

        let runs = run(&plan, deadline, &mut timings).await?;

        let began = Instant::now();
        let answers = blocking(bytes, move || plan.decode(&runs)).await?;
        timings.decode = began.elapsed();
        self.count(&answers, &timings);
        Ok(Response { answers, timings })
    }

    fn count(&self, answers: &[Answer], timings: &Timings) {
        for (stage, took) in [
            (Stage::Tokenise, timings.tokenise),
            (Stage::Queue, timings.queue),
            (Stage::Run, timings.run),
            (Stage::Decode, timings.decode),
        ] {
            self.metrics.stage(stage, took);
        }
        for answer in answers {
            match &answer.finding {
                Ok(finding) => self.metrics.result(answer.signal.name(), "none", finding.truncated),
                Err(failure) => self.metrics.result(answer.signal.name(), failure.name(), false),
            }
        }
    }
}

/// Runs `f` here when it is short work, or on the blocking pool.
async fn blocking<T: Send + 'static>(
    bytes: usize,
    f: impl FnOnce() -> T + Send + 'static,
) -> Result<T, EngineError> {
    if bytes < INLINE_BYTES {
        return Ok(f());
    }
    tokio::task::spawn_blocking(f)
        .await
        .map_err(|_| EngineError::Internal("a task crashed".to_owned()))
}

fn check(request: &Request) -> Result<(), EngineError> {
    let invalid = |message: String| Err(EngineError::Invalid(message));
    if request.passages.len() > MAX_PASSAGES {
        return invalid(format!(
            "{} passages are more than {MAX_PASSAGES}",
            request.passages.len()
        ));
    }
    let mut ids = HashSet::new();
    for passage in &request.passages {
        if !ids.insert(passage.id) {
            return invalid(format!("passage id {} is there twice", passage.id));
        }
    }
    if request.questions.is_empty() {
        return invalid("no signal is asked for".to_owned());
    }
    let mut signals = HashSet::new();
    for Question { signal, passages } in &request.questions {
        if !signals.insert(*signal) {
            return invalid(format!("signal {signal} is asked for twice"));
        }
        if passages.is_empty() {
            return invalid(format!("signal {signal} lists no passage"));
        }
        let mut listed = HashSet::new();
        for id in passages {
            if !ids.contains(id) {
                return invalid(format!(
                    "signal {signal} lists passage {id}, which is not in the request"
                ));
            }
            if !listed.insert(*id) {
                return invalid(format!("signal {signal} lists passage {id} twice"));
            }
        }
    }
    Ok(())
}

/// Passages joined in one order.
struct Reading {
    text: String,
    placed: Vec<Placed>,
}

impl Reading {
    fn new(request: &Request, list: &[u32]) -> Self {
        let by_id: HashMap<u32, &str> =
            request.passages.iter().map(|p| (p.id, p.text.as_str())).collect();
        let mut text = String::new();
        let mut placed = Vec::with_capacity(list.len());
        for id in list {
            if !placed.is_empty() {
                text.push('\n');
            }
            let start = text.len();
            text.push_str(by_id.get(id).copied().unwrap_or_default());
            placed.push(Placed { id: *id, range: start..text.len() });
        }
        Self { text, placed }
    }
}

/// One pass of one model over one reading, for all signals that want it.
struct Pass {
    model: usize,
    reading: usize,
    tokens: Arc<Tokens>,
    windows: Vec<Range<usize>>,
    /// Indices of the model's heads, in the order in which they were asked.
    heads: Vec<usize>,
}

/// Which pass answers a question.
struct Asked {
    signal: Signal,
    /// Pass and position among its heads; `None` without a model.
    from: Option<(usize, usize)>,
}

/// What has to run for a request.
struct Plan {
    loaded: Arc<Loaded>,
    readings: Vec<Reading>,
    passes: Vec<Pass>,
    asked: Vec<Asked>,
}

impl Plan {
    /// Tokenises each distinct list of passages once for each tokenizer, and groups signals that share a model and a list.
    fn new(
        request: &Request,
        loaded: Arc<Loaded>,
        cap: Option<usize>,
    ) -> Result<Self, EngineError> {
        let mut plan = Self { readings: Vec::new(), passes: Vec::new(), asked: Vec::new(), loaded };
        let mut by_list: BTreeMap<&[u32], usize> = BTreeMap::new();
        let mut encoded: HashMap<(usize, usize, bool), Arc<Tokens>> = HashMap::new();
        for question in &request.questions {
            let Some((model_index, head)) = plan.loaded.serves(question.signal) else {
                plan.asked.push(Asked { signal: question.signal, from: None });
                continue;
            };
            let reading = *by_list.entry(&question.passages).or_insert_with(|| {
                plan.readings.push(Reading::new(request, &question.passages));
                plan.readings.len() - 1
            });
            let pass =
                plan.passes.iter().position(|p| p.model == model_index && p.reading == reading);
            let pass = match pass {
                Some(pass) => pass,
                None => {
                    let tokens = plan.tokens(model_index, reading, cap, &mut encoded)?;
                    let model = plan.model(model_index)?;
                    let cut = windows(
                        tokens.len(),
                        model.content_tokens,
                        model.spec.window_overlap_tokens,
                    );
                    plan.passes.push(Pass {
                        model: model_index,
                        reading,
                        tokens,
                        windows: cut,
                        heads: Vec::new(),
                    });
                    plan.passes.len() - 1
                }
            };
            let position = plan.passes.get_mut(pass).map(|p| {
                p.heads.push(head);
                p.heads.len() - 1
            });
            plan.asked.push(Asked {
                signal: question.signal,
                from: position.map(|position| (pass, position)),
            });
        }
        Ok(plan)
    }

    fn model(&self, index: usize) -> Result<&Model, EngineError> {
        self.loaded
            .models
            .get(index)
            .ok_or_else(|| EngineError::Internal("a model has gone".to_owned()))
    }

    fn tokens(
        &self,
        model: usize,
        reading: usize,
        cap: Option<usize>,
        encoded: &mut HashMap<(usize, usize, bool), Arc<Tokens>>,
    ) -> Result<Arc<Tokens>, EngineError> {
        let model = self.model(model)?;
        let key = (model.tokenizer_index, reading, model.spec.lowercase_shouting);
        if let Some(tokens) = encoded.get(&key) {
            return Ok(Arc::clone(tokens));
        }
        let text = self.readings.get(reading).map_or("", |r| r.text.as_str());
        let text =
            if model.spec.lowercase_shouting { lower_shouting(text) } else { Cow::Borrowed(text) };
        // Without a cap there is still no point in tokenising more than the queue holds.
        let limit = cap.unwrap_or(self.loaded.max_queue_tokens);
        let tokens = model
            .tokenizer
            .encode(&text, limit)
            .map_err(|e| EngineError::Internal(e.to_string()))?;
        if tokens.truncated && cap.is_none() {
            return Err(EngineError::Invalid(format!(
                "the text has more than {limit} tokens, which is all that can wait"
            )));
        }
        let tokens = Arc::new(tokens);
        encoded.insert(key, Arc::clone(&tokens));
        Ok(tokens)
    }

    fn decode(&self, runs: &[Result<Done, Failure>]) -> Vec<Answer> {
        self.asked
            .iter()
            .map(|asked| Answer {
                signal: asked.signal,
                finding: asked
                    .from
                    .ok_or(Failure::NoModel)
                    .and_then(|(pass, position)| self.finding(pass, position, runs)),
            })
            .collect()
    }

    fn finding(
        &self,
        index: usize,
        position: usize,
        runs: &[Result<Done, Failure>],
    ) -> Result<Finding, Failure> {
        let pass = self.passes.get(index).ok_or(Failure::Runtime)?;
        let done = runs.get(index).ok_or(Failure::Runtime)?.as_ref().map_err(|failure| *failure)?;
        let model = self.loaded.models.get(pass.model).ok_or(Failure::Runtime)?;
        let reading = self.readings.get(pass.reading).ok_or(Failure::Runtime)?;
        let head = pass
            .heads
            .get(position)
            .and_then(|i| model.spec.heads.get(*i))
            .ok_or(Failure::Runtime)?;
        let rows: Vec<&[f32]> = done
            .windows
            .iter()
            .filter_map(|heads| heads.get(position).map(Vec::as_slice))
            .collect();
        let (scores, spans) = match head.kind {
            HeadKind::Sequence => {
                (decode::sequence(head, &rows).map_err(|_| Failure::NotFinite)?, Vec::new())
            }
            HeadKind::Token => {
                let skip = model.content_start * head.labels.len();
                let content: Vec<&[f32]> = rows
                    .iter()
                    .zip(&pass.windows)
                    .filter_map(|(row, window)| {
                        row.get(skip..skip + window.len() * head.labels.len())
                    })
                    .collect();
                let input = TokenInput {
                    text: &reading.text,
                    offsets: &pass.tokens.offsets,
                    windows: &pass.windows,
                    logits: &content,
                    passages: &reading.placed,
                };
                (Vec::new(), decode::token_spans(head, &input).map_err(|_| Failure::NotFinite)?)
            }
        };
        Ok(Finding {
            model: model.spec.name.clone(),
            version: model.spec.version.clone(),
            scores,
            spans,
            threshold: head.threshold,
            tokens: pass.tokens.len(),
            windows: pass.windows.len(),
            truncated: pass.tokens.truncated,
            window_prior: head.window_prior,
        })
    }
}

/// Submits all passes at once and waits for them.
async fn run(
    plan: &Plan,
    deadline: Option<Instant>,
    timings: &mut Timings,
) -> Result<Vec<Result<Done, Failure>>, EngineError> {
    let mut receivers = Vec::with_capacity(plan.passes.len());
    for pass in &plan.passes {
        let model = plan.model(pass.model)?;
        let framed = pass
            .windows
            .iter()
            .map(|window| {
                model
                    .tokenizer
                    .frame(&model.prefix, pass.tokens.ids.get(window.clone()).unwrap_or_default())
            })
            .collect();
        let work = Work { windows: framed, heads: pass.heads.clone(), deadline };
        receivers.push(model.worker.submit(work).map_err(refused)?);
    }
    let mut runs = Vec::with_capacity(receivers.len());
    for receiver in receivers {
        let answer = match deadline {
            Some(deadline) => tokio::time::timeout_at(deadline.into(), receiver)
                .await
                .map_err(|_| EngineError::Deadline)?,
            None => receiver.await,
        };
        match answer.unwrap_or(Err(WorkError::Closed)) {
            Ok(done) => {
                timings.queue = timings.queue.max(done.queued);
                timings.run = timings.run.max(done.ran);
                runs.push(Ok(done));
            }
            Err(WorkError::Run(error)) => {
                tracing::warn!(%error, "a run failed");
                runs.push(Err(Failure::Runtime));
            }
            Err(
                error @ (WorkError::TooLarge { .. }
                | WorkError::Full
                | WorkError::Late
                | WorkError::Deadline
                | WorkError::Closed),
            ) => {
                return Err(refused(error));
            }
        }
    }
    Ok(runs)
}

fn refused(error: WorkError) -> EngineError {
    match error {
        WorkError::TooLarge { tokens, limit } => EngineError::Invalid(format!(
            "the request needs {tokens} tokens, windows and overlap counted, but at most {limit} can wait"
        )),
        WorkError::Full => EngineError::Overloaded("the queue is full"),
        WorkError::Late => EngineError::Overloaded(LATE),
        WorkError::Deadline => EngineError::Deadline,
        WorkError::Closed => EngineError::Unavailable,
        WorkError::Run(error) => EngineError::Internal(error.to_string()),
    }
}

#[cfg(test)]
mod tests;
