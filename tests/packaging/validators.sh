#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# validators.sh CHECK SOURCE BUILD: what the desktop will read, before the desktop's own validators.
set -euo pipefail
source=$2
made=$3/desktop
entry=$made/org.warplens.warplens.desktop

fail() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# Warnings and hints leave its exit status alone, so that silence is what counts.
desktop_entry() {
  local said type known
  said=$(desktop-file-validate "$entry" 2>&1) || true
  [ -z "$said" ] || fail "$said"
  known=$(sed -n 's/^MimeType=//p' "$entry")
  grep -q '^application/x-warplens-session;' <<<"$known" || fail "$entry: session files are not opened"
  while read -r type; do
    grep -q "type=\"$type\"" /usr/share/mime/packages/freedesktop.org.xml "$made/warplens.xml" ||
      fail "$entry: nothing defines the type $type"
  done < <(tr ';' '\n' <<<"${known%;}")
}

metainfo() {
  local file=$source/resources/desktop/org.warplens.warplens.metainfo.xml version
  appstreamcli validate --no-net "$file"
  version=$(sed -n 's/^project(warplens VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
  grep -q "<launchable type=\"desktop-id\">$(basename "$entry")</launchable>" "$file" ||
    fail "$file: launches nothing of ours"
  [ -n "$version" ] || fail "CMakeLists.txt: no version found"
  grep -q "<release version=\"$version\"" "$file" || fail "$file: no release $version, which CMakeLists.txt names"
}

mime_type() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  mkdir -p "$folder/mime/packages"
  cp "$made/warplens.xml" "$folder/mime/packages/"
  XDG_DATA_DIRS=$folder update-mime-database "$folder/mime"
  grep -qx '50:application/x-warplens-session:\*\.warplens' "$folder/mime/globs2" || fail "*.warplens has not its type"
  grep -qx 'application/x-warplens-session application/json' "$folder/mime/subclasses" || fail "a session is no JSON"
  grep -q ':application-x-warplens-session$' "$folder/mime/icons" || fail "a session has no icon"
  grep -qx '50:image/vnd.radiance:\*\.hdr' "$folder/mime/globs2" || fail "*.hdr has not its type"
}

for tool in desktop-file-validate appstreamcli update-mime-database; do
  command -v "$tool" >/dev/null || fail "$tool is missing; scripts/test installs it"
done
case $1 in
  desktop_entry | metainfo | mime_type) "$1" ;;
  *) fail "no check '$1'" ;;
esac
