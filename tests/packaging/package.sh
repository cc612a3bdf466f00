#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# package.sh SOURCE CPACK_CONFIG CPACK: makes the Debian package of what is built, has lintian judge it, and runs its
# programs from where it was unpacked: they must find all they need without the source and build trees.
set -euo pipefail
source=$1 config=$2 cpack=$3
work=$(mktemp -d)
export XDG_DATA_HOME=$work/data
trap 'rm -rf "$work"' EXIT

fail() { printf 'package.sh: %s\n' "$*" >&2; exit 1; }

make_package() {
  # Its contents are what is judged: compressed in a second rather than in a minute.
  "$cpack" --config "$config" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$work/made" >"$work/cpack.log" 2>&1 || fail "$(cat "$work/cpack.log")"
  set -- "$work"/made/*.deb
  [ $# -eq 1 ] || fail "one package was expected, not: $*"
  deb=$1
  dpkg-deb -x "$deb" "$work/root"
  share=$work/root/usr/share
}

judge() {
  command -v lintian >/dev/null || fail "lintian is missing; scripts/test installs it"
  lintian --profile debian --fail-on error,warning "$deb"
  appstreamcli validate-tree --no-net "$work/root"
  local depends
  depends=$(dpkg-deb -f "$deb" Depends)
  for package in libqt6svg6 libqt6widgets6 libopencv-core libpng16 libwebpdemux2; do
    [[ $depends == *$package* ]] || fail "the package does not depend on $package: $depends"
  done
}

check_files() {
  local folder
  for folder in exercises samples schema; do
    diff -r "$source/resources/$folder" "$share/warplens/$folder" ||
      fail "share/warplens/$folder is not resources/$folder"
  done
  diff <(cd "$source/resources/recorded" && find . -name '*.json' -exec sha256sum {} + | sort) \
    <(cd "$share/warplens/recorded" && find . -type f -exec sha256sum {} + | sort) ||
    fail "share/warplens/recorded does not hold the recorded runs, and those alone"
  diff -r --exclude=README.md "$source/resources/listings" "$share/warplens/listings" ||
    fail "share/warplens/listings does not hold the listings, and those alone"
  local file found=0
  while read -r file; do
    cmp "$source/gpu/families/$file" "$share/warplens/families/$file" || fail "share/warplens/families/$file is missing"
    found=$((found + 1))
  done < <(cd "$source/gpu/families" && find . -name '*.json' -not -path '*/tests/*')
  [ "$found" -gt 3 ] && [ "$found" = "$(find "$share/warplens/families" -type f | wc -l)" ] ||
    fail "share/warplens/families holds other files than the families' presets, cases and lessons"
}

run_programs() {
  local bin=$work/root/usr/bin out
  unset WARPLENS_RESOURCES WARPLENS_CODEC WARPLENS_WORKER
  cd "$work"
  out=$("$bin/warplens-cli" info "$share/warplens/samples/galaxy-m51.png")
  [[ $out == *u16* && $out == *png* ]] || fail "info: $out"
  out=$("$bin/warplens-cli" compare "$share/warplens/samples/brick.png" convolution --device cpu \
    --filter gaussian --radius 2 --variants naive -o pictures)
  [[ $out == *verified* ]] || fail "compare: $out"
  [ -s pictures/brick-naive.png ] || fail "compare wrote no picture"
  printf '%s\n' '// A copy.' '__global__ void copy(const pixel_t* in, result_t* out, int width, int height) {' \
    '  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;' \
    '  if (x < width && y < height) out[y * width + x] = in[y * width + x]; }' >mine.cuh
  out=$(XDG_CACHE_HOME=$work/cache "$bin/warplens-cli" run gen:noise:64x64:f32 convolution --device cpu \
    --filter identity --kernel mine.cuh)
  [[ $out == *"mine on cpu"*verified* ]] || fail "run --kernel: $out"
  out=$(WARPLENS_CXX='' "$bin/warplens-cli" run gen:noise:64x64:f32 convolution --device cpu --kernel mine.cuh 2>&1) &&
    fail "run --kernel without a compiler: $out"
  [[ $out == *"install g++"* && $out != *$'\n'* ]] || fail "run --kernel without a compiler: $out"
  "$bin/warplens-cli" kernel convolution --from tiled_output >copy.cuh
  out=$(XDG_CACHE_HOME=$work/cache "$bin/warplens-cli" run gen:noise:64x64:f32 convolution --device cpu \
    --filter gaussian --kernel copy.cuh)
  [[ $out == *"copy on cpu"*verified* ]] || fail "run --kernel, a copy: $out"
  out=$(XDG_CACHE_HOME=$work/cache "$bin/warplens-cli" exercise check 080-seams \
    "$share/warplens/exercises/080-seams/solution.cuh")
  [[ $out == *"5 of 5 goals reached"* ]] || fail "exercise check: $out"
  out=$("$bin/warplens-cli" explain gen:noise:64x64:f32 convolution --device cpu --filter gaussian --radius 2 \
    --variants naive)
  [[ $out == *"recorded on NVIDIA"* ]] || fail "explain found no recorded launch: $out"
  QT_QPA_PLATFORM=offscreen "$bin/warplens" --device cpu --size 640x400 --screenshot window.png 2>window.log ||
    fail "warplens: $(cat window.log)"
  "$bin/warplens-cli" info window.png >/dev/null
}

make_package
judge
check_files
run_programs
