//! The HIP back end: a library of its own, loaded only where it is asked for, so that one operator library serves machines
//! with and without a GPU.

#![allow(unsafe_code, reason = "a C ABI; each use says why it holds")]

use core::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use libloading::Library;

use crate::abi::{Api, Failure};
use crate::context::{Context, Tensor};
use crate::op::{Attributes, ElementType, Shape};

/// `FOREBAY_HIP_ABI` of `forebay_hip.h`.
const ABI: c_int = 1;

/// `forebay_attention` of `forebay_hip.h`.
#[repr(C)]
struct Call {
    q: *const c_void,
    k: *const c_void,
    v: *const c_void,
    o: *mut c_void,
    key_bias: *const c_void,
    batch: i64,
    heads: i64,
    queries: i64,
    keys: i64,
    head_dim: i64,
    bias_rows: i64,
    window_left: i64,
    window_right: i64,
    scale: f32,
    element: i32,
}

/// The loader's error and its reason, which it keeps apart.
fn told(error: &libloading::Error) -> String {
    let reason =
        std::error::Error::source(error).map_or_else(String::new, |why| format!(": {why}"));
    format!("{error}{reason}")
}

type Attention = unsafe extern "C" fn(*const Call, *mut c_void) -> *const c_char;

/// The loaded library.
pub(crate) struct Hip {
    attention: Attention,
    /// Keeps the function alive.
    _library: Library,
}

impl Hip {
    /// Opens the library and checks that both sides mean the same struct.
    pub(crate) fn load(path: &Path) -> Result<Self, Failure> {
        let refuse =
            |why: String| Failure::Setting(format!("FOREBAY_CK_HIP_LIB {}: {why}", path.display()));
        // SAFETY: the library's initialisers register its kernels with the HIP runtime and do nothing else.
        let library = unsafe { Library::new(path) }.map_err(|error| refuse(told(&error)))?;
        // SAFETY: the type is that of forebay_hip.h.
        let abi = unsafe { library.get::<unsafe extern "C" fn() -> c_int>(b"forebay_hip_abi") }
            .map_err(|error| refuse(told(&error)))?;
        // SAFETY: it takes nothing and returns a number.
        let found = unsafe { abi() };
        if found != ABI {
            return Err(refuse(format!(
                "it has version {found} of the interface; this library has {ABI}"
            )));
        }
        // SAFETY: the type is that of forebay_hip.h in this version.
        let attention = *unsafe { library.get::<Attention>(b"forebay_hip_attention") }
            .map_err(|error| refuse(told(&error)))?;
        Ok(Self { attention, _library: library })
    }

    /// Enqueues one call on the session's stream. The tensors lie in device memory.
    #[allow(clippy::too_many_arguments, reason = "one call site; all of it is the call")]
    pub(crate) fn attention(
        &self,
        context: &Context,
        shape: &Shape,
        attributes: &Attributes,
        element: ElementType,
        [q, k, v]: [&Tensor; 3],
        key_bias: Option<&Tensor>,
        out: *mut c_void,
    ) -> Result<(), Failure> {
        let mut stream = ptr::null_mut();
        // SAFETY: a live context and a target for the pointer; without a stream it stays null, HIP's default stream.
        Api::check(unsafe {
            (context.api.0.KernelContext_GetGPUComputeStream)(context.raw, &mut stream)
        })?;
        if shape.query_elements() == 0 {
            return Ok(());
        }
        #[allow(clippy::cast_possible_wrap, reason = "extents are below 2^24")]
        let side = |keys: Option<usize>| keys.map_or(-1, |keys| keys as i64);
        #[allow(clippy::cast_possible_wrap, reason = "extents are below 2^24")]
        let call = Call {
            q: q.data,
            k: k.data,
            v: v.data,
            o: out,
            key_bias: key_bias.map_or(ptr::null(), |bias| bias.data),
            batch: shape.batch as i64,
            heads: shape.heads as i64,
            queries: shape.queries as i64,
            keys: shape.keys as i64,
            head_dim: shape.head_dim as i64,
            bias_rows: key_bias.map_or(0, |bias| bias.dims.first().copied().unwrap_or(0)),
            window_left: side(attributes.window.left),
            window_right: side(attributes.window.right),
            scale: attributes.scale,
            element: i32::from(element == ElementType::BFloat16),
        };
        // SAFETY: the struct is that of forebay_hip.h, checked by its version, and lives through the call.
        let message = unsafe { (self.attention)(&raw const call, stream) };
        if message.is_null() {
            return Ok(());
        }
        // SAFETY: a static string, by the interface.
        let message = unsafe { CStr::from_ptr(message) };
        Err(Failure::Setting(message.to_string_lossy().into_owned()))
    }
}
