//! One call from ONNX Runtime: its tensors, its memory, its threads.

#![allow(unsafe_code, reason = "a C ABI; each use says why it holds")]

use core::ffi::c_void;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use ort_sys::{
    ONNXTensorElementDataType as OnnxType, OrtAllocator, OrtKernelContext, OrtMemoryInfo, OrtValue,
};

use crate::abi::{Api, Failure, Refused};
use crate::cpu::{Pool, Serial};
use crate::op::{ElementType, Error, Input};

/// The operator's inputs, in order.
pub(crate) const INPUTS: [Input; 6] =
    [Input::Q, Input::K, Input::V, Input::KeyBias, Input::Cos, Input::Sin];

/// The call that ONNX Runtime is making.
pub(crate) struct Context {
    pub(crate) api: Api,
    pub(crate) raw: *mut OrtKernelContext,
}

// SAFETY: only `ParallelFor` is called from the thread that owns the context; workers use the closure they are given.
unsafe impl Sync for Context {}

/// An input: where it is and how large.
pub(crate) struct Tensor {
    pub(crate) data: *const c_void,
    pub(crate) dims: Vec<i64>,
}

impl Tensor {
    pub(crate) fn count(&self) -> usize {
        self.dims.iter().map(|&d| usize::try_from(d).unwrap_or(0)).product()
    }

    /// # Safety
    ///
    /// The tensor holds `count` elements of type `E`.
    pub(crate) unsafe fn elements<E>(&self, count: usize) -> &[E] {
        if count == 0 {
            return &[];
        }
        // SAFETY: the caller's duty; ONNX Runtime aligns buffers to 64 bytes.
        unsafe { std::slice::from_raw_parts(self.data.cast(), count) }
    }
}

/// # Safety
///
/// `data` holds `count` elements of type `E` that nobody else uses during `'a`.
pub(crate) unsafe fn elements_mut<'a, E>(data: *mut c_void, count: usize) -> &'a mut [E] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: the caller's duty.
    unsafe { std::slice::from_raw_parts_mut(data.cast(), count) }
}

impl Context {
    /// The input's place and dimensions, or `None` where an optional input is absent.
    pub(crate) fn input(
        &self,
        index: usize,
        element: ElementType,
    ) -> Result<Option<Tensor>, Failure> {
        let mut count = 0;
        // SAFETY: a live context and a target for the number.
        Api::check(unsafe { (self.api.0.KernelContext_GetInputCount)(self.raw, &mut count) })?;
        if index >= count {
            return Ok(None);
        }
        let mut value = ptr::null();
        // SAFETY: the index is below the count.
        Api::check(unsafe { (self.api.0.KernelContext_GetInput)(self.raw, index, &mut value) })?;
        if value.is_null() {
            return Ok(None);
        }
        let (dims, found) = self.describe(value)?;
        if found != onnx_type(element) {
            return Err(Error::ElementType {
                input: INPUTS[index],
                got: format!("{found:?}"),
                wanted: "of the same type as Q: float32 or float16",
            }
            .into());
        }
        let mut data = ptr::null_mut();
        // SAFETY: a tensor, as `describe` has just found; the pointer is only read through.
        Api::check(unsafe { (self.api.0.GetTensorMutableData)(value.cast_mut(), &mut data) })?;
        Ok(Some(Tensor { data, dims }))
    }

    fn describe(&self, value: *const OrtValue) -> Result<(Vec<i64>, OnnxType), Refused> {
        let mut info = ptr::null_mut();
        // SAFETY: a live value of this call.
        Api::check(unsafe { (self.api.0.GetTensorTypeAndShape)(value, &mut info) })?;
        let read = || {
            let mut rank = 0;
            // SAFETY: `info` was made above and is released below, after its last use.
            Api::check(unsafe { (self.api.0.GetDimensionsCount)(info, &mut rank) })?;
            let mut dims = vec![0i64; rank];
            // SAFETY: room for `rank` dimensions.
            Api::check(unsafe { (self.api.0.GetDimensions)(info, dims.as_mut_ptr(), rank) })?;
            let mut element = OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
            // SAFETY: a target for the enumerator.
            Api::check(unsafe { (self.api.0.GetTensorElementType)(info, &mut element) })?;
            Ok((dims, element))
        };
        let answer = read();
        // SAFETY: made above; nothing refers to it any more.
        unsafe { (self.api.0.ReleaseTensorTypeAndShapeInfo)(info) };
        answer
    }

