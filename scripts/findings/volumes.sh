# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154
# Volumes: NRRD, NIfTI and MetaImage of $cases. Sourced by scripts/findings-check.

# holds NAME BYTES EXPECTED: the last copy went well, and its values are the last so many bytes of that file.
holds() {
  if [ "$status" = 0 ] && [ "$(tail -c "$2" x.npy | cksum)" = "$(tail -c "$2" "$3" | cksum)" ]; then
    ok "$1"
  else
    reproduces "$1" "$(seen)"
  fi
}
copy() { # FILE: its values into x.npy
  rm -f x.npy
  warplens run "$1" layout --task copy --device cpu -o x.npy
}
says() { # NAME TEXT: the last call printed it
  if [ "$status" = 0 ] && grep -qF -- "$2" out; then ok "$1"; else reproduces "$1" "$(seen), $(head -c 300 out | tr '\n' ' ')"; fi
}

volumes_by_their_units() {
  local file
  for file in b12-space-units-um b12-units-um; do
    copy "$cases/$file.nrrd"
    holds "B12 values of $file" 120 "$cases/b12-volume.expected.npy"
    warplens info "$cases/$file.nrrd"
    says "B12 spacing of $file" "0.5 x 0.7 x 2.5 mm"
  done
}

volumes_of_two_dimensions() {
  { printf 'NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 2\nspacings: 0.5 0.25\nencoding: raw\n\n'; printf abcd; } >flat.nrrd
  printf 'NDims = 2\nDimSize = 2 2\nElementSpacing = 0.5 0.25\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nabcd' >flat.mha
  for file in flat.nrrd flat.mha; do
    warplens info "$file"
    says "B18 spacing of $file" "0.5 x 0.25 mm"
  done
}

volumes_by_their_headers() {
  copy "$cases/b19-slope-nan.nii"
  holds "B19 slope of no number" 120 "$cases/b19-slope-nan.nii"
  copy "$cases/b19-offset-0.nii"
  holds "B19 vox_offset 0" 120 "$cases/b19-offset-0.nii"
  copy "$cases/b21-headersize-1.mha"
  holds "B21 values at the end" 120 "$cases/b21-headersize-1.mha"
  copy "$cases/nifti-2.nii"
  holds "NIfTI-2" 1200 "$cases/nifti-2.nii"
  copy "$cases/b25-no-endian.nrrd"
  if [ "$status" = 3 ] && grep -q 'lacks the field endian' err && ! grep -q damaged err; then
    ok "B25 endian is missing"
  else
    reproduces "B25 endian is missing" "$(seen)"
  fi
}

volumes_that_are_damaged() {
  local file
  for file in nrrd-gzip-one-bit-flipped.nrrd nifti-gz-one-bit-flipped.nii.gz; do
    copy "$cases/$file"
    want "D2 $file" 3
  done
}

volumes_by_their_units
volumes_of_two_dimensions
volumes_by_their_headers
volumes_that_are_damaged
