//! HTTP/1.1, written by hand so that each chunk and each break is the test's.
use std::net::SocketAddr;

use anyhow::{Context as _, Result, bail};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Notify;

use super::{Fields, Framing, Reply, Request, Step};

pub(super) async fn send(
    connection: TcpStream,
    request: &Request,
    host: SocketAddr,
) -> Result<Reply> {
    let (input, output) = connection.into_split();
    let interim = Notify::new();
    let mut sent = 0;
    let mut reply = {
        let reading = read_reply(input, &interim);
        let writing = write(output, request, host, &interim, &mut sent);
        tokio::pin!(reading, writing);
        // A peer may answer before all is sent, and may close so that sending fails: only the answer counts.
        tokio::select! {
            reply = &mut reading => reply?,
            outcome = &mut writing => match outcome {
                Ok(Written::Reset) => bail!("the client broke off"),
                // The half of the connection is kept, so that the peer does not take the end of sending for a break.
                Ok(Written::All(output)) => { let reply = reading.await; drop(output); reply? }
                Err(error) => reading.await.with_context(|| format!("while sending failed: {error}"))?,
            },
        }
    };
    reply.bytes_sent = sent;
    Ok(reply)
}

enum Written {
    All(OwnedWriteHalf),
    Reset,
}

async fn write(
    mut output: OwnedWriteHalf,
    request: &Request,
    host: SocketAddr,
    interim: &Notify,
    sent: &mut usize,
) -> Result<Written> {
    let mut head = format!("{} {} HTTP/1.1\r\nhost: {host}\r\n", request.method, request.path);
    for (name, value) in &request.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let has_body = !request.steps.is_empty();
    let told = request.headers.iter().any(|(name, _)| {
        ["content-length", "transfer-encoding"].iter().any(|known| name.eq_ignore_ascii_case(known))
    });
    match request.framing {
        _ if told || !has_body => {}
        Framing::Length => head.push_str(&format!("content-length: {}\r\n", request.body_bytes())),
        Framing::Open => head.push_str("transfer-encoding: chunked\r\n"),
    }
    head.push_str("\r\n");
    output.write_all(head.as_bytes()).await?;
    let chunked = has_body && request.framing == Framing::Open;
    let mut trailers = String::new();
    for step in &request.steps {
        match step {
            Step::Data(data) => {
                // An empty chunk would end the body.
                if chunked && !data.is_empty() {
                    let mut chunk = format!("{:x}\r\n", data.len()).into_bytes();
                    chunk.extend_from_slice(data);
                    chunk.extend_from_slice(b"\r\n");
                    output.write_all(&chunk).await?;
                } else {
                    output.write_all(data).await?;
                }
                *sent += data.len();
            }
            Step::Wait(time) => tokio::time::sleep(*time).await,
            Step::WaitForContinue => interim.notified().await,
            Step::Trailers(fields) => {
                for (name, value) in fields {
                    trailers.push_str(&format!("{name}: {value}\r\n"));
                }
            }
            Step::Reset => {
                // Both halves are dropped on return: the peer sees the connection go away.
                return Ok(Written::Reset);
            }
        }
    }
    if chunked {
        output.write_all(format!("0\r\n{trailers}\r\n").as_bytes()).await?;
    }
    Ok(Written::All(output))
}

/// Reads from a connection with a buffer of what is not used yet.
struct Reader {
    input: OwnedReadHalf,
    buffer: Vec<u8>,
}

impl Reader {
    async fn more(&mut self) -> Result<usize> {
        Ok(self.input.read_buf(&mut self.buffer).await?)
    }

    async fn line(&mut self) -> Result<String> {
        loop {
            if let Some(end) = self.buffer.windows(2).position(|pair| pair == b"\r\n") {
                let line: Vec<u8> = self.buffer.drain(..end + 2).take(end).collect();
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            if self.more().await? == 0 {
                bail!("the connection ended inside a line");
            }
        }
    }

    async fn exactly(&mut self, bytes: usize) -> Result<Vec<u8>> {
        while self.buffer.len() < bytes {
            if self.more().await? == 0 {
                bail!("the connection ended after {} of {bytes} body bytes", self.buffer.len());
            }
        }
        Ok(self.buffer.drain(..bytes).collect())
    }

    async fn head(&mut self) -> Result<(u16, Fields)> {
        loop {
            let mut fields = [httparse::EMPTY_HEADER; 128];
            let mut head = httparse::Response::new(&mut fields);
            if let httparse::Status::Complete(used) = head.parse(&self.buffer)? {
                let status = head.code.context("a response without a status")?;
                let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
                let fields = head.headers.iter();
                let fields =
                    fields.map(|field| (field.name.to_ascii_lowercase(), text(field.value)));
                let fields = fields.collect();
                self.buffer.drain(..used);
                return Ok((status, fields));
            }
            if self.more().await? == 0 {
                bail!("the connection ended before a whole response head");
            }
        }
    }
}

async fn read_reply(input: OwnedReadHalf, interim: &Notify) -> Result<Reply> {
    let mut reader = Reader { input, buffer: Vec::new() };
    let mut reply = Reply::default();
    loop {
        let (status, headers) = reader.head().await?;
        interim.notify_one();
        if (100..200).contains(&status) {
            reply.interim.push(status);
            continue;
        }
        (reply.status, reply.headers) = (status, headers);
        break;
    }
    if reply.status == 204 || reply.status == 304 {
        return Ok(reply);
    }
    let chunked = reply.header("transfer-encoding").is_some_and(|value| value.contains("chunked"));
    let length = reply.header("content-length").map(str::parse::<usize>).transpose()?;
    if chunked {
        loop {
            let line = reader.line().await?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size =
                usize::from_str_radix(size, 16).with_context(|| format!("chunk `{line}`"))?;
            if size == 0 {
                break;
            }
            reply.body.extend(reader.exactly(size).await?);
            reader.line().await?;
        }
        loop {
            let line = reader.line().await?;
            let Some((name, value)) = line.split_once(':') else { break };
            reply.trailers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    } else if let Some(length) = length {
        reply.body = reader.exactly(length).await?;
    } else {
        while reader.more().await? > 0 {}
        reply.body = std::mem::take(&mut reader.buffer);
    }
    Ok(reply)
}
