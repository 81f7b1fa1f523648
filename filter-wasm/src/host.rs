//! Envoy's host calls, as functions that cannot panic.
//!
//! The SDK's safe wrappers panic on any status that they do not expect and on header bytes that are not UTF-8, and a
//! panic takes every stream of the worker with it. So the raw imports are declared here once more, each with the one
//! reaction that the filter wants: a failed read is "nothing there", a failed write is reported as `false`.
#![allow(unsafe_code, reason = "the proxy-wasm ABI is a C ABI")]

use std::time::Duration;

use proxy_wasm::types::{BufferType, LogLevel, MapType};

/// `Ok` of the ABI's status codes.
const OK: u32 = 0;

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    fn proxy_log(level: LogLevel, message: *const u8, size: usize) -> u32;
    fn proxy_get_current_time_nanoseconds(time: *mut u64) -> u32;
    fn proxy_set_tick_period_milliseconds(period: u32) -> u32;
    fn proxy_set_effective_context(id: u32) -> u32;
    fn proxy_get_property(
        path: *const u8,
        path_size: usize,
        value: *mut *mut u8,
        size: *mut usize,
    ) -> u32;
    fn proxy_get_buffer_bytes(
        buffer: BufferType,
        start: usize,
        max_size: usize,
        data: *mut *mut u8,
        size: *mut usize,
    ) -> u32;
    fn proxy_set_buffer_bytes(
        buffer: BufferType,
        start: usize,
        size: usize,
        data: *const u8,
        data_size: usize,
    ) -> u32;
    fn proxy_get_header_map_pairs(map: MapType, data: *mut *mut u8, size: *mut usize) -> u32;
    fn proxy_replace_header_map_value(
        map: MapType,
        key: *const u8,
        key_size: usize,
        value: *const u8,
        value_size: usize,
    ) -> u32;
    fn proxy_remove_header_map_value(map: MapType, key: *const u8, key_size: usize) -> u32;
    fn proxy_continue_stream(stream: u32) -> u32;
    fn proxy_send_local_response(
        status: u32,
        details: *const u8,
        details_size: usize,
        body: *const u8,
        body_size: usize,
        headers: *const u8,
        headers_size: usize,
        grpc_status: i32,
    ) -> u32;
    fn proxy_grpc_cancel(token: u32) -> u32;
    fn proxy_define_metric(kind: u32, name: *const u8, size: usize, id: *mut u32) -> u32;
    fn proxy_increment_metric(id: u32, offset: i64) -> u32;
    fn proxy_record_metric(id: u32, value: u64) -> u32;
}

/// Kinds of metrics, numbered as the ABI does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MetricKind {
    Counter = 0,
    Histogram = 2,
}

pub(crate) fn log(level: LogLevel, message: &str) {
    // SAFETY: the host reads `message.len()` bytes at this address during the call and keeps no pointer.
    let _logged = unsafe { proxy_log(level, message.as_ptr(), message.len()) };
}

/// Time since the epoch; zero if the host has no clock.
pub(crate) fn now() -> Duration {
    let mut nanos = 0;
    // SAFETY: the host writes one u64 at this address.
    let _status = unsafe { proxy_get_current_time_nanoseconds(&raw mut nanos) };
    Duration::from_nanos(nanos)
}

pub(crate) fn set_tick_period(period: Duration) {
    let millis = u32::try_from(period.as_millis()).unwrap_or(u32::MAX);
    // SAFETY: no pointers.
    let _status = unsafe { proxy_set_tick_period_milliseconds(millis) };
}

/// Makes the calls that follow act on this stream.
pub(crate) fn set_effective_context(id: u32) -> bool {
    // SAFETY: no pointers.
    unsafe { proxy_set_effective_context(id) == OK }
}

/// Takes over memory that the host allocated through the SDK's `proxy_on_memory_allocate`.
fn take(status: u32, data: *mut u8, size: usize) -> Option<Vec<u8>> {
    if status != OK || data.is_null() {
        return None;
    }
    // SAFETY: the SDK's allocator returned a boxed slice of exactly `size` bytes at `data`, which the host has filled
    // and nobody else refers to.
    Some(unsafe { Vec::from_raw_parts(data, size, size) })
}

