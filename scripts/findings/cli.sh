# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts/findings-check: what was found of commands, their options and their results' files.

# says NAME FILE TEXT: the last call ended well and TEXT stands in FILE.
says() { if [ "$status" = 0 ] && grep -q -- "$3" "$2"; then ok "$1"; else reproduces "$1" "$(seen)"; fi; }

check_commands() {
  printf '5,1\n3,2\n4,9\n' >list.csv
  warplens run list.csv merge --task sort -o sorted.csv
  [ "$(tr '\n' ' ' <sorted.csv)" = "1,2 3,4 5,9 " ] && says "F8 merge writes its list as CSV" sorted.csv '^1,2$' ||
    reproduces "F8 merge writes its list as CSV" "$(seen), $(tr '\n' ' ' <sorted.csv)"
  warplens run list.csv merge --task sort --table quantiles -o quantiles.csv
  says "F8 --table still writes the quantiles" quantiles.csv 'percent'
  warplens run list.csv scan -o sums.csv
  says "F8 scan writes CSV" sums.csv '^5,6$'
  warplens run list.csv convolution --filter identity --output-type f32 -o same.csv
  says "F8 any picture is written as CSV" same.csv '^4,9$'
  warplens run gen:noise:4x4x3:u8 convolution -o volume.csv
  want "F8 a volume has no CSV" 3
  warplens run "$picture" histogram --variant racing
  if [ "$status" = 1 ]; then ok "F9 a failed verification is status 1"; else reproduces "F9 a failed verification is status 1" "$(seen)"; fi
  warplens compare "$picture" convolution --variants naive --report two.json --report two.csv
  [ -s two.json ] && says "F11 compare takes several --report" two.csv naive || reproduces "F11 compare takes several --report" "$(seen)"
  warplens list parameters rank
  says "F13 list parameters FAMILY" out '--radius'
  if [ "$(awk '{ if (length($0) > most) most = length($0) } END { print most }' out)" -le 130 ]; then
    ok "F13 lines fit a terminal"
  else
    reproduces "F13 lines fit a terminal" "$(awk '{ print length($0) }' out | sort -n | tail -1) columns"
  fi
  if grep -q 'nearest rank' <(tr '\n' ' ' <out | tr -s ' '); then ok "B28 the percentile's rule is told"; else reproduces "B28 the percentile's rule is told" "$(seen)"; fi
  warplens list parameters convolution
  if grep -q correlation out; then ok "B29 convolution tells that it is a correlation"; else reproduces "B29 correlation" "$(seen)"; fi
  warplens sweep convolution --over radius=1,2 --sizes 64 --variants naive --device cpu --budget 0.01
  says "N sweep on the CPU device shows its times" out 'naive'
  warplens run gen:noise:9x7:u16 scan --task clahe --tiles 64
  want "D8 tables that dwarf the picture" 2
  mkdir -p pngs
  if warplens run "$picture" convolution --filter identity -o pngs/a.png && [ "$status" = 0 ]; then
    warplens run pngs convolution --filter unsharp -o sharp
    says "N a batch tells that results are in another format" out 'PNG does not hold f32'
  fi
}

# same NAME INPUT EXPECTED: the input's values are those of the NPY file EXPECTED.
same() {
  warplens run "$2" reduction --measure comparison --with "$3" --as f32 --device cpu -o compared.csv
  if [ "$status" = 0 ] && [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "max_abs") c = i }
      NR > 1 && $c + 0 > m { m = $c + 0 } END { print c ? m + 0 : "none" }' compared.csv)" = 0 ]; then
    ok "$1"
  else
    reproduces "$1" "$(seen), $(tr '\n' ' ' <compared.csv)"
  fi
}

# Every input that has its right values beside it.
check_values() {
  [ -x "$bin/warplens-codec" ] || return
  local expected input stem
  for expected in "$cases"/*.expected.npy; do
    stem=${expected%.expected.npy}
    for input in "$stem" "$stem".*; do
      case $input in *.expected.npy) continue ;; esac
      [ -e "$input" ] && same "values of $(basename "$input")" "$input" "$expected"
    done
  done
}

check_commands
check_values
