// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

namespace warplens::io {

/// The right to have one picture's file and codec open. As many are given at once as the limit of open files
/// (ulimit -n) has room for, at least one; who comes later waits for one that is given back, so that a batch of many
/// pictures takes turns instead of failing. A thread must not ask for a second one.
class FileTurn {
public:
    /// Throws Error(cancelled) on a stop; `where` begins the message.
    FileTurn(const std::string& where, const std::stop_token& stop);
    ~FileTurn();
    FileTurn(const FileTurn&) = delete;
    FileTurn& operator=(const FileTurn&) = delete;
};

}  // namespace warplens::io
