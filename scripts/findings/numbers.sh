# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Numbers that belong to the run beside them. Sourced by scripts/findings-check.

# lacks NAME PATTERN, has NAME PATTERN: what the last call printed, which has to have succeeded.
lacks() {
  if [ "$status" = 0 ] && ! grep -qE "$2" out; then ok "$1"; else reproduces "$1" "$(grep -E "$2" out | head -1; seen)"; fi
}
has() {
  if [ "$status" = 0 ] && grep -qE "$2" out; then ok "$1"; else reproduces "$1" "no $2; $(seen)"; fi
}

check_numbers() {
  local small=gen:noise:64x48
  warplens compare $small:f32 convolution --set block_width=8 --set block_height=8 --variants constant,tiled_output
  lacks "F1: no recorded time of another block" H200
  warplens compare $small:f32 convolution --variants constant
  lacks "F1: no recorded time of another size" H200
  warplens explain $small:f32 convolution --variants tiled_input --set block_width=16 --set block_height=16
  lacks "F2: no occupancy of another block" 'occupancy \(m\)'
  warplens explain $small:f32 convolution --variants tiled_input
  has "F2: the occupancy of this block, and of which picture it was recorded" 'launches recorded on NVIDIA .* f32'
  warplens explain $small:u16:c=3 convolution --variants tiled_input
  lacks "F2: no occupancy of another type" 'occupancy \(m\)'
  warplens explain $small:f32 convolution --variants constant,texture
  has "F6: fetches through a texture are counted apart" '^ *texture requests'
  lacks "F6: counts change where loads become fetches" 'no count changed'
  warplens explain $small:f32 sparse --task product --variants coo
  has "F7: additions by atomics are operations" '^ *of them by atomics'
  warplens compare $small:f32 convolution --variants constant --json
  has "F12: an error against the reference is measured" '"errors": *"measured"'
}
check_numbers
