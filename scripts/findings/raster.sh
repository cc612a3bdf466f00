# SPDX-License-Identifier: Apache-2.0
# Pictures: PNG, TIFF, JPEG, BMP and NPY. Sourced by scripts/findings-check.

# tells NAME FILE TEXT...: info names each of these.
tells() {
  local name=$1 text
  warplens info "$2"
  shift 2
  for text in "$@"; do
    [ "$status" = 0 ] && grep -qF -- "$text" out && continue
    reproduces "$name" "no '$text' in $(tr -s '\n ' ' ' <out | head -c 300)"
    return
  done
  ok "$name"
}

check_rasters() {
  tells 'B07 its spacing' "$cases/b07-imagej-one-directory.tif" '0.001 x 0.001 x 0.0015 mm'
  tells 'B13 channels of ImageJ' "$cases/b13-imagej-2-channels.tif" '7 × 6 × 3' 'channel 1 of 2' \
    '0.0002 x 0.0004 x 0.0015 mm'
  tells 'B13 channels and times of OME' "$cases/ome-tczyx.ome.tif" '16 × 12 × 4, 3 channels' 'time 1 of 2' \
    '0.0005 x 0.0005 x 0.002 mm'
  tells "Walk 5 calibration of Fiji" "$cases/imagej-zyx.tif" '0.00025 x 0.00025 x 0.0025 mm'
  tells 'B16 and a note says so' "$cases/exif-turned.png" 'turned upright'
  tells 'B18 spacing of a picture with a resolution' "$cases/b18-300x100-dpi.png" '0.0846' '0.2540' ' mm'
  tells 'F5 float64' "$cases/numpy-default-float64.npy" 'f32 (in the file: f64)' 'were rounded to f32'
  warplens run "$cases/numpy-default-float64.npy" layout --task copy --as f32 -o copy.npy
  want 'F5 float64 with --as f32' 0
  warplens run "$cases/numpy-default-float64.npy" layout --task copy --report read.json
  if grep -q "were rounded to f32" read.json; then ok "F5 the report says so"; else reproduces "F5 report" "$(seen)"; fi
  tells 'F5 int8' "$cases/int8.npy" 'f32 (in the file: i8)'
  tells 'F5 bool' "$cases/mask-bool.npy" 'u8 (in the file: bool)' 'true was read as 1'
  tells 'F5 float16 in TIFF' "$cases/float16.tif" 'f32 (in the file: f16)'
  tells 'F5 float64 in TIFF' "$cases/float64.tif" 'f32 (in the file: f64)'
  tells 'Five samples per pixel' "$cases/five-channels.tif" 'sample 1 of 5'
  tells 'TIFF with WebP' "$cases/webp.tif" '24 × 20, 3 channels'
  tells 'WebP' "$cases/lossless.webp" '20 × 12, 3 channels'
  tells 'RLE in BMP' "$cases/rle8.bmp" '93 × 75'
  tells 'CMYK in JPEG' "$cases/cmyk.jpg" 'CMYK was converted to RGB'
}

check_rasters
