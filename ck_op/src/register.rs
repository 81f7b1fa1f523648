//! The C ABI: `RegisterCustomOps` and the callbacks behind it.
//!
//! Nothing unwinds out of here: every callback that may fail answers with an `OrtStatus`, whose message comes from
//! [`op::Error`]. There is no shape-inference callback on purpose: one that forwards Q's shape makes ONNX Runtime fold
//! symbolic dimensions to -1, which breaks later Reshapes; ONNX Runtime then takes the shape from `compute`.

#![allow(unsafe_code, reason = "a C ABI; each use says why it holds")]
#![allow(non_snake_case, reason = "the entry point's name is given by ONNX Runtime")]

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::ptr;
use std::sync::OnceLock;

use half::f16;
use ort_sys::{
    ONNXTensorElementDataType as OnnxType, OrtAllocatorType, OrtApi, OrtApiBase, OrtCustomOp,
    OrtCustomOpDomain, OrtCustomOpInputOutputCharacteristic as Presence, OrtKernelContext,
    OrtKernelInfo, OrtMemType, OrtMemoryInfo, OrtSessionOptions, OrtStatusPtr,
};

use crate::abi::{Api, Failure};
use crate::context::{Context, INPUTS, Tensor, elements_mut, onnx_type};
use crate::cpu::{self, CpuElement, Isa, Rotary, Tensors};
use crate::hip::Hip;
use crate::op::{self, Attributes, Dims, ElementType, Error, Input, Layout, Shape};

/// The oldest API table that has all that is called here; later versions of ONNX Runtime keep it.
const API_VERSION: u32 = 18;
const DOMAIN: &CStr = c"com.ck";
const NAME: &CStr = c"CKFlashAttention";

/// What runs an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Device {
    Cpu,
    Hip,
}

/// One registered operator; ONNX Runtime sees the first field.
#[repr(C)]
struct Operator {
    table: OrtCustomOp,
    element: ElementType,
    device: Device,
}

/// The API of the process. There is one ONNX Runtime per process that loads this library.
static API: OnceLock<Api> = OnceLock::new();
static REGISTERED: OnceLock<Registered> = OnceLock::new();
/// The execution provider of the HIP operators, fixed before they are registered.
static HIP_PROVIDER: OnceLock<CString> = OnceLock::new();
const ROCM: &str = "ROCMExecutionProvider";
/// A test has ONNX Runtime's CPU provider call the HIP back end, whose launches then go to an interpreter.
const CPU: &str = "CPUExecutionProvider";

struct Registered {
    domain: *mut OrtCustomOpDomain,
    hip: Option<Hip>,
}

// SAFETY: ONNX Runtime only reads a domain once it is built.
unsafe impl Send for Registered {}
// SAFETY: the same.
unsafe impl Sync for Registered {}

static OPERATORS: [Operator; 4] = [
    Operator::new(ElementType::Float32, Device::Cpu),
    Operator::new(ElementType::Float16, Device::Cpu),
    Operator::new(ElementType::Float16, Device::Hip),
    Operator::new(ElementType::BFloat16, Device::Hip),
];

