# shellcheck shell=bash disable=SC2154  # $cases, $status and the helpers are those of findings-check
# Sums: a result is made of what its window holds (B06), equal values are not above their mean (B14), a picture of one
# value has one rule, and the text says the level (B27).

# numbers FILE: the floats of a little-endian NPY of version 1.
numbers() { od -An -v -t f4 -w4 -j $((10 + $(od -An -t u2 -j 8 -N 2 "$1"))) "$1" | tr -d ' '; }
bytes() { od -An -v -t u1 -w1 -j $((10 + $(od -An -t u2 -j 8 -N 2 "$1"))) "$1" | tr -d ' '; }

sums() {
  local variant radius file
  for variant in auto direct one_pass; do
    warplens run "$cases/b06-nodata-row.npy" scan --task box --radius 1 --variant $variant -o row.npy
    if [ "$status" = 0 ] && [ "$(numbers row.npy | tail -n +3 | sort -u)" = 1 ]; then
      ok "B06 row, $variant"
    else
      reproduces "B06 row, $variant" "$(numbers row.npy | tr '\n' ' ')"
    fi
    warplens run "$cases/b06-nodata.npy" scan --task box --radius 2 --variant $variant -o box.npy
    # Means of values from 0 to 1 are among them: 25 windows of 2,000 at most hold the value that is none.
    if [ "$status" = 0 ] && [ "$(numbers box.npy | awk '$1 < 0 || $1 > 1' | wc -l)" -le 25 ]; then
      ok "B06, $variant"
    else
      reproduces "B06, $variant" "$(numbers box.npy | awk '$1 < 0 || $1 > 1' | wc -l) values"
    fi
  done
  for variant in auto direct one_pass naive; do
    for radius in 2 3 15; do
      warplens run "$cases/b14-constant-0.1.npy" scan --task threshold --radius $radius --variant $variant -o mask.npy
      if [ "$status" = 0 ] && [ "$(bytes mask.npy | sort -u)" = 0 ]; then
        ok "B14 radius $radius, $variant"
      else
        reproduces "B14 radius $radius, $variant" "$(bytes mask.npy | tr '\n' ' ')"
      fi
    done
  done
  warplens run "$cases/b06-nodata.npy" scan --task box --variant naive
  want "B06: a row that takes sums from one another says that it cannot" 2
  for file in b27-constant-0.25 b27-constant-5.0; do
    warplens run "$cases/$file.npy" components
    if [ "$status" = 0 ] && grep -q 'level 0, as all pixels are' out && grep -Eq '(^|[^0-9])42([^0-9]|$)' out; then
      ok "B27 $file"
    else
      reproduces "B27 $file" "$(head -c 160 out)"
    fi
  done
}
sums
