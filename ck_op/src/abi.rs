//! ONNX Runtime's C API, and how failures become its statuses.

#![allow(unsafe_code, reason = "a C ABI; each use says why it holds")]

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ort_sys::{OrtApi, OrtErrorCode, OrtStatusPtr};

use crate::op::Error;

/// ONNX Runtime's functions.
#[derive(Clone, Copy)]
pub(crate) struct Api(pub(crate) &'static OrtApi);

// SAFETY: a table of functions, which ONNX Runtime documents as callable from any thread.
unsafe impl Send for Api {}
// SAFETY: the same.
unsafe impl Sync for Api {}

/// A call that ONNX Runtime refused; its status is passed on as it is.
pub(crate) struct Refused(OrtStatusPtr);

/// What a callback answers with when it cannot do its work.
pub(crate) enum Failure {
    Operator(Error),
    Runtime(Refused),
    Setting(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Operator(error)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Runtime(refused)
    }
}

impl Api {
    pub(crate) fn check(status: OrtStatusPtr) -> Result<(), Refused> {
        if status.0.is_null() { Ok(()) } else { Err(Refused(status)) }
    }

    fn status(self, code: OrtErrorCode, message: &str) -> OrtStatusPtr {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        // SAFETY: a valid code and a string with an end, which ONNX Runtime copies.
        unsafe { (self.0.CreateStatus)(code, message.as_ptr()) }
    }

    pub(crate) fn release(self, status: OrtStatusPtr) {
        if !status.0.is_null() {
            // SAFETY: a status that ONNX Runtime made and nobody else holds.
            unsafe { (self.0.ReleaseStatus)(status.0) };
        }
    }

    /// Runs a callback's body; errors and panics become statuses.
    pub(crate) fn answer(self, body: impl FnOnce() -> Result<(), Failure>) -> OrtStatusPtr {
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(Ok(())) => OrtStatusPtr::default(),
            Ok(Err(Failure::Runtime(Refused(status)))) => status,
            Ok(Err(Failure::Operator(error))) => self
                .status(OrtErrorCode::ORT_INVALID_ARGUMENT, &format!("CKFlashAttention: {error}")),
            Ok(Err(Failure::Setting(message))) => self.status(
                OrtErrorCode::ORT_INVALID_ARGUMENT,
                &format!("CKFlashAttention: {message}"),
            ),
            Err(_) => self.status(
                OrtErrorCode::ORT_RUNTIME_EXCEPTION,
                "CKFlashAttention: internal error (a panic)",
            ),
        }
    }
}
