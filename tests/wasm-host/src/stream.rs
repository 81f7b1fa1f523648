//! One HTTP stream, as Envoy leads it through a filter.
use crate::error::{Error, Result};
use crate::host::{Deferred, Direction, GrpcCall, Headers, LocalReply, Message};
use crate::vm::{Inner, Vm};

/// Whether a part is the last of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// More will come.
    Later,
    /// This was all.
    Now,
}

/// What the filter answered to a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// What is here goes on.
    Continue,
    /// What is here waits.
    Pause,
    /// The filter was not asked: the stream has been answered already.
    Gone,
}

/// A handle to one stream.
#[derive(Clone, Debug)]
pub struct Stream {
    vm: Vm,
    id: u32,
}

/// A gRPC call that waits for its answer.
#[derive(Debug)]
pub struct PendingCall {
    vm: Vm,
    token: u32,
}

/// Which callback a part of a message goes to.
#[derive(Clone, Copy, Debug)]
enum Part {
    Headers(End),
    Body(End),
    Trailers,
}

impl Part {
    const fn ends(self) -> bool {
        matches!(self, Self::Headers(End::Now) | Self::Body(End::Now) | Self::Trailers)
    }
}

impl Stream {
    pub(crate) const fn new(vm: Vm, id: u32) -> Self {
        Self { vm, id }
    }

    /// The client sends its headers.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn request_headers(&self, headers: &Headers, end: End) -> Result<Flow> {
        self.send(Direction::Request, Part::Headers(end), Some(headers), &[])
    }

    /// The client sends a piece of its body. HTTP/2 ends with the last piece, HTTP/1 with an empty one after it.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn request_body(&self, bytes: &[u8], end: End) -> Result<Flow> {
        self.send(Direction::Request, Part::Body(end), None, bytes)
    }

    /// The client sends trailers, which end its request.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn request_trailers(&self, trailers: &Headers) -> Result<Flow> {
        self.send(Direction::Request, Part::Trailers, Some(trailers), &[])
    }

    /// A whole request as HTTP/1 brings it: headers, the body in pieces, then an empty piece with the end.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn request<'a>(
        &self,
        headers: &Headers,
        pieces: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Flow> {
        self.request_headers(headers, End::Later)?;
        for piece in pieces {
            self.request_body(piece, End::Later)?;
        }
        self.request_body(&[], End::Now)
    }

    /// The upstream sends its headers. They need a `:status`.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics, [`Error::Misuse`] when no request has reached the upstream.
    pub fn response_headers(&self, headers: &Headers, end: End) -> Result<Flow> {
        if self.upstream().headers.is_none() {
            return Err(Error::Misuse("a response before the request's headers were let go"));
        }
        self.send(Direction::Response, Part::Headers(end), Some(headers), &[])
    }

    /// The upstream sends a piece of its body.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn response_body(&self, bytes: &[u8], end: End) -> Result<Flow> {
        self.send(Direction::Response, Part::Body(end), None, bytes)
    }

    /// The upstream sends trailers, which end its response.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn response_trailers(&self, trailers: &Headers) -> Result<Flow> {
        self.send(Direction::Response, Part::Trailers, Some(trailers), &[])
    }

    /// What has reached the upstream.
    #[must_use]
    pub fn upstream(&self) -> Message {
        self.state(|stream| stream.request.out.clone())
    }

    /// What has reached the client.
    #[must_use]
    pub fn client(&self) -> Message {
        self.state(|stream| stream.response.out.clone())
    }

    /// The reply that the filter, or the proxy at its buffer limit, has made.
    #[must_use]
    pub fn local_reply(&self) -> Option<LocalReply> {
        self.state(|stream| stream.local_reply.clone())
    }

    /// Whether the request waits for the filter.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.state(|stream| stream.request.paused && stream.local_reply.is_none())
    }

    /// The newest call of this stream that waits for an answer.
    #[must_use]
    pub fn call(&self) -> Option<PendingCall> {
        let calls = self.vm.calls_in_flight();
        let call = calls.iter().rev().find(|call| call.context == self.id)?;
        Some(PendingCall::new(self.vm.clone(), call.token))
    }

    /// Body bytes that the filter has copied into its memory; reading each byte once gives the body's size.
    #[must_use]
    pub fn bytes_copied(&self) -> usize {
        self.state(|stream| stream.bytes_copied)
    }

    /// How often the filter asked for the route to be chosen anew.
    #[must_use]
    pub fn route_cache_clears(&self) -> usize {
        self.state(|stream| stream.route_cache_clears)
    }

    /// Ends the stream: it is complete, or the client or the upstream has reset it.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn close(self) -> Result<()> {
        let mut inner = self.vm.inner.borrow_mut();
        inner.enter::<_, i32>("proxy_on_done", self.id, self.id)?;
        inner.enter::<_, ()>("proxy_on_log", self.id, self.id)?;
        inner.enter::<_, ()>("proxy_on_delete", self.id, self.id)?;
        inner.host().streams.remove(&self.id);
        settle(&mut inner)
    }

    fn state<T: Default>(&self, look: impl FnOnce(&crate::host::StreamState) -> T) -> T {
        self.vm.inner.borrow_mut().host().streams.get(&self.id).map(look).unwrap_or_default()
    }

    fn send(
        &self,
        direction: Direction,
        part: Part,
        map: Option<&Headers>,
        bytes: &[u8],
    ) -> Result<Flow> {
        let mut inner = self.vm.inner.borrow_mut();
        let stream = inner.host().streams.get(&self.id);
        if stream.is_none_or(|stream| stream.local_reply.is_some()) {
            return Ok(Flow::Gone);
        }
        let flow = deliver(&mut inner, self.id, direction, part, map, bytes)?;
        settle(&mut inner)?;
        let answered =
            inner.host().streams.get(&self.id).is_some_and(|stream| stream.local_reply.is_some());
        Ok(if answered { Flow::Pause } else { flow })
    }
}

