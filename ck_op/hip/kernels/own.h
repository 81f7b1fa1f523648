// Arguments of the hand-written kernels, passed by value: see own.hip for the maths, forebay_hip.h for the tensors.
#pragma once
#include <stdint.h>

typedef struct forebay_own_args {
  const uint16_t* q;
  const uint16_t* k;
  const uint16_t* v;
  uint16_t* o;
  const uint16_t* key_bias;   // or null
  int32_t heads;
  int32_t queries;
  int32_t keys;
  int32_t bias_stride;        // elements from one sequence's bias to the next: keys, or 0
  int32_t left;               // open is 2^28: larger than any sequence, and sums with positions stay below 2^31
  int32_t right;
  float scale;                // times log2(e)
} forebay_own_args;
