# shellcheck shell=bash disable=SC2154
# SPDX-License-Identifier: Apache-2.0
# The codec's process: limits of the user's own, and who is blamed for a crash. Sourced by scripts/findings-check.

jail_limits() {
  local before
  before=$(ulimit -S -f)
  ulimit -S -f 8
  warplens run gen:noise:256x256:u8 layout --task copy --device cpu -o large.npy
  ulimit -S -f "$before"
  want "a file over ulimit -f is an error with a sentence" 3

  mkdir -p many
  warplens run gen:noise:16x16:u8 layout --task copy --device cpu -o many/0.png
  for i in $(seq 1 23); do cp many/0.png "many/$i.png"; done
  before=$(ulimit -S -n)
  ulimit -S -n 56
  warplens run many layout --task copy --device cpu --codecs 24 -o many-out
  ulimit -S -n "$before"
  want "a batch waits where few files may be open" 0
}

jail_blame() {
  local signal
  printf '#!/bin/sh\nkill -$WARPLENS_TEST_SIGNAL $$\n' >crashing-codec
  chmod +x crashing-codec
  printf '\211PNG\r\n\032\n sound, for all that is known' >sound.png
  for signal in 6 11 31; do
    WARPLENS_TEST_SIGNAL=$signal WARPLENS_CODEC=$PWD/crashing-codec warplens info sound.png
    if [ "$status" = 3 ] && grep -q 'please report it' err && ! grep -Eqi 'damaged|hostile|another copy' err; then
      ok "a crash by signal $signal is told as ours"
    else
      reproduces "a crash by signal $signal is told as ours" "$(seen)"
    fi
  done
}

jail_limits
jail_blame