/// Shows one part of a message to the filter, and lets go or holds what it says.
fn deliver(
    inner: &mut Inner,
    id: u32,
    direction: Direction,
    part: Part,
    map: Option<&Headers>,
    bytes: &[u8],
) -> Result<Flow> {
    let limit = inner.host().setup.buffer_limit_bytes;
    let Some(stream) = inner.host().streams.get_mut(&id) else { return Ok(Flow::Gone) };
    let side = stream.side(direction);
    if side.out.ended || side.end_waits {
        return Err(Error::Misuse("a part after the end of its message"));
    }
    side.end_waits = part.ends();
    let end = u32::from(part.ends());
    let count = |map: &Option<Headers>| map.as_ref().map_or(0, Headers::len);
    let (name, size) = match part {
        Part::Headers(_) => {
            side.headers = map.cloned();
            let name = match direction {
                Direction::Request => "proxy_on_request_headers",
                Direction::Response => "proxy_on_response_headers",
            };
            (name, count(&side.headers))
        }
        Part::Body(_) => {
            // While the filter holds a body it sees all of it each time; otherwise the new bytes alone.
            match &mut side.held {
                Some(held) => held.extend(bytes),
                None => side.passing = Some(bytes.to_vec()),
            }
            let name = match direction {
                Direction::Request => "proxy_on_request_body",
                Direction::Response => "proxy_on_response_body",
            };
            (name, side.buffer().map_or(0, |buffer| buffer.len()))
        }
        Part::Trailers => {
            side.trailers = map.cloned();
            let name = match direction {
                Direction::Request => "proxy_on_request_trailers",
                Direction::Response => "proxy_on_response_trailers",
            };
            (name, count(&side.trailers))
        }
    };
    if side.held.as_ref().is_some_and(|held| held.len() > limit) {
        too_large(inner, id, direction);
        return Ok(Flow::Pause);
    }
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let action: i32 = match part {
        Part::Trailers => inner.enter(name, id, (id, size))?,
        Part::Headers(_) | Part::Body(_) => inner.enter(name, id, (id, size, end))?,
    };
    let Some(stream) = inner.host().streams.get_mut(&id) else { return Ok(Flow::Gone) };
    if stream.local_reply.is_some() && direction == Direction::Request {
        return Ok(Flow::Pause);
    }
    let side = stream.side(direction);
    if action == 0 {
        side.release();
        if matches!(part, Part::Headers(_)) {
            side.headers = None;
        }
        return Ok(Flow::Continue);
    }
    side.paused = true;
    if let Some(passing) = side.passing.take() {
        side.held = Some(passing);
        if side.held.as_ref().is_some_and(|held| held.len() > limit) {
            too_large(inner, id, direction);
        }
    }
    Ok(Flow::Pause)
}

