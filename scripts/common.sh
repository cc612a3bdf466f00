# SPDX-License-Identifier: Apache-2.0
# What scripts/run, scripts/test and .ci/run share. Sourced, from the repository root.

# The one list of packages: Debian 12 and Ubuntu 24.04 alike.
build_packages=(
  build-essential cmake ninja-build pkg-config ccache
  qt6-base-dev qt6-svg-dev fontconfig fonts-dejavu-core
  libopencv-core-dev libopencv-imgproc-dev libopencv-photo-dev
  zlib1g-dev libbz2-dev libpng-dev libjpeg-dev libwebp-dev libtiff-dev libopenexr-dev libstb-dev libgdcm-dev
  libcapstone-dev
  opencl-c-headers
  libcli11-dev nlohmann-json3-dev libsqlite3-dev libfmt-dev libtbb-dev libboost-context-dev
)
test_packages=(libgtest-dev libgmock-dev pocl-opencl-icd ocl-icd-libopencl1 desktop-file-utils appstream shared-mime-info lintian)
fuzz_packages=(clang libclang-rt-dev)
style_packages=(clang-format-14)

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# ensure_packages PACKAGE...: installs what is missing, says what; silent when nothing is.
ensure_packages() {
  local states package missing=() as_root=()
  if ! command -v dpkg-query >/dev/null; then
    say "this is neither Debian nor Ubuntu; please install the counterparts of: $*"
    return 0
  fi
  states=$(dpkg-query -W -f '${Package}=${db:Status-Status}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    case $'\n'$states$'\n' in
      *$'\n'"$package=installed"$'\n'*) ;;
      *) missing+=("$package") ;;
    esac
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "missing packages, and no sudo; as root, please: apt-get install ${missing[*]}"
      return 1
    fi
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
}

# have_nvcc: on PATH, in CUDACXX, or where NVIDIA's own packages put it.
have_nvcc() {
  [ -n "${CUDACXX:-}" ] || command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]
}

# The preset to build: cuda with nvcc, else dev. A driver without nvcc is told what is missing.
choose_preset() {
  if have_nvcc; then
    preset=cuda
    return
  fi
  preset=dev
  if [ -e /proc/driver/nvidia/version ] || command -v nvidia-smi >/dev/null; then
    say "there is an NVIDIA driver but no nvcc, so the GPU is left out; install the package cuda-toolkit from NVIDIA's" \
      "repository, or nvidia-cuda-toolkit where it is version 12 or newer (Ubuntu 24.04), and run this again"
  fi
}

# configure PRESET [cmake option...]: only when the folder is new or the options are others than last time.
configure() {
  local name=$1 stamp="build/$1/.configured"
  shift
  if [ ! -f "build/$name/build.ninja" ] || [ "$(cat "$stamp" 2>/dev/null)" != "$*" ]; then
    rm -f "$stamp"
    cmake --preset "$name" "$@" >&2
    printf '%s\n' "$*" > "$stamp"
  fi
}

# build PRESET [cmake --build option...]: its progress goes to stderr, so that stdout belongs to what runs afterwards.
# One at a time, since scripts/run may leave one in the background.
build() {
  local name=$1 lock="build/$1/.building"
  shift
  flock -n "$lock" true || say "waiting for the build that is under way in build/$name"
  flock "$lock" cmake --build --preset "$name" "$@" >&2
}
