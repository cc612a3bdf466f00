// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace warplens::io {

/// A name or a text of a file's header as one line that may go to a terminal or into a document: what is no printable
/// UTF-8 (other bytes, control characters, changes of the direction of writing) becomes \xNN, byte by byte. No two
/// names become the same: where such an escape is made or stands in the name itself, a backslash is doubled.
std::string printable(std::string_view text);

/// The same for a text of several lines, whose line breaks stay and whose backslashes are its own.
std::string printableLines(std::string_view text);

bool isUtf8(std::string_view text);

}  // namespace warplens::io
