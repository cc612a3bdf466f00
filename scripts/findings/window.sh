# SPDX-License-Identifier: Apache-2.0
# Checks of the window's program, for scripts/findings-check; only where it was built.

window_says() { # name, statuses with commas, display or none, arguments
  local name=$1 allowed=,$2, platform=offscreen
  [ "$3" = display ] || platform=xcb
  shift 3
  mkdir -p -m 700 "$work/run"
  env -u DISPLAY -u WAYLAND_DISPLAY QT_QPA_PLATFORM="$platform" XDG_CONFIG_HOME="$work/config" \
    XDG_RUNTIME_DIR="$work/run" \
    timeout -k 5 60 "$bin/warplens" "$@" >out 2>err </dev/null
  status=$?
  case $allowed in *,$status,*) ;; *) reproduces "$name" "$(seen)" && return ;; esac
  if [ "$status" = 0 ] || { [ "$(wc -l <err)" = 1 ] && grep -q '^warplens: .' err; }; then
    ok "$name"
  else
    reproduces "$name" "$(seen)"
  fi
}

if [ -x "$bin/warplens" ]; then
  printf 'these are notes' >notes.png
  printf '{"schema": 1, ' >bad.warplens
  printf '[{]' >bad.json
  head -c 64 /dev/zero >scan_8x8.raw
  for how in "--screenshot a.png" --bench-interactive; do
    for input in notes.png bad.warplens nowhere.png; do
      # shellcheck disable=SC2086
      window_says "D5 $how $input" 3 display --device cpu $how $input
    done
    # shellcheck disable=SC2086
    window_says "D5 $how scan_8x8.raw" 2 display --device cpu $how scan_8x8.raw
  done
  window_says "D5 --screenshot a.png bad.json" 3 display --screenshot a.png bad.json
  for option in --help -h --version -v; do window_says "F10 $option" 0 none "$option"; done
  window_says "F10 a start without a display" 4 none gen:noise:16x16:u8
fi
