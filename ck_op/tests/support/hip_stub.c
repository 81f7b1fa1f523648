/* A HIP back end that does nothing but say what it was asked, as its error: the test of the Rust side of the interface. */
#include <stdio.h>

#include "../../hip/include/forebay_hip.h"

#ifndef STUB_ABI
#define STUB_ABI FOREBAY_HIP_ABI
#endif

int forebay_hip_abi(void) { return STUB_ABI; }
const char* forebay_hip_kernels(void) { return "none"; }

const char* forebay_hip_attention(const forebay_attention* c, void* stream) {
  static char message[512];
  (void)stream;
  snprintf(message, sizeof message,
           "no kernel for this GPU: batch %lld heads %lld queries %lld keys %lld head_dim %lld bias_rows %lld window %lld %lld "
           "scale %g element %d first %04x %04x %04x bias %04x",
           (long long)c->batch, (long long)c->heads, (long long)c->queries, (long long)c->keys, (long long)c->head_dim,
           (long long)c->bias_rows, (long long)c->window_left, (long long)c->window_right, c->scale, c->element,
           *(const uint16_t*)c->q, *(const uint16_t*)c->k, *(const uint16_t*)c->v,
           c->key_bias ? *(const uint16_t*)c->key_bias : 0);
  return message;
}