impl Operator {
    const fn new(element: ElementType, device: Device) -> Self {
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
        Self { table, element, device }
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
unsafe extern "system" fn provider(table: *const OrtCustomOp) -> *const c_char {
    // SAFETY: ONNX Runtime passes the table that was registered.
    match unsafe { Operator::of(table) }.device {
        // Null is the CPU.
        Device::Cpu => ptr::null(),
        Device::Hip => HIP_PROVIDER.get().map_or(ptr::null(), |provider| provider.as_ptr()),
    }
}
unsafe extern "system" fn element_type(table: *const OrtCustomOp, _: usize) -> OnnxType {
    // SAFETY: ONNX Runtime passes the table that was registered.
    onnx_type(unsafe { Operator::of(table) }.element)
}
unsafe extern "system" fn input_count(_: *const OrtCustomOp) -> usize {
    INPUTS.len()
}
unsafe extern "system" fn output_count(_: *const OrtCustomOp) -> usize {
    1
}
unsafe extern "system" fn input_presence(_: *const OrtCustomOp, index: usize) -> Presence {
    // K and V are absent where Q holds all three; the others are extras.
    if INPUTS.get(index) == Some(&Input::Q) {
        Presence::INPUT_OUTPUT_REQUIRED
    } else {
        Presence::INPUT_OUTPUT_OPTIONAL
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
    tokens_first: bool,
    isa: Isa,
    element: ElementType,
    device: Device,
    cpu_memory: *mut OrtMemoryInfo,
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: made in `Kernel::new` and held by nobody else.
        unsafe { (self.api.0.ReleaseMemoryInfo)(self.cpu_memory) };
    }
}

impl Kernel {
    fn new(api: Api, info: *const OrtKernelInfo, operator: &Operator) -> Result<Self, Failure> {
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
        let tokens_first = op::switch("tokens_first", integer(c"tokens_first", 0))?;
        if tokens_first && operator.device == Device::Hip {
            return Err(Failure::Setting(
                "tokens_first is 1; the HIP back end takes 0, as the rewriter writes with --fp16"
                    .to_owned(),
            ));
        }
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
            tokens_first,
            isa: Isa::choose(attributes.allow_bf16, limit),
            element: operator.element,
            device: operator.device,
            cpu_memory,
        })
    }

    fn compute(&self, context: *mut OrtKernelContext) -> Result<(), Failure> {
        let context = Context { api: self.api, raw: context };
        let inputs = Inputs::of(&context, self.element)?;
        let (shape, layout) = inputs.dims().check(self.tokens_first)?;
        let mut dims = inputs.q.dims.clone();
        if layout == Layout::Packed {
            // All but the dimension of three.
            dims.remove(2);
        }
        let out = context.output(&dims)?;
        if self.device == Device::Hip {
            if let Some(input) = [(&inputs.cos, Input::Cos), (&inputs.sin, Input::Sin)]
                .into_iter()
                .find_map(|(tensor, input)| tensor.as_ref().map(|_| input))
            {
                return Err(Failure::Setting(format!(
                    "{input} is given; the HIP back end has no rotary embedding"
                )));
            }
            let hip = REGISTERED.get().and_then(|registered| registered.hip.as_ref());
            let hip =
                hip.ok_or_else(|| Failure::Setting("the HIP back end is not loaded".to_owned()))?;
            let (Some(k), Some(v)) = (&inputs.k, &inputs.v) else {
                return Err(Error::Missing { input: Input::K }.into());
            };
            return hip.attention(
                &context,
                &shape,
                &self.attributes,
                self.element,
                [&inputs.q, k, v],
                inputs.key_bias.as_ref(),
                out,
            );
        }
        match self.element {
            ElementType::Float16 => self.attend::<f16>(&context, &shape, layout, &inputs, out),
            ElementType::Float32 | ElementType::BFloat16 => {
                self.attend::<f32>(&context, &shape, layout, &inputs, out)
            }
        }
    }

