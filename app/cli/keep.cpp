// SPDX-License-Identifier: Apache-2.0
#include "app/cli/keep.hpp"

#include "app/cli/exit_status.hpp"
#include "gpu/history/earlier.hpp"
#include "gpu/history/store.hpp"

namespace warplens::cli {

HistoryKeeper::HistoryKeeper(CLI::App& command) {
    command.add_flag("--no-history", m_off,
                     "Keep nothing of this in the history (see history --help); WARPLENS_HISTORY=off for all calls");
}

std::string HistoryKeeper::keep(const gpu::Report& report) const {
    if (m_off || report.interrupted || !gpu::history::enabled()) return "";
    try {
        const auto file = gpu::history::defaultFile();
        if (file.empty())
            throw ArgumentError("neither XDG_DATA_HOME nor HOME names a folder; set one, or WARPLENS_HISTORY=off");
        gpu::history::Store store(file);
        const auto slower = gpu::history::slowerThanBefore(report, store.alike(report));
        store.add(report);
        for (const std::string& notice : store.notices()) printError("warning: " + notice);
        return gpu::history::sentenceOf(slower);
    } catch (const std::exception& error) {
        printError(std::string("warning: this comparison is not kept: ") + error.what());
        return "";
    }
}

}  // namespace warplens::cli
