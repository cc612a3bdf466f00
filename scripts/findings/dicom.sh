# shellcheck shell=bash
# Checks of DICOM files; sourced by scripts/findings-check, which sets "$cases" and has the functions.

check_dicom() {
  local name
  [ -x "$bin/warplens-codec" ] || return
  for name in rtdose-one-frame jpeg-lossless-fewer-bits; do
    warplens info "$cases/$name.dcm"
    want "D3 $name is read" 0
  done
}
check_dicom
