// Flash attention forward by Composable Kernel's ck_tile, from its headers alone. One instance per source file; CMake
// writes the files from ck_instance.hip.in and finds out which generation of the headers it has:
//
//   2  FmhaFwdKernel<Pipeline, Epilogue>                                     (ROCm 6.3, 6.4)
//   3  + a soft cap and a variant                                            (ROCm 7.0)
//   4  + kUseTrLoad in the problem; kentry takes the architecture            (ROCm 7.1, 7.2)
//
// FOREBAY_CK_GENERATION and CK_TILE_FMHA_FWD_FAST_EXP2=1 hold for host and device code alike: the host folds log2(e)
// into the scale.
#pragma once
#include <hip/hip_runtime.h>

#include "ck_tile/core.hpp"
#include "ck_tile/host/kernel_launch.hpp"
#include "ck_tile/ops/epilogue.hpp"
#include "ck_tile/ops/fmha.hpp"
#if FOREBAY_CK_GENERATION >= 3
#include "ck_tile/ops/fmha/block/variants.hpp"
#endif

#include "forebay_hip.h"

static_assert(CK_TILE_FMHA_FWD_FAST_EXP2 == 1, "log2(e) is folded into the scale on the host");

namespace forebay_ck {

using ck_tile::sequence;

// Tiles per head dimension, as ck_tile's own generator has them: rows, keys, depth of QK, columns, depth of PV, head.
template <int Dim> struct Tile;
template <> struct Tile<32> {
  using Block = sequence<128, 64, 16, 32, 32, 32>;
  using Warps = sequence<2, 1, 1>;
};
template <> struct Tile<64> {
  using Block = sequence<128, 64, 32, 64, 32, 64>;
  using Warps = sequence<4, 1, 1>;
};
template <> struct Tile<128> {
  using Block = sequence<128, 128, 32, 128, 32, 128>;
  using Warps = sequence<4, 1, 1>;
};

template <typename T, int Dim, bool Biased> struct Instance {
  using Warp = sequence<32, 32, 16>;
  using Shape = ck_tile::TileFmhaShape<typename Tile<Dim>::Block, typename Tile<Dim>::Warps, Warp, typename Tile<Dim>::Warps,
                                       Warp, true>;
  static constexpr auto kBias =
      Biased ? ck_tile::BlockAttentionBiasEnum::ELEMENTWISE_BIAS : ck_tile::BlockAttentionBiasEnum::NO_BIAS;
  // Workgroups per compute unit. ck_tile's own choices, 3 and for heads of 128 2, leave too few registers with a bias and with
  // heads of 128: clang 21 spills (63 vector registers of generation 4 at 128).
  static constexpr int kOccupancy = Dim == 128 ? 1 : Biased ? 2 : -1;
#if FOREBAY_CK_GENERATION >= 3
  using Traits = ck_tile::TileFmhaTraits<true, true, true, true, false, kBias, false, false, false, false, kOccupancy, false>;
  using Variant = ck_tile::ComposedAttention<0, CK_TILE_FMHA_FWD_FAST_EXP2>;
#else
  using Traits = ck_tile::TileFmhaTraits<true, true, true, true, kBias, false, false, false, false, kOccupancy>;
#endif
  // <true, true>: windows of any two sides.
  using Mask = ck_tile::GenericAttentionMask<true, true>;
  using Problem = ck_tile::BlockFmhaPipelineProblem<T, T, T, float, float, T, uint8_t, float, T, float, T, Shape, false,
#if FOREBAY_CK_GENERATION >= 3
                                                    Variant,
#endif
                                                    Mask,
#if FOREBAY_CK_GENERATION >= 4
                                                    false,
#endif
                                                    Traits>;
  // ck_tile's generator does not use the asynchronous pipeline with a bias.
  using Pipeline = std::conditional_t<Biased || Dim == 32, ck_tile::BlockFmhaPipelineQRKSVS<Problem>,
                                      ck_tile::BlockFmhaPipelineQRKSVSAsync<Problem>>;
  using Epilogue = ck_tile::Default2DEpilogue<ck_tile::Default2DEpilogueProblem<float, T, true, true>>;
  using Kernel = ck_tile::FmhaFwdKernel<Pipeline, Epilogue>;
};

template <typename T, int Dim, bool Biased>
const char* launch(const forebay_attention& c, hipStream_t stream) {
  using Kernel = typename Instance<T, Dim, Biased>::Kernel;
  using ck_tile::index_t;
  const auto n = [](int64_t x) { return (index_t)x; };
  const index_t d = Dim, q_plane = n(c.queries * Dim), k_plane = n(c.keys * Dim);
  const bool windowed = c.window_left >= 0 || c.window_right >= 0;
  const auto args = Kernel::MakeKargsImpl(
      c.q, c.k, c.v, c.key_bias, nullptr, nullptr, c.o, n(c.queries), n(c.keys), d, d, n(c.heads), 1, c.scale, 1.f, 1.f,
#if FOREBAY_CK_GENERATION >= 3
      0.f,
#endif
      // rows: q, k, v, bias (one row for all queries), random numbers, o
      d, d, d, 0, 0, d,
      // heads: q, k, v, bias, random numbers, lse, o
      q_plane, k_plane, k_plane, 0, 0, 0, q_plane,
      // sequences, likewise
      n(c.heads * c.queries * Dim), n(c.heads * c.keys * Dim), n(c.heads * c.keys * Dim),
      c.bias_rows > 1 ? n(c.keys) : 0, 0, 0, n(c.heads * c.queries * Dim),
      n(c.window_left), n(c.window_right), windowed ? 1 : 0, 0.f, false, std::pair<uint64_t, uint64_t>{0, 0});
  const dim3 grid = Kernel::GridSize(n(c.batch), n(c.heads), n(c.queries), d, false);
  // No dynamic LDS: the kernel declares its own.
#if FOREBAY_CK_GENERATION >= 4
  ck_tile::kentry<ck_tile::gfx9_t, Kernel::kBlockPerCu, Kernel><<<grid, Kernel::BlockSize(), 0, stream>>>(args);
#else
  ck_tile::kentry<Kernel::kBlockSize, Kernel::kBlockPerCu, Kernel><<<grid, Kernel::BlockSize(), 0, stream>>>(args);
#endif
  const hipError_t error = hipGetLastError();
  return error == hipSuccess ? nullptr : hipGetErrorString(error);
}

}  // namespace forebay_ck