/// A property, or `None`.
pub(crate) fn property(path: &[&str]) -> Option<Vec<u8>> {
    let path = path.join("\0");
    let (mut data, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the host reads `path` during the call and writes one pointer and one size.
    let status =
        unsafe { proxy_get_property(path.as_ptr(), path.len(), &raw mut data, &raw mut size) };
    take(status, data, size)
}

/// Bytes of a buffer from `start` on, at most `max`; empty when there are none.
pub(crate) fn buffer(kind: BufferType, start: usize, max: usize) -> Vec<u8> {
    let (mut data, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the host writes one pointer and one size.
    let status = unsafe { proxy_get_buffer_bytes(kind, start, max, &raw mut data, &raw mut size) };
    take(status, data, size).unwrap_or_default()
}

/// Replaces the whole of a buffer.
pub(crate) fn replace_buffer(kind: BufferType, bytes: &[u8]) -> bool {
    // SAFETY: the host copies `bytes` during the call.
    unsafe { proxy_set_buffer_bytes(kind, 0, usize::MAX, bytes.as_ptr(), bytes.len()) == OK }
}

/// All headers of a map. Bytes that are not UTF-8 are replaced, so that no client can stop the filter with them.
pub(crate) fn headers(map: MapType) -> Vec<(String, String)> {
    let (mut data, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the host writes one pointer and one size.
    let status = unsafe { proxy_get_header_map_pairs(map, &raw mut data, &raw mut size) };
    let bytes = take(status, data, size).unwrap_or_default();
    read_pairs(&bytes).unwrap_or_default()
}

/// The ABI's map format: a count, the sizes of each key and value, then both with a NUL after each.
fn read_pairs(bytes: &[u8]) -> Option<Vec<(String, String)>> {
    let word = |at: usize| -> Option<usize> {
        let bytes = bytes.get(at..at.checked_add(4)?)?;
        usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()
    };
    let count = word(0)?;
    let mut at = count.checked_mul(8)?.checked_add(4)?;
    let mut pairs = Vec::with_capacity(count.min(bytes.len()));
    for index in 0..count {
        let mut text = |size: usize| -> Option<String> {
            let end = at.checked_add(size)?;
            let text = String::from_utf8_lossy(bytes.get(at..end)?).into_owned();
            at = end.checked_add(1)?;
            Some(text)
        };
        let sizes = index.checked_mul(8)?.checked_add(4)?;
        pairs.push((text(word(sizes)?)?, text(word(sizes + 4)?)?));
    }
    Some(pairs)
}

fn write_pairs(pairs: &[(String, String)]) -> Vec<u8> {
    let size = |text: &str| u32::try_from(text.len()).unwrap_or(0).to_le_bytes();
    let mut bytes = u32::try_from(pairs.len()).unwrap_or(0).to_le_bytes().to_vec();
    for (name, value) in pairs {
        bytes.extend(size(name));
        bytes.extend(size(value));
    }
    for text in pairs.iter().flat_map(|(name, value)| [name, value]) {
        bytes.extend(text.as_bytes());
        bytes.push(0);
    }
    bytes
}

pub(crate) fn set_header(map: MapType, name: &str, value: &str) -> bool {
    // SAFETY: the host copies both texts during the call.
    unsafe {
        proxy_replace_header_map_value(map, name.as_ptr(), name.len(), value.as_ptr(), value.len())
            == OK
    }
}

pub(crate) fn remove_header(map: MapType, name: &str) -> bool {
    // SAFETY: the host reads the name during the call.
    unsafe { proxy_remove_header_map_value(map, name.as_ptr(), name.len()) == OK }
}

/// Lets a held request go on.
pub(crate) fn resume_request() -> bool {
    const REQUEST: u32 = 0;
    // SAFETY: no pointers.
    unsafe { proxy_continue_stream(REQUEST) == OK }
}

/// Answers the client. `details` shows in the access log as the response code details.
pub(crate) fn reply(status: u32, details: &str, headers: &[(String, String)], body: &[u8]) -> bool {
    let headers = write_pairs(headers);
    // SAFETY: the host copies all four byte ranges during the call.
    unsafe {
        proxy_send_local_response(
            status,
            details.as_ptr(),
            details.len(),
            body.as_ptr(),
            body.len(),
            headers.as_ptr(),
            headers.len(),
            -1,
        ) == OK
    }
}

pub(crate) fn cancel_call(token: u32) {
    // SAFETY: no pointers; an unknown token is a status, not a fault.
    let _status = unsafe { proxy_grpc_cancel(token) };
}

pub(crate) fn define_metric(kind: MetricKind, name: &str) -> Option<u32> {
    let mut id = 0;
    // SAFETY: the host reads the name during the call and writes one u32.
    let status =
        unsafe { proxy_define_metric(kind as u32, name.as_ptr(), name.len(), &raw mut id) };
    (status == OK).then_some(id)
}

pub(crate) fn increment_metric(id: u32) {
    // SAFETY: no pointers.
    let _status = unsafe { proxy_increment_metric(id, 1) };
}

pub(crate) fn record_metric(id: u32, value: u64) {
    // SAFETY: no pointers.
    let _status = unsafe { proxy_record_metric(id, value) };
}
