// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/json_reason.hpp"

#include <string_view>

namespace warplens::gpu {

std::string reasonOf(const std::exception& error) {
    std::string reason = error.what();
    if (!reason.starts_with("[json.exception")) return reason;
    if (const auto end = reason.find("] "); end != std::string::npos) reason.erase(0, end + 2);
    constexpr std::string_view kKey = "key ", kMissing = " not found", kType = "type must be ", kButIs = ", but is ",
                               kUse = "cannot use ", kWith = " with ";
    const auto between = reason.find(kButIs);
    if (reason.starts_with(kKey) && reason.ends_with(kMissing))
        return "the field " + reason.substr(kKey.size(), reason.size() - kKey.size() - kMissing.size()) + " is missing";
    if (reason.starts_with(kType) && between != std::string::npos) {
        return "a field is " + reason.substr(between + kButIs.size()) + " and must be " +
               reason.substr(kType.size(), between - kType.size());
    }
    if (const auto with = reason.find(kWith); reason.starts_with(kUse) && with != std::string::npos)
        return "a field is " + reason.substr(with + kWith.size()) + " and must be an object or a list";
    return reason;
}

}  // namespace warplens::gpu
