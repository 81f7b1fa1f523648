// A libamdhip64 for a machine without a GPU: enough of the runtime for host code with embedded kernels to register and
// launch them. Launches go to a callback (runtime.py gives the interpreter); memory calls are not there on purpose, as the
// back end must not make any.
//
//   cc -shared -fPIC -Wl,--version-script=fakehip.map -Wl,-soname,libamdhip64.so.6 -o libamdhip64.so.6 fakehip.c
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint32_t x, y, z; } dim3;
typedef struct { uint32_t magic, version; const void* binary; void* unused; } fat_binary;
typedef int (*launch_function)(const char* kernel, const void* binary, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t bx,
                               uint32_t by, uint32_t bz, size_t lds, void** arguments, void* stream);

enum { SUCCESS = 0, INVALID_DEVICE_FUNCTION = 98, NO_DEVICE = 100, MOST_KERNELS = 1024 };

static struct { const void* host; const char* name; const void* binary; } kernels[MOST_KERNELS];
static int count;
static struct { dim3 grid, block; size_t lds; void* stream; } pushed;
static launch_function launch;
static int last_error;

void fakehip_set_launch(launch_function function) { launch = function; }

void** __hipRegisterFatBinary(const fat_binary* fat) {
  const void** module = malloc(sizeof *module);
  *module = fat->binary;
  return (void**)module;
}
void __hipUnregisterFatBinary(void** module) { free(module); }

void __hipRegisterFunction(void** module, const void* host, char* device_name, const char* name, unsigned limit, void* a,
                           void* b, void* c, void* d, int* e) {
  (void)device_name, (void)limit, (void)a, (void)b, (void)c, (void)d, (void)e;
  if (count == MOST_KERNELS) {
    fputs("fakehip: too many kernels\n", stderr);
    abort();
  }
  kernels[count].host = host;
  kernels[count].name = strdup(name);
  kernels[count++].binary = *module;
}
void __hipRegisterVar(void) {}
void __hipRegisterManagedVar(void) {}

int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t lds, void* stream) {
  pushed.grid = grid, pushed.block = block, pushed.lds = lds, pushed.stream = stream;
  return SUCCESS;
}
int __hipPopCallConfiguration(dim3* grid, dim3* block, size_t* lds, void** stream) {
  *grid = pushed.grid, *block = pushed.block, *lds = pushed.lds, *stream = pushed.stream;
  return SUCCESS;
}

int hipLaunchKernel(const void* host, dim3 grid, dim3 block, void** arguments, size_t lds, void* stream) {
  last_error = launch ? INVALID_DEVICE_FUNCTION : NO_DEVICE;
  for (int i = 0; launch && i < count; i++)
    if (kernels[i].host == host)
      last_error = launch(kernels[i].name, kernels[i].binary, grid.x, grid.y, grid.z, block.x, block.y, block.z, lds,
                          arguments, stream);
  return last_error;
}

int hipGetLastError(void) {
  const int error = last_error;
  last_error = SUCCESS;
  return error;
}
int hipPeekAtLastError(void) { return last_error; }
const char* hipGetErrorString(int error) { return error == NO_DEVICE ? "no device" : "launch refused by the fake runtime"; }
int hipGetDevice(int* device) { return *device = 0, SUCCESS; }
int hipGetDevicePropertiesR0600(void* properties, int device) {
  (void)device;
  memset(properties, 0, 1472);
  return SUCCESS;
}
