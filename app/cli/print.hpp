// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace warplens::cli {

/// Text for people on standard output, flushed: what the name or header of a file smuggles in is escaped, so that no
/// terminal obeys it.
void printText(const std::string& text);

/// A JSON document on standard output, flushed: its strings may hold DEL and C1 controls, which become \uNNNN.
void printJson(const std::string& json);

/// Columns of the terminal that standard output is, at least 60; 120 where it is none.
std::size_t terminalWidth();

}  // namespace warplens::cli
