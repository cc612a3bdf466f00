#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# count_instances.sh LIBRARY: counts the kernel instances of the SIMT build and fails over the budget, since every one
# is compiled again for CUDA. Kernels are the templates with lower-case names; launch, dispatch and the ray's march are none.
set -euo pipefail
# 100 a family, and 20 that show pictures of every type.
budget=$((20 + 100 * $(grep -c '^WARPLENS_FAMILY(' "$(dirname "$0")/../../gpu/families/families.inc")))
count=$(nm -C --defined-only "$1" | grep -oE 'simt_build::[a-z_]+<[^(]*\(' | grep -vE '::(launch|dispatch|march)<' | sort -u | wc -l)
echo "$count kernel instances, $budget allowed"
[ "$count" -gt 50 ] && [ "$count" -le "$budget" ]