    pub(crate) fn output(&self, dims: &[i64]) -> Result<*mut c_void, Refused> {
        let mut value = ptr::null_mut();
        // SAFETY: output 0 exists, and `dims` has the length given.
        Api::check(unsafe {
            (self.api.0.KernelContext_GetOutput)(self.raw, 0, dims.as_ptr(), dims.len(), &mut value)
        })?;
        let mut data = ptr::null_mut();
        // SAFETY: the tensor that was just made.
        Api::check(unsafe { (self.api.0.GetTensorMutableData)(value, &mut data) })?;
        Ok(data)
    }

    /// Workspace from ONNX Runtime's arena, so that its limits and statistics hold and no page is faulted in per call.
    pub(crate) fn allocate(
        &self,
        memory: *const OrtMemoryInfo,
        words: usize,
    ) -> Result<Workspace, Refused> {
        let mut allocator = ptr::null_mut();
        // SAFETY: a live context and memory description.
        Api::check(unsafe {
            (self.api.0.KernelContext_GetAllocator)(self.raw, memory, &mut allocator)
        })?;
        let mut workspace = Workspace { api: self.api, allocator, data: ptr::null_mut(), words };
        if words > 0 {
            // SAFETY: the allocator is live; the size cannot overflow, for the tensors fit in memory.
            Api::check(unsafe {
                (self.api.0.AllocatorAlloc)(
                    allocator,
                    words * size_of::<u32>(),
                    &mut workspace.data,
                )
            })?;
        }
        Ok(workspace)
    }
}

impl Pool for Context {
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        struct Job<'a> {
            work: &'a (dyn Fn(usize) + Sync),
            panicked: AtomicBool,
        }
        unsafe extern "C" fn step(job: *mut c_void, index: usize) {
            // SAFETY: the job lives until ParallelFor returns, which is after the last step.
            let job = unsafe { &*job.cast::<Job<'_>>() };
            if catch_unwind(AssertUnwindSafe(|| (job.work)(index))).is_err() {
                job.panicked.store(true, Ordering::Relaxed);
            }
        }
        let mut job = Job { work, panicked: AtomicBool::new(false) };
        // SAFETY: a live context; `step` gets the job it expects.
        let status = unsafe {
            (self.api.0.KernelContext_ParallelFor)(self.raw, step, count, 0, (&raw mut job).cast())
        };
        if !status.0.is_null() {
            // No pool (or a refusal before any step ran): the calling thread does the work.
            self.api.release(status);
            Serial.run(count, work);
        }
        assert!(!job.panicked.load(Ordering::Relaxed), "a worker panicked");
    }
}

/// Memory of one call.
pub(crate) struct Workspace {
    api: Api,
    allocator: *mut OrtAllocator,
    data: *mut c_void,
    words: usize,
}

impl Workspace {
    pub(crate) fn words(&mut self) -> &mut [MaybeUninit<u32>] {
        if self.data.is_null() {
            return &mut [];
        }
        // SAFETY: `words` words were allocated, and nothing is assumed about their contents.
        unsafe { std::slice::from_raw_parts_mut(self.data.cast(), self.words) }
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        if !self.data.is_null() {
            // SAFETY: allocated from this allocator, and not used any more.
            let status = unsafe { (self.api.0.AllocatorFree)(self.allocator, self.data) };
            self.api.release(status);
        }
        // SAFETY: obtained in `allocate`, and not used any more.
        unsafe { (self.api.0.ReleaseAllocator)(self.allocator) };
    }
}

pub(crate) fn onnx_type(element: ElementType) -> OnnxType {
    match element {
        ElementType::Float32 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
        ElementType::Float16 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,
        ElementType::BFloat16 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16,
    }
}
