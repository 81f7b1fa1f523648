//! The imports of module `env`: what Envoy answers to each host call.
//!
//! Statuses are those of Envoy 1.40 (`source/extensions/common/wasm/context.cc` and the proxy-wasm C++ host): a header map
//! that is not there is `BadArgument`, a buffer that is not there is `NotFound`, a body can only be replaced as a whole,
//! prepended or appended to.
use std::time::Duration;

use wasmtime::{Caller, Linker};

use crate::abi::{BufferKind, LogLevel, MapKind, Status, read_pairs, write_pairs};
use crate::host::{
    Deferred, Direction, GrpcCall, Headers, Host, LocalReply, LogLine, Metric, MetricKind, Refused,
};

/// Why a host call did not succeed.
enum Failure {
    /// The guest is told so.
    Status(Status),
    /// The guest cannot go on.
    Fatal(wasmtime::Error),
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

impl From<wasmtime::Error> for Failure {
    fn from(error: wasmtime::Error) -> Self {
        Self::Fatal(error)
    }
}

type Outcome = Result<(), Failure>;

/// The guest that is calling, and its host.
struct Guest<'a, 'b>(&'a mut Caller<'b, Host>);

impl Guest<'_, '_> {
    fn host(&mut self) -> &mut Host {
        self.0.data_mut()
    }

    fn memory(&self) -> Result<wasmtime::Memory, Failure> {
        let guest = self.0.data().guest.as_ref();
        Ok(guest.ok_or_else(|| wasmtime::Error::msg("a host call before instantiation"))?.0)
    }

    fn bytes(&mut self, at: u32, size: u32) -> Result<Vec<u8>, Failure> {
        let memory = self.memory()?;
        let (at, size) = (at as usize, size as usize);
        let end = at.checked_add(size).ok_or(Status::InvalidMemoryAccess)?;
        let bytes = memory.data(&self.0).get(at..end).ok_or(Status::InvalidMemoryAccess)?;
        Ok(bytes.to_vec())
    }

    fn text(&mut self, at: u32, size: u32) -> Result<String, Failure> {
        String::from_utf8(self.bytes(at, size)?).map_err(|_| Status::BadArgument.into())
    }

