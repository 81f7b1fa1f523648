#!/bin/sh
# Runs a command inside an unpacked Debian sid with hipcc, this folder's parent as /w. No GPU, no root file system touched.
#
# usage: in-sid.sh SID_FOLDER COMMAND...       (needs root for chroot; fetch-sid.sh makes the folder)
set -eu
sid=$1
shift
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$sid/w" "$sid/out" "${FOREBAY_OUT:=$sid/out.host}"
exec unshare -m --propagation private sh -c '
  mount --bind /proc "$0/proc" && mount --bind /dev "$0/dev" && mount --bind "$1" "$0/w" && mount --bind "$2" "$0/out"
  sid=$0; shift 2
  exec chroot "$sid" /usr/bin/env -C /w/hip PATH=/usr/lib/llvm-21/bin:/usr/bin:/bin HOME=/tmp "$@"
' "$sid" "$here" "$FOREBAY_OUT" "$@"