    #[allow(clippy::multiple_unsafe_ops_per_block, reason = "seven tensors with one justification")]
    fn attend<E: CpuElement>(
        &self,
        context: &Context,
        shape: &Shape,
        layout: Layout,
        inputs: &Inputs,
        out: *mut c_void,
    ) -> Result<(), Failure> {
        let Inputs { q, k, v, key_bias, cos, sin } = inputs;
        /// # Safety
        ///
        /// The tensor holds elements of type `E`.
        unsafe fn all<E>(tensor: &Tensor) -> &[E] {
            // SAFETY: the caller's duty; ONNX Runtime's tensors hold as many elements as their dimensions say.
            unsafe { tensor.elements(tensor.count()) }
        }
        // SAFETY: `Context::input` has checked the element type, inputs are not written while the node runs, and the
        // output is this node's alone, made with as many elements (`Dims::check` tied the extents to the dimensions).
        let tensors = unsafe {
            let q = all(q);
            Tensors {
                layout,
                q,
                k: k.as_ref().map_or(q, |k| all(k)),
                v: v.as_ref().map_or(q, |v| all(v)),
                key_bias: key_bias.as_ref().map(|bias| all(bias)),
                rotary: cos
                    .as_ref()
                    .zip(sin.as_ref())
                    .map(|(cos, sin)| Rotary { cos: all(cos), sin: all(sin) }),
                out: elements_mut::<E>(out, shape.query_elements()),
            }
        };
        let mut workspace =
            context.allocate(self.cpu_memory, cpu::workspace_words(self.isa, shape))?;
        cpu::attention(self.isa, shape, &self.attributes, tensors, context, workspace.words())?;
        Ok(())
    }
}

/// The tensors of one call.
struct Inputs {
    q: Tensor,
    k: Option<Tensor>,
    v: Option<Tensor>,
    key_bias: Option<Tensor>,
    cos: Option<Tensor>,
    sin: Option<Tensor>,
}

impl Inputs {
    fn of(context: &Context, element: ElementType) -> Result<Self, Failure> {
        let input = |index| context.input(index, element);
        Ok(Self {
            q: input(0)?.ok_or(Error::Missing { input: Input::Q })?,
            k: input(1)?,
            v: input(2)?,
            key_bias: input(3)?,
            cos: input(4)?,
            sin: input(5)?,
        })
    }

    fn dims(&self) -> Dims<'_> {
        Dims {
            q: &self.q.dims,
            k: self.k.as_ref().map(|t| t.dims.as_slice()),
            v: self.v.as_ref().map(|t| t.dims.as_slice()),
            key_bias: self.key_bias.as_ref().map(|t| t.dims.as_slice()),
            cos: self.cos.as_ref().map(|t| t.dims.as_slice()),
            sin: self.sin.as_ref().map(|t| t.dims.as_slice()),
        }
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
        let operator = unsafe { Operator::of(table) };
        let made = Box::new(Kernel::new(api, info, operator)?);
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
                let registered = Registered::new(api)?;
                REGISTERED.get_or_init(|| registered)
            }
        };
        // SAFETY: live options; the domain lives for ever.
        Api::check(unsafe { (api.0.AddCustomOpDomain)(options, registered.domain) })?;
        Ok(())
    })
}

impl Registered {
    /// One domain for all sessions: it is never released, as sessions refer to it.
    fn new(api: Api) -> Result<Self, Failure> {
        let provider = std::env::var("FOREBAY_CK_HIP_PROVIDER").unwrap_or_else(|_| ROCM.to_owned());
        let hip = std::env::var_os("FOREBAY_CK_HIP_LIB")
            .map(|path| Hip::load(path.as_ref()))
            .transpose()?;
        let on_cpu = hip.is_some() && provider == CPU;
        HIP_PROVIDER.get_or_init(|| CString::new(provider).unwrap_or_default());
        let mut domain = ptr::null_mut();
        // SAFETY: a name with an end and a target for the pointer.
        Api::check(unsafe { (api.0.CreateCustomOpDomain)(DOMAIN.as_ptr(), &mut domain) })?;
        for operator in &OPERATORS {
            let wanted = match (operator.device, operator.element) {
                (Device::Hip, _) => hip.is_some(),
                // One provider has one kernel per type.
                (Device::Cpu, ElementType::Float16) => !on_cpu,
                (Device::Cpu, _) => true,
            };
            if wanted {
                // SAFETY: a live domain and a static table.
                Api::check(unsafe {
                    (api.0.CustomOpDomain_Add)(domain, &raw const operator.table)
                })?;
            }
        }
        Ok(Self { domain, hip })
    }
}