    fn pairs(&mut self, at: u32, size: u32) -> Result<Headers, Failure> {
        let bytes = self.bytes(at, size)?;
        Ok(Headers::from_pairs(read_pairs(&bytes).ok_or(Status::BadArgument)?))
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Outcome {
        let memory = self.memory()?;
        memory
            .write(&mut self.0, at as usize, bytes)
            .map_err(|_| Status::InvalidMemoryAccess.into())
    }

    /// Copies bytes into memory that the guest allocates, and tells it where.
    fn give(&mut self, bytes: &[u8], data_at: u32, size_at: u32) -> Outcome {
        let guest = self.0.data().guest.as_ref();
        let allocate = guest
            .ok_or_else(|| wasmtime::Error::msg("a host call before instantiation"))?
            .1
            .clone();
        let size = u32::try_from(bytes.len()).map_err(|_| Status::InvalidMemoryAccess)?;
        let at = allocate.call(&mut self.0, size)?;
        self.write(at, bytes)?;
        self.write(data_at, &at.to_le_bytes())?;
        self.write(size_at, &size.to_le_bytes())
    }

    /// Runs a host call, and turns its outcome into a status that the test can look up later.
    fn answer(
        caller: &mut Caller<'_, Host>,
        call: &'static str,
        run: impl FnOnce(&mut Guest<'_, '_>) -> Outcome,
    ) -> wasmtime::Result<i32> {
        let mut guest = Guest(caller);
        match run(&mut guest) {
            Ok(()) => Ok(Status::Ok as i32),
            Err(Failure::Status(status)) => {
                if status != Status::NotFound {
                    guest.host().refused.push(Refused { call, status });
                }
                Ok(status as i32)
            }
            Err(Failure::Fatal(error)) => Err(error),
        }
    }
}

fn buffer_kind(number: i32) -> Result<BufferKind, Failure> {
    BufferKind::from_number(number).ok_or_else(|| Status::BadArgument.into())
}

fn map_kind(number: i32) -> Result<MapKind, Failure> {
    MapKind::from_number(number).ok_or_else(|| Status::BadArgument.into())
}

/// Adds every import that a filter may use.
pub(crate) fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    link_basics(linker)?;
    link_buffers(linker)?;
    link_maps(linker)?;
    link_streams(linker)?;
    link_grpc(linker)?;
    link_metrics(linker)?;
    link_state(linker)
}

fn link_basics(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap(
        "env",
        "proxy_log",
        |mut caller: Caller<'_, Host>, level: i32, at: u32, size: u32| {
            Guest::answer(&mut caller, "proxy_log", |guest| {
                let text = String::from_utf8_lossy(&guest.bytes(at, size)?).into_owned();
                let level = LogLevel::from_number(level).ok_or(Status::BadArgument)?;
                guest.host().log.push(LogLine { level, text });
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_get_log_level",
        |mut caller: Caller<'_, Host>, level_at: u32| {
            Guest::answer(&mut caller, "proxy_get_log_level", |guest| {
                let level = guest.host().setup.log_level as u32;
                guest.write(level_at, &level.to_le_bytes())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_get_current_time_nanoseconds",
        |mut caller: Caller<'_, Host>, time_at: u32| {
            Guest::answer(&mut caller, "proxy_get_current_time_nanoseconds", |guest| {
                let nanos = guest.host().clock_nanos();
                guest.write(time_at, &nanos.to_le_bytes())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_set_tick_period_milliseconds",
        |mut caller: Caller<'_, Host>, millis: u32| {
            Guest::answer(&mut caller, "proxy_set_tick_period_milliseconds", |guest| {
                let host = guest.host();
                let period = Duration::from_millis(millis.into());
                host.tick = (millis > 0).then(|| (period, host.now + period));
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_set_effective_context",
        |mut caller: Caller<'_, Host>, id: u32| {
            Guest::answer(&mut caller, "proxy_set_effective_context", |guest| {
                let host = guest.host();
                if id != crate::host::ROOT && !host.streams.contains_key(&id) {
                    return Err(Status::BadArgument.into());
                }
                host.effective = id;
                Ok(())
            })
        },
    )?;
    linker.func_wrap("env", "proxy_done", |mut caller: Caller<'_, Host>| {
        // Only valid after on_done returned false, which this host does not offer.
        Guest::answer(&mut caller, "proxy_done", |_| Err(Status::NotFound.into()))
    })?;
    Ok(())
}

fn link_buffers(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap(
        "env",
        "proxy_get_buffer_bytes",
        |mut caller: Caller<'_, Host>,
         kind: i32,
         start: u32,
         max_size: u32,
         data_at: u32,
         size_at: u32| {
            Guest::answer(&mut caller, "proxy_get_buffer_bytes", |guest| {
                let kind = buffer_kind(kind)?;
                let buffer = guest.host().buffer(kind).ok_or(Status::NotFound)?;
                let start = start as usize;
                // Envoy computes a negative length here and asks the guest for 4 GiB.
                if start > buffer.len() {
                    return Err(Status::BadArgument.into());
                }
                let bytes: Vec<u8> =
                    buffer.iter().skip(start).take(max_size as usize).copied().collect();
                // Nothing to copy: Envoy returns Ok and leaves the pointer alone.
                if bytes.is_empty() {
                    return Ok(());
                }
                if matches!(kind, BufferKind::RequestBody | BufferKind::ResponseBody)
                    && let Some(stream) = guest.host().stream()
                {
                    stream.bytes_copied += bytes.len();
                }
                guest.give(&bytes, data_at, size_at)
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_set_buffer_bytes",
        |mut caller: Caller<'_, Host>, kind: i32, start: u32, size: u32, at: u32, len: u32| {
            Guest::answer(&mut caller, "proxy_set_buffer_bytes", |guest| {
                let bytes = guest.bytes(at, len)?;
                let kind = buffer_kind(kind)?;
                if !matches!(kind, BufferKind::RequestBody | BufferKind::ResponseBody) {
                    return Err(Status::BadArgument.into());
                }
                let buffer = guest.host().buffer(kind).ok_or(Status::NotFound)?;
                let (start, size) = (start as usize, size as usize);
                match (start, size) {
                    (0, 0) => drop(buffer.splice(..0, bytes)),
                    (0, size) if size >= buffer.len() => *buffer = bytes,
                    (start, _) if start >= buffer.len() && start > 0 => buffer.extend(bytes),
                    _ => return Err(Status::BadArgument.into()),
                }
                Ok(())
            })
        },
    )?;
    Ok(())
}

fn link_maps(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap(
        "env",
        "proxy_get_header_map_pairs",
        |mut caller: Caller<'_, Host>, kind: i32, data_at: u32, size_at: u32| {
            Guest::answer(&mut caller, "proxy_get_header_map_pairs", |guest| {
                let kind = map_kind(kind)?;
                let map = guest.host().map(kind).ok_or(Status::BadArgument)?;
                let bytes = write_pairs(map.pairs());
                guest.give(&bytes, data_at, size_at)
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_set_header_map_pairs",
        |mut caller: Caller<'_, Host>, kind: i32, at: u32, size: u32| {
            Guest::answer(&mut caller, "proxy_set_header_map_pairs", |guest| {
                let pairs = guest.pairs(at, size)?;
                let kind = map_kind(kind)?;
                *guest.host().map(kind).ok_or(Status::BadArgument)? = pairs;
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_get_header_map_value",
        |mut caller: Caller<'_, Host>, kind: i32, key: u32, key_size: u32, data: u32, size: u32| {
            Guest::answer(&mut caller, "proxy_get_header_map_value", |guest| {
                let key = guest.bytes(key, key_size)?.to_ascii_lowercase();
                let kind = map_kind(kind)?;
                let map = guest.host().map(kind).ok_or(Status::BadArgument)?;
                // Of several values Envoy gives the first.
                let value =
                    map.iter().find(|(name, _)| *name == key).map(|(_, value)| value.to_vec());
                guest.give(&value.ok_or(Status::NotFound)?, data, size)
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_remove_header_map_value",
        |mut caller: Caller<'_, Host>, kind: i32, key: u32, key_size: u32| {
            Guest::answer(&mut caller, "proxy_remove_header_map_value", |guest| {
                let key = guest.bytes(key, key_size)?;
                let kind = map_kind(kind)?;
                guest.host().map(kind).ok_or(Status::BadArgument)?.remove(&key);
                Ok(())
            })
        },
    )?;
    for (name, append) in
        [("proxy_replace_header_map_value", false), ("proxy_add_header_map_value", true)]
    {
        linker.func_wrap(
            "env",
            name,
            move |mut caller: Caller<'_, Host>,
                  kind: i32,
                  key: u32,
                  key_size: u32,
                  value: u32,
                  value_size: u32| {
                Guest::answer(&mut caller, name, |guest| {
                    let key = guest.text(key, key_size)?;
                    let value = guest.bytes(value, value_size)?;
                    let kind = map_kind(kind)?;
                    let map = guest.host().map(kind).ok_or(Status::BadArgument)?;
                    if append {
                        *map = std::mem::take(map).and(&key, value);
                    } else {
                        map.replace(key.as_bytes(), &value);
                    }
                    Ok(())
                })
            },
        )?;
    }
    Ok(())
}

fn link_streams(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap(
        "env",
        "proxy_continue_stream",
        |mut caller: Caller<'_, Host>, kind: i32| {
            Guest::answer(&mut caller, "proxy_continue_stream", |guest| {
                let direction = match kind {
                    0 => Direction::Request,
                    1 => Direction::Response,
                    _ => return Err(Status::BadArgument.into()),
                };
                let host = guest.host();
                let id = host.effective;
                host.stream().ok_or(Status::BadArgument)?;
                host.deferred.push(Deferred::Resume(id, direction));
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_send_local_response",
        |mut caller: Caller<'_, Host>,
         status: u32,
         details: u32,
         details_size: u32,
         body: u32,
         body_size: u32,
         headers: u32,
         headers_size: u32,
         _grpc_status: i32| {
            Guest::answer(&mut caller, "proxy_send_local_response", |guest| {
                let reply = LocalReply {
                    status,
                    details: guest.text(details, details_size)?,
                    headers: guest.pairs(headers, headers_size)?,
                    body: guest.bytes(body, body_size)?,
                };
                let host = guest.host();
                let id = host.effective;
                let stream = host.stream().ok_or(Status::BadArgument)?;
                if stream.local_reply.is_some() {
                    return Err(Status::BadArgument.into());
                }
                stream.local_reply = Some(reply.clone());
                host.deferred.push(Deferred::Reply(id, reply));
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_call_foreign_function",
        |mut caller: Caller<'_, Host>,
         name: u32,
         name_size: u32,
         _arguments: u32,
         _arguments_size: u32,
         _data: u32,
         _size: u32| {
            Guest::answer(&mut caller, "proxy_call_foreign_function", |guest| {
                if guest.text(name, name_size)? != "clear_route_cache" {
                    return Err(Status::NotFound.into());
                }
                let stream = guest.host().stream().ok_or(Status::BadArgument)?;
                stream.route_cache_clears += 1;
                Ok(())
            })
        },
    )?;
    Ok(())
}

fn link_grpc(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap(
        "env",
        "proxy_grpc_call",
        |mut caller: Caller<'_, Host>,
         cluster: u32,
         cluster_size: u32,
         service: u32,
         service_size: u32,
         method: u32,
         method_size: u32,
         metadata: u32,
         metadata_size: u32,
         message: u32,
         message_size: u32,
         timeout_ms: u32,
         token_at: u32| {
            Guest::answer(&mut caller, "proxy_grpc_call", |guest| {
                let cluster = guest.text(cluster, cluster_size)?;
                let call = GrpcCall {
                    token: guest.host().next_token,
                    context: guest.host().effective,
                    service: guest.text(service, service_size)?,
                    method: guest.text(method, method_size)?,
                    metadata: guest.pairs(metadata, metadata_size)?,
                    message: guest.bytes(message, message_size)?,
                    timeout: Duration::from_millis(timeout_ms.into()),
                    started: guest.host().now,
                    cluster,
                };
                let host = guest.host();
                if !host.setup.clusters.contains(&call.cluster) {
                    return Err(Status::ParseFailure.into());
                }
                let token = call.token;
                host.calls.insert(token, call);
                host.next_token += 1;
                host.calls_made += 1;
                guest.write(token_at, &token.to_le_bytes())
            })
        },
    )?;
    linker.func_wrap("env", "proxy_grpc_cancel", |mut caller: Caller<'_, Host>, token: u32| {
        Guest::answer(&mut caller, "proxy_grpc_cancel", |guest| {
            let host = guest.host();
            host.calls.remove(&token).ok_or(Status::NotFound)?;
            host.calls_cancelled += 1;
            Ok(())
        })
    })?;
    linker.func_wrap(
        "env",
        "proxy_get_status",
        |mut caller: Caller<'_, Host>, code_at: u32, data_at: u32, size_at: u32| {
            Guest::answer(&mut caller, "proxy_get_status", |guest| {
                let (code, message) = guest.host().grpc_status.clone();
                guest.write(code_at, &code.to_le_bytes())?;
                guest.give(message.as_bytes(), data_at, size_at)
            })
        },
    )?;
    Ok(())
}

fn link_metrics(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    fn metric(host: &mut Host, id: u32) -> Result<&mut Metric, Failure> {
        host.metrics.get_mut(id as usize).ok_or_else(|| Status::NotFound.into())
    }
    linker.func_wrap(
        "env",
        "proxy_define_metric",
        |mut caller: Caller<'_, Host>, kind: i32, name: u32, name_size: u32, id_at: u32| {
            Guest::answer(&mut caller, "proxy_define_metric", |guest| {
                let name = guest.text(name, name_size)?;
                let kind = match kind {
                    0 => MetricKind::Counter,
                    1 => MetricKind::Gauge,
                    2 => MetricKind::Histogram,
                    _ => return Err(Status::BadArgument.into()),
                };
                let metrics = &mut guest.host().metrics;
                let known =
                    metrics.iter().position(|known| known.name == name && known.kind == kind);
                let id = known.unwrap_or(metrics.len());
                if known.is_none() {
                    metrics.push(Metric { name, kind, value: 0, samples: Vec::new() });
                }
                let id = u32::try_from(id).map_err(|_| Status::BadArgument)?;
                guest.write(id_at, &id.to_le_bytes())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_increment_metric",
        |mut caller: Caller<'_, Host>, id: u32, offset: i64| {
            Guest::answer(&mut caller, "proxy_increment_metric", |guest| {
                let metric = metric(guest.host(), id)?;
                match metric.kind {
                    MetricKind::Counter => metric.value += offset.max(0),
                    MetricKind::Gauge => metric.value += offset,
                    MetricKind::Histogram => return Err(Status::BadArgument.into()),
                }
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_record_metric",
        |mut caller: Caller<'_, Host>, id: u32, value: u64| {
            Guest::answer(&mut caller, "proxy_record_metric", |guest| {
                let metric = metric(guest.host(), id)?;
                let number = i64::try_from(value).unwrap_or(i64::MAX);
                match metric.kind {
                    MetricKind::Counter => metric.value = metric.value.saturating_add(number),
                    MetricKind::Gauge => metric.value = number,
                    MetricKind::Histogram => metric.samples.push(value),
                }
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_get_metric",
        |mut caller: Caller<'_, Host>, id: u32, value_at: u32| {
            Guest::answer(&mut caller, "proxy_get_metric", |guest| {
                let metric = metric(guest.host(), id)?;
                if metric.kind == MetricKind::Histogram {
                    return Err(Status::BadArgument.into());
                }
                let value = metric.value;
                guest.write(value_at, &value.to_le_bytes())
            })
        },
    )?;
    Ok(())
}

fn link_state(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    linker.func_wrap(
        "env",
        "proxy_get_property",
        |mut caller: Caller<'_, Host>, path: u32, path_size: u32, data_at: u32, size_at: u32| {
            Guest::answer(&mut caller, "proxy_get_property", |guest| {
                let path = guest.bytes(path, path_size)?;
                let host = guest.host();
                let own = host.stream().and_then(|stream| stream.properties.get(&path)).cloned();
                let value = own.or_else(|| host.setup.properties.get(&path).cloned());
                guest.give(&value.ok_or(Status::NotFound)?, data_at, size_at)
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_set_property",
        |mut caller: Caller<'_, Host>, path: u32, path_size: u32, value: u32, value_size: u32| {
            Guest::answer(&mut caller, "proxy_set_property", |guest| {
                let (path, value) =
                    (guest.bytes(path, path_size)?, guest.bytes(value, value_size)?);
                let stream = guest.host().stream().ok_or(Status::NotFound)?;
                stream.properties.insert(path, value);
                Ok(())
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_get_shared_data",
        |mut caller: Caller<'_, Host>,
         key: u32,
         key_size: u32,
         data_at: u32,
         size_at: u32,
         cas_at: u32| {
            Guest::answer(&mut caller, "proxy_get_shared_data", |guest| {
                let key = guest.bytes(key, key_size)?;
                let (value, cas) =
                    guest.host().shared.get(&key).cloned().ok_or(Status::NotFound)?;
                guest.write(cas_at, &cas.to_le_bytes())?;
                guest.give(&value, data_at, size_at)
            })
        },
    )?;
    linker.func_wrap(
        "env",
        "proxy_set_shared_data",
        |mut caller: Caller<'_, Host>, key: u32, key_size: u32, value: u32, size: u32, cas: u32| {
            Guest::answer(&mut caller, "proxy_set_shared_data", |guest| {
                let (key, value) = (guest.bytes(key, key_size)?, guest.bytes(value, size)?);
                let shared = &mut guest.host().shared;
                let known = shared.get(&key).map_or(0, |(_, known)| *known);
                if cas != 0 && cas != known {
                    return Err(Status::CasMismatch.into());
                }
                shared.insert(key, (value, known + 1));
                Ok(())
            })
        },
    )?;
    Ok(())
}
