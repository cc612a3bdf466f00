// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print.hpp"

#include "io/printable.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace warplens::cli {

void printText(const std::string& text) { std::cout << io::printableLines(text) << std::flush; }

void printJson(const std::string& json) {
    std::string safe;
    safe.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto byte = static_cast<unsigned char>(json[i]);
        const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
        if (byte == 0x7f) {
            safe += "\\u007f";
        } else if (byte == 0xc2 && next >= 0x80 && next < 0xa0) {
            safe += fmt::format("\\u{:04x}", next);
            ++i;
        } else {
            safe += json[i];
        }
    }
    std::cout << safe << std::flush;
}

std::size_t terminalWidth() {
    constexpr std::size_t kLeast = 60, kElsewhere = 120;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kElsewhere;
    return std::max<std::size_t>(size.ws_col, kLeast);
}

}  // namespace warplens::cli
