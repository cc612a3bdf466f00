// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace warplens::cli {

/// One line on stderr that is rewritten, and only on a terminal; it appears after a second and leaves nothing behind.
class Progress {
public:
    explicit Progress(const std::string& label);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// fraction: 0..1
    void show(double fraction, const std::string& what);
    void clear();

private:
    std::string m_label;
    bool m_terminal;
    bool m_drawn = false;
    std::chrono::steady_clock::time_point m_next;
};

}  // namespace warplens::cli
