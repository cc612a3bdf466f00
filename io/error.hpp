// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace warplens::io {

/// A picture could not be read or written. what() is one line: what happened, where, and what to do.
class Error : public std::runtime_error {
public:
    enum class Kind {
        unreadable,   ///< missing, truncated, corrupt or hostile
        unwritable,   ///< no permission, disk full, a type the format cannot hold
        unsupported,  ///< a format or a feature of one that Warplens does not handle
        limit,        ///< refused before allocation by the policy in limits.hpp
        argument,     ///< the input's description itself is malformed (gen:, --axes)
        cancelled     ///< the caller asked to stop
    };

    Error(Kind kind, const std::string& message) : std::runtime_error(message), m_kind(kind) {}
    Kind kind() const { return m_kind; }

private:
    Kind m_kind;
};

}  // namespace warplens::io
