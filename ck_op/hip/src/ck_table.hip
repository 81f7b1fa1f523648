// Which ck_tile instance serves a call. CMake writes ck_rows.inc: FOREBAY_ROW(element, head_dim, biased, name) per instance.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "instances.h"

#define FOREBAY_ROW(element, dim, biased, name) const char* forebay_ck_##name(const forebay_attention*, hipStream_t);
#include "ck_rows.inc"
#undef FOREBAY_ROW

forebay_ck_launch forebay_ck_instance(const forebay_attention* c) {
  // FOREBAY_CK_KERNEL=own leaves ck_tile out, to compare the two.
  static const char* const wanted = getenv("FOREBAY_CK_KERNEL");
  if (wanted && strcmp(wanted, "own") == 0) return nullptr;
  // ck_tile counts strides in 32 bits, and needs a key to start from.
  const int64_t longest = c->queries > c->keys ? c->queries : c->keys;
  if (c->keys == 0 || c->heads * longest * c->head_dim > INT32_MAX) return nullptr;
  static const struct {
    int element, head_dim;
    bool biased;
    forebay_ck_launch launch;
  } rows[] = {
#define FOREBAY_ROW(element, dim, biased, name) {element, dim, biased, forebay_ck_##name},
#include "ck_rows.inc"
#undef FOREBAY_ROW
  };
  for (const auto& row : rows)
    if (row.element == c->element && row.head_dim == c->head_dim && row.biased == (c->key_bias != nullptr)) return row.launch;
  return nullptr;
}
