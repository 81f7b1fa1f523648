//! The C ABI: `RegisterCustomOps` and the callbacks behind it.
//!
//! Nothing unwinds out of here: every callback that may fail answers with an `OrtStatus`, whose message comes from
//! [`op::Error`]. There is no shape-inference callback on purpose: one that forwards Q's shape makes ONNX Runtime fold
//! symbolic dimensions to -1, which breaks later Reshapes; ONNX Runtime then takes the shape from `compute`.

#![allow(unsafe_code, reason = "a C ABI; each use says why it holds")]
#![allow(non_snake_case, reason = "the entry point's name is given by ONNX Runtime")]

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use half::f16;
use ort_sys::{
    ONNXTensorElementDataType as OnnxType, OrtAllocator, OrtAllocatorType, OrtApi, OrtApiBase,
    OrtCustomOp, OrtCustomOpDomain, OrtCustomOpInputOutputCharacteristic as Presence, OrtErrorCode,
    OrtKernelContext, OrtKernelInfo, OrtMemType, OrtMemoryInfo, OrtSessionOptions, OrtStatusPtr,
    OrtValue,
};

use crate::cpu::{self, CpuElement, Isa, Pool, Serial, Tensors};
use crate::op::{Attributes, ElementType, Error, Input, Shape};

/// The oldest API table that has all that is called here; later versions of ONNX Runtime keep it.
const API_VERSION: u32 = 18;
const DOMAIN: &CStr = c"com.ck";
const NAME: &CStr = c"CKFlashAttention";
const INPUTS: [Input; 4] = [Input::Q, Input::K, Input::V, Input::KeyBias];

