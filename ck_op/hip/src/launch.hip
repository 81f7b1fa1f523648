// The HIP back end's entry: checks what it is given, picks an instance, launches. No allocation, no synchronisation.
#include <hip/hip_runtime.h>

#include "forebay_hip.h"
#include "instances.h"
#include "own.h"

namespace {

constexpr int64_t kLongest = 1 << 24;   // as the operator's own limit
constexpr int32_t kOpen = 1 << 28;      // an open side: longer than any sequence
constexpr int kRowsPerGroup = 128;
constexpr int kThreads = 256;

const char* check(const forebay_attention& c) {
  if (c.element != FOREBAY_F16 && c.element != FOREBAY_BF16) return "element type is neither float16 nor bfloat16";
  if (c.head_dim != 32 && c.head_dim != 64 && c.head_dim != 128) return "head_dim is none of 32, 64 and 128";
  if (c.batch < 0 || c.heads < 0 || c.queries < 0 || c.keys < 0) return "a negative extent";
  if (c.batch > 65535 || c.heads > 65535) return "more than 65535 sequences or heads";
  if (c.queries > kLongest || c.keys > kLongest) return "more than 16777216 positions";
  if (c.window_left < -1 || c.window_right < -1 || c.window_left > kLongest || c.window_right > kLongest)
    return "a window side outside -1 to 16777216";
  if (!(c.scale > 0)) return "scale is not positive";
  if (c.key_bias && c.bias_rows != 1 && c.bias_rows != c.batch) return "key_bias has neither one row nor one per sequence";
  if (!c.q || !c.k || !c.v || !c.o) return "a tensor is null";
  return nullptr;
}

const void* own_kernel(const forebay_attention& c) {
  const bool bf16 = c.element == FOREBAY_BF16;
  switch (c.head_dim) {
    case 32: return bf16 ? (const void*)forebay_fmha_bf16_d32 : (const void*)forebay_fmha_f16_d32;
    case 64: return bf16 ? (const void*)forebay_fmha_bf16_d64 : (const void*)forebay_fmha_f16_d64;
    default: return bf16 ? (const void*)forebay_fmha_bf16_d128 : (const void*)forebay_fmha_f16_d128;
  }
}

const char* launch_own(const forebay_attention& c, hipStream_t stream) {
  const auto side = [](int64_t keys) { return keys < 0 ? kOpen : (int32_t)keys; };
  forebay_own_args args = {
      (const uint16_t*)c.q, (const uint16_t*)c.k, (const uint16_t*)c.v, (uint16_t*)c.o, (const uint16_t*)c.key_bias,
      (int32_t)c.heads, (int32_t)c.queries, (int32_t)c.keys, c.key_bias && c.bias_rows > 1 ? (int32_t)c.keys : 0,
      side(c.window_left), side(c.window_right), c.scale * 1.44269504f};
  void* list[] = {&args};
  const dim3 grid((unsigned)((c.queries + kRowsPerGroup - 1) / kRowsPerGroup), (unsigned)c.heads, (unsigned)c.batch);
  const hipError_t error = hipLaunchKernel(own_kernel(c), grid, dim3(kThreads), list, 0, stream);
  return error == hipSuccess ? nullptr : hipGetErrorString(error);
}

}  // namespace

extern "C" int forebay_hip_abi(void) { return FOREBAY_HIP_ABI; }

extern "C" const char* forebay_hip_kernels(void) {
#define FOREBAY_TEXT_(x) #x
#define FOREBAY_TEXT(x) FOREBAY_TEXT_(x)
#ifdef FOREBAY_CK_GENERATION
  return "own, ck_tile generation " FOREBAY_TEXT(FOREBAY_CK_GENERATION);
#else
  return "own";
#endif
}

extern "C" const char* forebay_hip_attention(const forebay_attention* call, void* stream) {
  if (call == nullptr) return "no call";
  if (const char* wrong = check(*call)) return wrong;
  if (call->batch * call->heads * call->queries == 0) return nullptr;
#ifdef FOREBAY_CK_GENERATION
  if (const auto instance = forebay_ck_instance(call)) return instance(call, (hipStream_t)stream);
#endif
  return launch_own(*call, (hipStream_t)stream);
}
