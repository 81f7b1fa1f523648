// Every kernel that the library may hold.
#pragma once
#include <hip/hip_runtime.h>

#include "forebay_hip.h"
#include "own.h"

extern "C" {
__global__ void forebay_fmha_f16_d32(forebay_own_args);
__global__ void forebay_fmha_f16_d64(forebay_own_args);
__global__ void forebay_fmha_f16_d128(forebay_own_args);
__global__ void forebay_fmha_bf16_d32(forebay_own_args);
__global__ void forebay_fmha_bf16_d64(forebay_own_args);
__global__ void forebay_fmha_bf16_d128(forebay_own_args);
}

#ifdef FOREBAY_CK_GENERATION
// Launches one ck_tile instance; null, or why not.
using forebay_ck_launch = const char* (*)(const forebay_attention*, hipStream_t);
// The instance for a call, or null where ck_tile has none: then the hand-written kernel takes it.
forebay_ck_launch forebay_ck_instance(const forebay_attention* call);
#endif
