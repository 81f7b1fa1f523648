// Flash attention forward on the matrix cores of gfx942, hand-written: the implementation that needs nothing but HIP.
//
//   S[i, j] = scale * Q[i, :] . K[j, :] + bias[j]     i - left <= j <= i + right
//   O[i, :] = sum_j 2^(S[i, j] - m) V[j, :] / sum_j 2^(S[i, j] - m)      in units of log2, m the running maximum
//
// A workgroup of 4 waves takes 128 queries of one head, 32 per wave, and walks over the keys in tiles of 32 in LDS.
// Both products are 32x32x8 MFMAs with the operands exchanged, S^T = K Q^T and O^T = V^T P^T: then lane c of either half
// of a wave owns query c in both, maximum and sum need one exchange between the halves, and P^T is already laid out as
// the second product wants it, without a trip through LDS.
#include <hip/hip_runtime.h>

#include "own.h"

namespace {

using half4 = _Float16 __attribute__((ext_vector_type(4)));
using short4v = short __attribute__((ext_vector_type(4)));
using words4 = uint32_t __attribute__((ext_vector_type(4)));
using float16v = float __attribute__((ext_vector_type(16)));

constexpr int kWave = 64;
constexpr int kRows = 32;    // queries per wave, keys per tile: the side of the MFMA
constexpr int kDepth = 8;    // depth of one MFMA
constexpr int kWaves = 4;
constexpr float kHidden = -1e30f;   // score of a key that does not count; far below any sum of finite scores

// Two 16-bit formats with the same kernel. Storage is 16 bits; a fragment is 4 neighbours along the depth.
struct F16 {
  using Fragment = half4;
  static __device__ float widen(uint16_t x) { return (float)__builtin_bit_cast(_Float16, x); }
  static __device__ uint16_t round(float x) { return __builtin_bit_cast(uint16_t, (_Float16)x); }
  static __device__ _Float16 element(float x) { return (_Float16)x; }
  static __device__ float16v multiply(Fragment a, Fragment b, float16v c) {
    return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
  }
};

struct BF16 {
  using Fragment = short4v;
  static __device__ float widen(uint16_t x) { return __builtin_bit_cast(float, (uint32_t)x << 16); }
  static __device__ uint16_t round(float x) {   // to nearest, ties to even; NaN stays NaN
    uint32_t bits = __builtin_bit_cast(uint32_t, x);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return x != x ? 0x7fc0 : rounded;
  }
  static __device__ short element(float x) { return (short)round(x); }
  static __device__ float16v multiply(Fragment a, Fragment b, float16v c) {
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
  }
};

// Row of S^T (a key) or of O^T (a column of V) that element i of a lane's accumulator holds; half is lane / 32.
__device__ constexpr int row_of(int i, int half) { return i / 4 * 8 + half * 4 + i % 4; }

template <typename T, int D>
__device__ void attend(const forebay_own_args& a) {
  static_assert(D % kRows == 0, "whole MFMA tiles along the head");
  using Fragment = typename T::Fragment;
  constexpr int kPad = 4;   // spreads rows over the LDS banks and keeps 8-byte alignment
  __shared__ uint16_t keys[kRows][D + kPad];
  __shared__ uint16_t values[D][kRows + kPad];   // transposed
  __shared__ float bias[kRows];

  const int thread = threadIdx.x, lane = thread % kWave, column = lane % kRows, half = lane / kRows;
  const int head = blockIdx.y, sequence = blockIdx.z;
  const int first = blockIdx.x * (kWaves * kRows);
  const int query = first + thread / kWave * kRows + column;
  const size_t plane = (size_t)sequence * a.heads + head;
  const uint16_t* q = a.q + (plane * a.queries + query) * D;
  const uint16_t* k = a.k + plane * a.keys * D;
  const uint16_t* v = a.v + plane * a.keys * D;
  const uint16_t* b = a.key_bias + (size_t)sequence * a.bias_stride;

  Fragment qf[D / kDepth];
#pragma unroll
  for (int i = 0; i < D / kDepth; i++) {
    uint64_t word = query < a.queries ? *(const uint64_t*)(q + i * kDepth + half * 4) : 0;
    qf[i] = __builtin_bit_cast(Fragment, word);
  }
  float16v out[D / kRows];
#pragma unroll
  for (int t = 0; t < D / kRows; t++)
#pragma unroll
    for (int i = 0; i < 16; i++) out[t][i] = 0;
  float highest = kHidden, total = 0;

  // The keys that any query of the workgroup sees; tiles start at multiples of 32.
  int start = first - a.left;
  start = start < 0 ? 0 : start / kRows * kRows;
  int end = first + kWaves * kRows + a.right;
  end = end > a.keys ? a.keys : end;
  for (int tile = start; tile < end; tile += kRows) {
    __syncthreads();   // the last tile is read to the end
#pragma unroll
    for (int chunk = thread; chunk < kRows * D / 8; chunk += kWaves * kWave) {
      const int row = chunk / (D / 8), from = chunk % (D / 8) * 8, key = tile + row;
      words4 kw = 0, vw = 0;
      if (key < a.keys) {
        kw = *(const words4*)(k + (size_t)key * D + from);
        vw = *(const words4*)(v + (size_t)key * D + from);
      }
#pragma unroll
      for (int j = 0; j < 4; j++) {
        *(uint32_t*)&keys[row][from + 2 * j] = kw[j];
        values[from + 2 * j][row] = (uint16_t)vw[j];
        values[from + 2 * j + 1][row] = (uint16_t)(vw[j] >> 16);
      }
    }
    if (thread < kRows) {
      const int key = tile + thread;
      float x = key < a.keys ? 0.f : kHidden;
      if (a.key_bias != nullptr && key < a.keys) x = T::widen(b[key]);
      bias[thread] = x <= -1e4f ? kHidden : x * 1.44269504f;
    }
    __syncthreads();

    float16v s;
#pragma unroll
    for (int i = 0; i < 16; i++) s[i] = 0;
#pragma unroll
    for (int i = 0; i < D / kDepth; i++) {
      uint64_t word = *(const uint64_t*)&keys[column][i * kDepth + half * 4];
      s = T::multiply(__builtin_bit_cast(Fragment, word), qf[i], s);
    }
    float before = highest;
#pragma unroll
    for (int i = 0; i < 16; i++) {
      const int row = row_of(i, half), key = tile + row;
      const float added = bias[row];
      // Single & on purpose: three compares, no branches.
      const bool seen = (key >= query - a.left) & (key <= query + a.right) & (added > kHidden);
      s[i] = seen ? s[i] * a.scale + added : kHidden;
      highest = fmaxf(highest, s[i]);
    }
    highest = fmaxf(highest, __shfl_xor(highest, kRows));
    const float shrink = exp2f(before - highest);
    float sum = 0;
    Fragment p[4];
#pragma unroll
    for (int i = 0; i < 16; i++) {
      const float e = s[i] > kHidden ? exp2f(s[i] - highest) : 0.f;
      sum += e;
      p[i / 4][i % 4] = T::element(e);
    }
    sum += __shfl_xor(sum, kRows);
    total = total * shrink + sum;
#pragma unroll
    for (int t = 0; t < D / kRows; t++) {
#pragma unroll
      for (int i = 0; i < 16; i++) out[t][i] *= shrink;
#pragma unroll
      for (int g = 0; g < 4; g++) {
        uint64_t word = *(const uint64_t*)&values[t * kRows + column][g * kDepth + half * 4];
        out[t] = T::multiply(__builtin_bit_cast(Fragment, word), p[g], out[t]);
      }
    }
  }

  if (query >= a.queries) return;
  const float factor = total > 0 ? 1.f / total : 0.f;
  uint16_t* o = a.o + (plane * a.queries + query) * D;
#pragma unroll
  for (int t = 0; t < D / kRows; t++)
#pragma unroll
    for (int i = 0; i < 16; i += 4) {
      uint64_t word = 0;
#pragma unroll
      for (int j = 0; j < 4; j++) word |= (uint64_t)T::round(out[t][i + j] * factor) << (16 * j);
      *(uint64_t*)(o + t * kRows + row_of(i, half)) = word;
    }
}

}  // namespace

#define FOREBAY_INSTANCE(name, type, dim)                                                        \
  extern "C" __global__ __launch_bounds__(256) void forebay_fmha_##name##_d##dim(forebay_own_args a) { \
    attend<type, dim>(a);                                                                        \
  }
FOREBAY_INSTANCE(f16, F16, 32)
FOREBAY_INSTANCE(f16, F16, 64)
FOREBAY_INSTANCE(f16, F16, 128)
FOREBAY_INSTANCE(bf16, BF16, 32)
FOREBAY_INSTANCE(bf16, BF16, 64)
FOREBAY_INSTANCE(bf16, BF16, 128)
