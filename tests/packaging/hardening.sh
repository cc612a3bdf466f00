#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hardening.sh [--fixed PROGRAM] [--unoptimised] PROGRAM...: whether each program has what makes a bug in it harder to
# use: no fixed address (but for --fixed), tables of addresses that are read-only once it runs, a stack that is guarded
# and not executable, and checked calls of the C library (--unoptimised builds cannot have those).
set -u
fixed='' optimised=yes failures=0
while :; do
  case ${1-} in
    --fixed) fixed=$2 && shift 2 ;;
    --unoptimised) optimised='' && shift ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { echo "no program to look at" >&2; exit 2; }

lacks() {
  echo "$program: $1" >&2
  failures=$((failures + 1))
}
for program in "$@"; do
  header=$(LC_ALL=C readelf -Wh "$program") || { lacks "cannot be read"; continue; }
  segments=$(LC_ALL=C readelf -Wl "$program")
  dynamic=$(LC_ALL=C readelf -Wd "$program")
  symbols=$(LC_ALL=C readelf -W --dyn-syms "$program")
  if [ "$program" = "$fixed" ]; then
    grep -q 'Type: *EXEC' <<<"$header" || lacks "has no fixed address, which the trace goes by"
  else
    grep -q 'Type: *DYN' <<<"$header" || lacks "has a fixed address (-pie)"
  fi
  grep -q 'GNU_RELRO' <<<"$segments" || lacks "no read-only relocations (-z relro)"
  grep -Eq 'BIND_NOW|FLAGS.*NOW' <<<"$dynamic" || lacks "binds late (-z now)"
  grep -Eq 'GNU_STACK.* RW ' <<<"$segments" || lacks "its stack is executable (-z noexecstack)"
  grep -q '__stack_chk_fail' <<<"$symbols" || lacks "no guarded stack (-fstack-protector-strong)"
  if [ -n "$optimised" ]; then
    grep -v '__stack_chk' <<<"$symbols" | grep -Eq ' __[a-z_]+_chk(@|$)' || lacks "no checked calls (_FORTIFY_SOURCE)"
  fi
done
exit $((failures > 0))
