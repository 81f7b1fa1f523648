// The C ABI between the operator library and its HIP back end. Plain data, extents in elements.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Grows with any change of the struct or of what a field means.
#define FOREBAY_HIP_ABI 1

enum forebay_element { FOREBAY_F16 = 0, FOREBAY_BF16 = 1 };

// Row-major, dense: Q and O are [batch, heads, queries, head_dim], K and V are [batch, heads, keys, head_dim].
// S[i, j] = scale * Q[i, :] . K[j, :] + bias[j] for i - left <= j <= i + right; O = softmax(S) V; no key: zero.
typedef struct forebay_attention {
  const void* q;
  const void* k;
  const void* v;
  void* o;
  const void* key_bias;   // [bias_rows, keys], or null; -10000 or less hides a key
  int64_t batch;
  int64_t heads;
  int64_t queries;
  int64_t keys;
  int64_t head_dim;       // 32, 64 or 128
  int64_t bias_rows;      // batch, or 1 for all sequences
  int64_t window_left;    // both ends belong to the window; -1 is open
  int64_t window_right;
  float scale;
  int32_t element;        // enum forebay_element, of all tensors
} forebay_attention;

// FOREBAY_HIP_ABI of the library.
int forebay_hip_abi(void);
// Which kernels are in it, for logs: "own", or "own, ck_tile generation 4".
const char* forebay_hip_kernels(void);
// Enqueues one attention on `stream` (a hipStream_t). Returns null, or why it was not done (a static string).
const char* forebay_hip_attention(const forebay_attention* call, void* stream);

#ifdef __cplusplus
}
#endif
