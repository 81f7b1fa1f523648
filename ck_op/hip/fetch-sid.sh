#!/bin/sh
# Unpacks Debian sid's hipcc and what it needs (about 200 MB to fetch, 900 MB unpacked) into a folder; nothing is installed.
#
# usage: hip/fetch-sid.sh FOLDER      needs apt, dpkg-deb, root (for ldconfig in the folder); uses this machine's Debian mirror
set -eu
folder=$1
mirror=$(grep -rhoE 'https?://[^ ]+/debian$' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1)
[ -n "$mirror" ] || { echo "no Debian mirror in /etc/apt" >&2; exit 1; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
apt=$folder.apt
mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
: > "$apt/state/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" > "$apt/sources.list"
cat > "$apt/apt.conf" <<C
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$apt/state";
Dir::State::status "$apt/state/status";
Dir::Cache "$apt/cache";
C
export APT_CONFIG="$apt/apt.conf"
apt-get update
apt-get install --yes --download-only --no-install-recommends hipcc libamdhip64-dev rocm-device-libs-21 clang-21 lld-21 \
  llvm-21 bash coreutils libc-bin cmake ninja-build make python3
for package in "$apt"/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder" --keep-directory-symlink
done
ln -sf bash "$folder/usr/bin/sh"
chroot "$folder" ldconfig
