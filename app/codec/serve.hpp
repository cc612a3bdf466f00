// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplens::codec {

/// Reads one request from standard input, enters the sandbox that it asks for, and answers on standard output, as
/// io/codec_protocol.hpp says. Returns the exit status.
int serve();

}  // namespace warplens::codec
