// Registers the kernels of the committed code object, as the code that hipcc adds to a program does. CODE_OBJECT names an
// offload bundle that holds it. The functions here are the handles that the host knows the kernels by; they never run.
#include <stdlib.h>

#include "own.h"

extern "C" {
struct fat_binary { uint32_t magic, version; const void* binary; void* unused; };
void** __hipRegisterFatBinary(const fat_binary*);
void __hipUnregisterFatBinary(void**);
void __hipRegisterFunction(void**, const void* host, char* device_name, const char* name, unsigned limit, void*, void*, void*,
                           void*, int*);
extern const char forebay_bundle[];
}
asm(".section .rodata\n.balign 4096\nforebay_bundle: .incbin \"" CODE_OBJECT "\"\n.text\n");

#define KERNELS(one) one(f16_d32) one(f16_d64) one(f16_d128) one(bf16_d32) one(bf16_d64) one(bf16_d128)
// A number of their own keeps the bodies apart: equal functions may become one.
#define HANDLE(name) extern "C" void forebay_fmha_##name(forebay_own_args) { exit(100 + __COUNTER__); }
KERNELS(HANDLE)

namespace {
struct Registration {
  void** module;
  Registration() {
    static const fat_binary fat = {0x48495046, 1, forebay_bundle, nullptr};
    module = __hipRegisterFatBinary(&fat);
#define REGISTER(name) \
    __hipRegisterFunction(module, (const void*)forebay_fmha_##name, nullptr, "forebay_fmha_" #name, 0, nullptr, nullptr, \
                          nullptr, nullptr, nullptr);
    KERNELS(REGISTER)
  }
  ~Registration() { __hipUnregisterFatBinary(module); }
} registration;
}  // namespace
