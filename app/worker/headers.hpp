// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace warplens::worker {

/// A header that a kernel of the user's is compiled against, by its path below the root. The program carries their
/// texts, so that it needs no sources where it is installed.
struct Header {
    const char *path, *text;
};

std::span<const Header> headers();

}  // namespace warplens::worker
