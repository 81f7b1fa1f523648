// What ../../../hip/src/launch.hip needs of HIP on the host side, so that any C++ compiler builds it: the code that checks
// a call, picks a kernel and packs its arguments then runs in every CI, without hipcc. The names and layouts are HIP's.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define __global__

struct dim3 {
  uint32_t x, y, z;
  dim3(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1) : x(x), y(y), z(z) {}
};
using hipStream_t = struct ihipStream_t*;
enum hipError_t { hipSuccess = 0 };

extern "C" {
hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t lds, hipStream_t stream);
const char* hipGetErrorString(hipError_t error);
}