/// ONNX Runtime's functions.
#[derive(Clone, Copy)]
struct Api(&'static OrtApi);

// SAFETY: a table of functions, which ONNX Runtime documents as callable from any thread.
unsafe impl Send for Api {}
// SAFETY: the same.
unsafe impl Sync for Api {}

/// A call that ONNX Runtime refused; its status is passed on as it is.
struct Refused(OrtStatusPtr);

/// What a callback answers with when it cannot do its work.
enum Failure {
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
    fn check(status: OrtStatusPtr) -> Result<(), Refused> {
        if status.0.is_null() { Ok(()) } else { Err(Refused(status)) }
    }

    fn status(self, code: OrtErrorCode, message: &str) -> OrtStatusPtr {
        let message = CString::new(message.replace('\0', " ")).unwrap_or_default();
        // SAFETY: a valid code and a string with an end, which ONNX Runtime copies.
        unsafe { (self.0.CreateStatus)(code, message.as_ptr()) }
    }

    fn release(self, status: OrtStatusPtr) {
        if !status.0.is_null() {
            // SAFETY: a status that ONNX Runtime made and nobody else holds.
            unsafe { (self.0.ReleaseStatus)(status.0) };
        }
    }

    /// Runs a callback's body; errors and panics become statuses.
    fn answer(self, body: impl FnOnce() -> Result<(), Failure>) -> OrtStatusPtr {
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

/// One registered operator; ONNX Runtime sees the first field.
#[repr(C)]
struct Operator {
    table: OrtCustomOp,
    element: ElementType,
}

/// The API of the process. There is one ONNX Runtime per process that loads this library.
static API: OnceLock<Api> = OnceLock::new();
static REGISTERED: OnceLock<Registered> = OnceLock::new();

struct Registered {
    domain: *mut OrtCustomOpDomain,
}

// SAFETY: ONNX Runtime only reads a domain once it is built.
unsafe impl Send for Registered {}
// SAFETY: the same.
unsafe impl Sync for Registered {}

static OPERATORS: [Operator; 2] =
    [Operator::new(ElementType::Float32), Operator::new(ElementType::Float16)];

impl Operator {
    const fn new(element: ElementType) -> Self {
        let table = OrtCustomOp {
            version: API_VERSION,
            CreateKernel: None,
            GetName: Some(name),
            GetExecutionProviderType: Some(provider),
            GetInputType: Some(element_type),
            GetInputTypeCount: Some(input_count),
            GetOutputType: Some(element_type),
            GetOutputTypeCount: Some(output_count),
            KernelCompute: None,
            KernelDestroy: Some(destroy),
            GetInputCharacteristic: Some(input_presence),
            GetOutputCharacteristic: Some(output_presence),
            GetInputMemoryType: Some(memory_type),
            GetVariadicInputMinArity: Some(no_variadic),
            GetVariadicInputHomogeneity: Some(no_variadic),
            GetVariadicOutputMinArity: Some(no_variadic),
            GetVariadicOutputHomogeneity: Some(no_variadic),
            CreateKernelV2: Some(create),
            KernelComputeV2: Some(compute),
            InferOutputShapeFn: None,
            GetStartVersion: Some(first_version),
            GetEndVersion: Some(last_version),
            GetMayInplace: None,
            ReleaseMayInplace: None,
            GetAliasMap: None,
            ReleaseAliasMap: None,
        };
        Self { table, element }
    }

    /// The operator around the table that ONNX Runtime hands back.
    ///
    /// # Safety
    ///
    /// `table` is the first field of an element of [`OPERATORS`].
    unsafe fn of(table: *const OrtCustomOp) -> &'static Self {
        // SAFETY: the struct is repr(C) and starts with the table; the statics live for ever.
        unsafe { &*table.cast() }
    }
}

unsafe extern "system" fn name(_: *const OrtCustomOp) -> *const c_char {
    NAME.as_ptr()
}
unsafe extern "system" fn provider(_: *const OrtCustomOp) -> *const c_char {
    ptr::null()
}
unsafe extern "system" fn element_type(table: *const OrtCustomOp, _: usize) -> OnnxType {
    // SAFETY: ONNX Runtime passes the table that was registered.
    match unsafe { Operator::of(table) }.element {
        ElementType::Float32 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
        ElementType::Float16 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,
        ElementType::BFloat16 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16,
    }
}
unsafe extern "system" fn input_count(_: *const OrtCustomOp) -> usize {
    INPUTS.len()
}
unsafe extern "system" fn output_count(_: *const OrtCustomOp) -> usize {
    1
}
unsafe extern "system" fn input_presence(_: *const OrtCustomOp, index: usize) -> Presence {
    if INPUTS.get(index) == Some(&Input::KeyBias) {
        Presence::INPUT_OUTPUT_OPTIONAL
    } else {
        Presence::INPUT_OUTPUT_REQUIRED
    }
}
unsafe extern "system" fn output_presence(_: *const OrtCustomOp, _: usize) -> Presence {
    Presence::INPUT_OUTPUT_REQUIRED
}
unsafe extern "system" fn memory_type(_: *const OrtCustomOp, _: usize) -> OrtMemType {
    OrtMemType::OrtMemTypeDefault
}
unsafe extern "system" fn no_variadic(_: *const OrtCustomOp) -> c_int {
    0
}
unsafe extern "system" fn first_version(_: *const OrtCustomOp) -> c_int {
    1
}
unsafe extern "system" fn last_version(_: *const OrtCustomOp) -> c_int {
    c_int::MAX
}

/// One node of a session.
struct Kernel {
    api: Api,
    attributes: Attributes,
    isa: Isa,
    element: ElementType,
    cpu_memory: *mut OrtMemoryInfo,
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: made in `Kernel::new` and held by nobody else.
        unsafe { (self.api.0.ReleaseMemoryInfo)(self.cpu_memory) };
    }
}

impl Kernel {
    fn new(api: Api, info: *const OrtKernelInfo, element: ElementType) -> Result<Self, Failure> {
        let mut scale = 0.0f32;
        // SAFETY: `info` comes from ONNX Runtime; the name has an end and the target is a float.
        Api::check(unsafe {
            (api.0.KernelInfoGetAttribute_float)(info, c"scale".as_ptr(), &mut scale)
        })?;
        let integer = |name: &CStr, default: i64| {
            let mut value = default;
            // SAFETY: as above, for an integer.
            let status =
                unsafe { (api.0.KernelInfoGetAttribute_int64)(info, name.as_ptr(), &mut value) };
            // Absent: the default holds. A wrong type reads the same, and the model checker refuses that.
            let absent = !status.0.is_null();
            api.release(status);
            if absent { default } else { value }
        };
        let attributes = Attributes::new(
            scale,
            integer(c"window_size_left", -1),
            integer(c"window_size_right", -1),
            integer(c"padded_queries_unused", 0),
            integer(c"allow_bf16", 0),
        )?;
        let limit = match std::env::var("FOREBAY_CK_ISA") {
            Err(_) => None,
            Ok(name) => Some(Isa::from_name(&name).ok_or_else(|| {
                Failure::Setting(format!(
                    "FOREBAY_CK_ISA is {name:?}; it must be portable, avx2, avx512 or avx512-bf16"
                ))
            })?),
        };
        let mut cpu_memory = ptr::null_mut();
        // SAFETY: valid enumerators, and a target for the pointer.
        Api::check(unsafe {
            (api.0.CreateCpuMemoryInfo)(
                OrtAllocatorType::OrtArenaAllocator,
                OrtMemType::OrtMemTypeDefault,
                &mut cpu_memory,
            )
        })?;
        Ok(Self {
            api,
            attributes,
            isa: Isa::choose(attributes.allow_bf16, limit),
            element,
            cpu_memory,
        })
    }

    fn compute(&self, context: *mut OrtKernelContext) -> Result<(), Failure> {
        let context = Context { api: self.api, raw: context };
        let q = context.input(0, self.element)?.ok_or(Error::Missing { input: Input::Q })?;
        let k = context.input(1, self.element)?.ok_or(Error::Missing { input: Input::K })?;
        let v = context.input(2, self.element)?.ok_or(Error::Missing { input: Input::V })?;
        let key_bias = context.input(3, self.element)?;
        let shape =
            Shape::check(&q.dims, &k.dims, &v.dims, key_bias.as_ref().map(|bias| &bias.dims[..]))?;
        let out = context.output(&q.dims)?;
        match self.element {
            ElementType::Float16 => {
                self.attend::<f16>(&context, &shape, [&q, &k, &v], key_bias.as_ref(), out)
            }
            ElementType::Float32 | ElementType::BFloat16 => {
                self.attend::<f32>(&context, &shape, [&q, &k, &v], key_bias.as_ref(), out)
            }
        }
    }

    #[allow(clippy::multiple_unsafe_ops_per_block, reason = "five tensors with one justification")]
    fn attend<E: CpuElement>(
        &self,
        context: &Context,
        shape: &Shape,
        [q, k, v]: [&Tensor; 3],
        key_bias: Option<&Tensor>,
        out: *mut c_void,
    ) -> Result<(), Failure> {
        // SAFETY: ONNX Runtime's tensors hold as many elements of the registered type as their dimensions say
        // (`Shape::check` tied the extents to the dimensions), inputs are not written while the node runs, and the output
        // is this node's alone.
        let tensors = unsafe {
            Tensors {
                q: q.elements::<E>(shape.query_elements()),
                k: k.elements::<E>(shape.key_elements()),
                v: v.elements::<E>(shape.key_elements()),
                key_bias: key_bias.map(|bias| bias.elements::<E>(bias.count())),
                out: elements_mut::<E>(out, shape.query_elements()),
            }
        };
        let mut workspace =
            context.allocate(self.cpu_memory, cpu::workspace_words(self.isa, shape))?;
        cpu::attention(self.isa, shape, &self.attributes, tensors, context, workspace.words())?;
        Ok(())
    }
}

/// The call that ONNX Runtime is making.
struct Context {
    api: Api,
    raw: *mut OrtKernelContext,
}

// SAFETY: only `ParallelFor` is called from the thread that owns the context; workers use the closure they are given.
unsafe impl Sync for Context {}

/// An input: where it is and how large.
struct Tensor {
    data: *const c_void,
    dims: Vec<i64>,
}

impl Tensor {
    fn count(&self) -> usize {
        self.dims.iter().map(|&d| usize::try_from(d).unwrap_or(0)).product()
    }

    /// # Safety
    ///
    /// The tensor holds `count` elements of type `E`.
    unsafe fn elements<E>(&self, count: usize) -> &[E] {
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
unsafe fn elements_mut<'a, E>(data: *mut c_void, count: usize) -> &'a mut [E] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: the caller's duty.
    unsafe { std::slice::from_raw_parts_mut(data.cast(), count) }
}

impl Context {
    /// The input's place and dimensions, or `None` where an optional input is absent.
    fn input(&self, index: usize, element: ElementType) -> Result<Option<Tensor>, Failure> {
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

    fn output(&self, dims: &[i64]) -> Result<*mut c_void, Refused> {
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
    fn allocate(&self, memory: *const OrtMemoryInfo, words: usize) -> Result<Workspace, Refused> {
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
struct Workspace {
    api: Api,
    allocator: *mut OrtAllocator,
    data: *mut c_void,
    words: usize,
}

impl Workspace {
    fn words(&mut self) -> &mut [MaybeUninit<u32>] {
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

fn onnx_type(element: ElementType) -> OnnxType {
    match element {
        ElementType::Float32 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
        ElementType::Float16 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,
        ElementType::BFloat16 => OnnxType::ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16,
    }
}

unsafe extern "system" fn create(
    table: *const OrtCustomOp,
    _: *const OrtApi,
    info: *const OrtKernelInfo,
    kernel: *mut *mut c_void,
) -> OrtStatusPtr {
    let Some(&api) = API.get() else { return OrtStatusPtr::default() };
    api.answer(|| {
        // SAFETY: ONNX Runtime passes the table that was registered.
        let element = unsafe { Operator::of(table) }.element;
        let made = Box::new(Kernel::new(api, info, element)?);
        // SAFETY: ONNX Runtime gives a place for one pointer.
        unsafe { kernel.write(Box::into_raw(made).cast()) };
        Ok(())
    })
}

unsafe extern "system" fn compute(
    kernel: *mut c_void,
    context: *mut OrtKernelContext,
) -> OrtStatusPtr {
    // SAFETY: the pointer that `create` gave, alive until `destroy`; kernels are only read.
    let kernel = unsafe { &*kernel.cast::<Kernel>() };
    kernel.api.answer(|| kernel.compute(context))
}

unsafe extern "system" fn destroy(kernel: *mut c_void) {
    // SAFETY: the pointer that `create` gave; ONNX Runtime calls this once, last.
    drop(unsafe { Box::from_raw(kernel.cast::<Kernel>()) });
}

/// Adds the operator to a session's options. ONNX Runtime looks this symbol up in the library.
///
/// # Safety
///
/// Both pointers come from ONNX Runtime: options that are being built, and the base of its API.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn RegisterCustomOps(
    options: *mut OrtSessionOptions,
    base: *const OrtApiBase,
) -> OrtStatusPtr {
    // SAFETY: the caller's duty.
    let base = unsafe { &*base };
    // SAFETY: a function of ONNX Runtime that takes any number.
    let table = unsafe { (base.GetApi)(API_VERSION) };
    // SAFETY: null or a table that lives as long as the process.
    let Some(table) = (unsafe { table.as_ref() }) else {
        // Without a table there is no way to make a status; the session then says that the operator is unknown.
        return OrtStatusPtr::default();
    };
    let api = *API.get_or_init(|| Api(table));
    api.answer(|| {
        let registered = match REGISTERED.get() {
            Some(registered) => registered,
            None => {
                let domain = make_domain(api)?;
                REGISTERED.get_or_init(|| Registered { domain })
            }
        };
        // SAFETY: live options; the domain lives for ever.
        Api::check(unsafe { (api.0.AddCustomOpDomain)(options, registered.domain) })?;
        Ok(())
    })
}

/// One domain for all sessions: it is never released, as sessions refer to it.
fn make_domain(api: Api) -> Result<*mut OrtCustomOpDomain, Refused> {
    let mut domain = ptr::null_mut();
    // SAFETY: a name with an end and a target for the pointer.
    Api::check(unsafe { (api.0.CreateCustomOpDomain)(DOMAIN.as_ptr(), &mut domain) })?;
    for operator in &OPERATORS {
        // SAFETY: a live domain and a static table.
        Api::check(unsafe { (api.0.CustomOpDomain_Add)(domain, &raw const operator.table) })?;
    }
    Ok(domain)
}