/// Envoy's own answer when more is held than its buffer may take.
fn too_large(inner: &mut Inner, id: u32, direction: Direction) {
    let (status, details, body) = match direction {
        Direction::Request => (413, "request_payload_too_large", "Payload Too Large"),
        Direction::Response => (500, "response_payload_too_large", "Internal Server Error"),
    };
    let reply = LocalReply {
        status,
        details: details.to_owned(),
        headers: Headers::default(),
        body: body.as_bytes().to_vec(),
    };
    let host = inner.host();
    if let Some(stream) = host.streams.get_mut(&id) {
        stream.local_reply = Some(reply.clone());
        host.deferred.push(Deferred::Reply(id, reply));
    }
}

/// Carries out what had to wait until the filter's code returned.
pub(crate) fn settle(inner: &mut Inner) -> Result<()> {
    while !inner.host().deferred.is_empty() {
        match inner.host().deferred.remove(0) {
            Deferred::Resume(id, direction) => {
                let Some(stream) = inner.host().streams.get_mut(&id) else { continue };
                let answered = stream.local_reply.is_some() && direction == Direction::Request;
                let side = stream.side(direction);
                if side.paused && !answered {
                    side.release();
                }
            }
            Deferred::Reply(id, reply) => show_reply(inner, id, &reply)?,
        }
    }
    Ok(())
}

/// A local reply passes the filter's own response callbacks, as any response does.
fn show_reply(inner: &mut Inner, id: u32, reply: &LocalReply) -> Result<()> {
    let mut headers = Headers::from([(":status", reply.status.to_string().as_str())]);
    for (name, value) in reply.headers.iter() {
        headers = headers.and(&String::from_utf8_lossy(name), value);
    }
    if !reply.body.is_empty() {
        headers.replace(b"content-length", reply.body.len().to_string().as_bytes());
        if headers.get("content-type").is_none() {
            headers = headers.and("content-type", "text/plain");
        }
    }
    let end = if reply.body.is_empty() { End::Now } else { End::Later };
    if let Some(stream) = inner.host().streams.get_mut(&id) {
        // It takes the place of a response that had begun.
        stream.response = crate::host::Side::default();
    }
    deliver(inner, id, Direction::Response, Part::Headers(end), Some(&headers), &[])?;
    if end == End::Later {
        deliver(inner, id, Direction::Response, Part::Body(End::Now), None, &reply.body)?;
    }
    Ok(())
}

impl PendingCall {
    pub(crate) const fn new(vm: Vm, token: u32) -> Self {
        Self { vm, token }
    }

    /// What was asked; `None` once the call has ended.
    #[must_use]
    pub fn request(&self) -> Option<GrpcCall> {
        self.vm.inner.borrow_mut().host().calls.get(&self.token).cloned()
    }

    /// The daemon answers. An answer to a call that was cancelled, or whose stream is gone, is dropped as Envoy does.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn reply(self, message: &[u8]) -> Result<()> {
        let size = u32::try_from(message.len()).unwrap_or(u32::MAX);
        self.end(message, (0, String::new()), |inner, context, token| {
            inner.enter::<_, ()>("proxy_on_grpc_receive", context, (context, token, size))
        })
    }

    /// The call fails with a gRPC status.
    ///
    /// # Errors
    ///
    /// [`Error::Trap`] when the filter panics.
    pub fn fail(self, status: u32, message: &str) -> Result<()> {
        self.end(&[], (status, message.to_owned()), |inner, context, token| {
            inner.enter::<_, ()>("proxy_on_grpc_close", context, (context, token, status))
        })
    }

    fn end(
        self,
        message: &[u8],
        status: (u32, String),
        enter: impl FnOnce(&mut Inner, u32, u32) -> Result<()>,
    ) -> Result<()> {
        let mut inner = self.vm.inner.borrow_mut();
        let host = inner.host();
        let Some(call) = host.calls.remove(&self.token) else { return Ok(()) };
        if call.context != crate::host::ROOT && !host.streams.contains_key(&call.context) {
            return Ok(());
        }
        host.grpc_receive = (status.0 == 0).then(|| message.to_vec());
        host.grpc_status = status;
        enter(&mut inner, call.context, self.token)?;
        inner.host().grpc_receive = None;
        inner.host().grpc_status = (0, String::new());
        settle(&mut inner)
    }
}
