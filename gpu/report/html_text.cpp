// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/html_text.hpp"

#include <cstdint>

namespace warplens::gpu::html {

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\'': out += "&#39;"; break;
            default: out += c;
        }
    }
    return out;
}

std::string pngUrl(std::span<const std::byte> png) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string url = "data:image/png;base64,";
    url.reserve(url.size() + (png.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < png.size(); i += 3) {
        const std::size_t have = png.size() - i;
        const auto at = [&](std::size_t k) { return k < have ? std::to_integer<std::uint32_t>(png[i + k]) : 0U; };
        const std::uint32_t three = at(0) << 16 | at(1) << 8 | at(2);
        url += kDigits[three >> 18 & 63];
        url += kDigits[three >> 12 & 63];
        url += have > 1 ? kDigits[three >> 6 & 63] : '=';
        url += have > 2 ? kDigits[three & 63] : '=';
    }
    return url;
}

}  // namespace warplens::gpu::html
