"""The HIP back end's host code, built by the system's C++ compiler around the committed code object.

    python3 -m cdna3.hostlib FOLDER       writes FOLDER/libforebay_ck_hip.so

It is the library that CMake builds without ck_tile, but for the compiler: the same launch.hip, the same kernels, registered
the same way. runtime.py's fake runtime has to be loaded before it.
"""
import shutil
import struct
import subprocess
import sys
from pathlib import Path

from . import own

HERE = Path(__file__).parent
HIP = HERE.parent / "hip"
TARGETS = ["host-x86_64-unknown-linux-gnu-", "hipv4-amdgcn-amd-amdhsa--gfx942"]
PAGE = 4096


def bundle(code):
    """An offload bundle, as clang writes it: nothing for the host, the code object for the device."""
    header = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(TARGETS))
    for target, size in zip(TARGETS, (0, len(code))):
        header += struct.pack("<QQQ", PAGE, size, len(target)) + target.encode()
    return header.ljust(PAGE, b"\0") + code


def build(folder):
    if shutil.which("c++") is None:
        raise SystemExit("there is no c++: install a C++ compiler (g++ of build-essential)")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    code_object, library = folder / "own.bundle", folder / "libforebay_ck_hip.so"
    code_object.write_bytes(bundle(own.committed()[0]))
    subprocess.run(["c++", "-std=c++20", "-O1", "-shared", "-fPIC", "-fvisibility=default", "-Wall", "-Werror",
                    f"-DCODE_OBJECT=\"{code_object}\"", f"-I{HERE / 'shim'}", f"-I{HIP / 'include'}", f"-I{HIP / 'kernels'}",
                    "-o", library, "-x", "c++", HIP / "src" / "launch.hip", HERE / "shim" / "register.cpp"], check=True)
    return library


if __name__ == "__main__":
    print(build(sys.argv[1]))
