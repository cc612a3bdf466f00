#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# no_untraced_kernel.sh PROGRAM: fails when the program holds a kernel of the plain SIMT build, or none of the trace.
set -euo pipefail
symbols=$(nm -C --defined-only "$1")
traced=$(grep -c 'trace_build::' <<<"$symbols" || true)
untraced=$(grep -c 'simt_build::' <<<"$symbols" || true)
echo "$traced symbols of traced kernels, $untraced of untraced ones"
[ "$traced" -gt 100 ] && [ "$untraced" -eq 0 ]
