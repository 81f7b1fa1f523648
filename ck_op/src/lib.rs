//! `com.ck::CKFlashAttention`: exact attention in O(n) memory for ONNX Runtime.
//!
//! ONNX Runtime's own flash attention on CPU serves only the mask-free case, so a padded batch and every sliding-window
//! layer fall back to S×S matrices. This operator keeps the tiles in cache and knows two masks, a window and key padding,
//! which is all that an encoder needs.
//!
//! ```text
//! S[i, j] = scale * Q[i, :] . K[j, :] + bias[j]      for keys j with i - left <= j <= i + right
//! O[i, :] = softmax_j(S[i, :]) V                     zero where no key is left
//! ```
//!
//! Layers, outermost first: `register` (the C ABI: catches everything, answers with a status), [`op`] (checks shapes and
//! types, names the tensor that is wrong), [`cpu`] (tiled online softmax, one source for AVX-512, AVX2 and portable code),
//! `hip` (hands the call to `libforebay_ck_hip.so`, see the folder `hip`) and [`reference`](mod@reference) (float64, obvious,
//! the oracle of all tests).
//!
//! Three environment variables: `FOREBAY_CK_ISA` (portable, avx2, avx512, avx512-bf16) caps the instruction set of sessions
//! made from then on. The others are read once, when the library is first registered: `FOREBAY_CK_HIP_LIB` names the HIP
//! back end, and it is an error if that cannot be loaded; `FOREBAY_CK_HIP_PROVIDER` is the execution provider that its
//! operators go to, ROCMExecutionProvider by default.
//!
//! The ABI comes from `ort-sys`, whose `repr(C)` tables need neither a header nor the library at build time. The rejected
//! alternative was to vendor ONNX Runtime's C header and write the layer in C++.

mod abi;
mod context;
pub mod cpu;
mod hip;
pub mod op;
pub mod reference;
mod register;

pub use register::RegisterCustomOps;
