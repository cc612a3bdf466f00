// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/report.hpp"

#include <CLI/CLI.hpp>
#include <string>

namespace warplens::cli {

/// Keeps what `compare` finished in the user's history.
class HistoryKeeper {
public:
    /// Adds --no-history.
    explicit HistoryKeeper(CLI::App& command);
    /// Keeps the comparison, unless it was interrupted or the history is switched off, and returns the sentence on what
    /// took less time before, if anything did. Never throws: what goes wrong with the history is one line on stderr and
    /// costs the comparison nothing.
    std::string keep(const gpu::Report& report) const;

private:
    bool m_off = false;
};

}  // namespace warplens::cli
