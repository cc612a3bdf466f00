// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress.hpp"

#include "io/printable.hpp"

#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace warplens::cli {

Progress::Progress(const std::string& label)
    : m_label(io::printable(label)),
      m_terminal(isatty(STDERR_FILENO) != 0),
      m_next(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

void Progress::show(double fraction, const std::string& what) {
    const auto now = std::chrono::steady_clock::now();
    if (!m_terminal || now < m_next) return;
    m_next = now + std::chrono::milliseconds(100);
    m_drawn = true;
    std::cerr << fmt::format("\r\x1b[K{}: {:.0f} %, {}", m_label, fraction * 100, what) << std::flush;
}

void Progress::clear() {
    if (m_drawn) std::cerr << "\r\x1b[K" << std::flush;
    m_drawn = false;
}

}  // namespace warplens::cli
