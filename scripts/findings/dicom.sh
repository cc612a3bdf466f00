# shellcheck shell=bash
# Checks of DICOM files; sourced by scripts/findings-check, which sets "$cases" and has the functions.

# equals NAME FILE EXPECTED: the values that the program reads are those of a .npy, as the nearest 32-bit floats.
dicom_equals() {
  warplens run "$2" layout --task copy --device cpu -o dicom.npy
  if [ "$status" != 0 ]; then
    reproduces "$1" "$(seen)"
  elif python3 - dicom.npy "$3" <<'PYTHON'
import ast, struct, sys
def load(path):
    data = open(path, "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    kind = ast.literal_eval(data[10:10 + size].decode())["descr"]
    code = {"|u1": "B", "<u2": "H", "<f4": "f", "<f8": "d", "<u4": "I", "<i4": "i"}[kind]
    body = data[10 + size:]
    return [struct.unpack("<f", struct.pack("<f", v))[0] for v in
            struct.unpack("<%d%s" % (len(body) // struct.calcsize(code), code), body)]
sys.exit(load(sys.argv[1]) != load(sys.argv[2]))
PYTHON
  then
    ok "$1"
  else
    reproduces "$1" "other values than expected"
  fi
}

check_dicom() {
  local name
  [ -x "$bin/warplens-codec" ] || return
  for name in b01-mono1-ct b01-mono1 b02-mono1-u32 b03-enhanced-per-frame b04-rt-dose b09-palette-16 b10-mono1-s12 \
    b10-mono1-u24 b10-palette-first-10; do
    dicom_equals "$name" "$cases/$name.dcm" "$cases/$name.expected.npy"
  done
  dicom_equals "b24-mixed-slopes" "$cases/b24-mixed-slopes" "$cases/b24-mixed-slopes.expected.npy"
  for name in rtdose-one-frame jpeg-lossless-fewer-bits; do
    warplens info "$cases/$name.dcm"
    want "D3 $name is read" 0
  done
}
check_dicom
