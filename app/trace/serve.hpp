// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::trace_program {

/// Reads one request from standard input, traces its variants and answers on standard output, as app/trace/protocol.hpp
/// says. Returns the exit status.
int serve();

}  // namespace warplens::trace_program
