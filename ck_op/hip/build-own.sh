#!/bin/sh
# Compiles the hand-written kernels to the code object that is committed in ../cdna3/data, and disassembles it.
#
# usage: [FOREBAY_RUN="./in-sid.sh SID_FOLDER"] ./build-own.sh       needs hipcc and llvm-objdump, here or behind FOREBAY_RUN
set -eu
cd "$(dirname "$0")"
data=../cdna3/data
${FOREBAY_RUN:-} hipcc -O3 --offload-arch=gfx942 --cuda-device-only --no-gpu-bundle-output -Ikernels -c kernels/own.hip -o $data/own.co
${FOREBAY_RUN:-} llvm-objdump -d $data/own.co | sed 's#^.*/own.co:#own.co:#' | gzip -9 -n > $data/own.dis.gz
sha256sum kernels/own.hip kernels/own.h > $data/SOURCES
${FOREBAY_RUN:-} hipcc --version | sed -n 's/ (.*//; 1,2p' > $data/COMPILER
chmod 644 $data/own.co
(cd $data && sha256sum own.co own.dis.gz > SHA256SUMS)
