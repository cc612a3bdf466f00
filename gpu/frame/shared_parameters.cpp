// SPDX-License-Identifier: Apache-2.0
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu {
namespace {

using Type = Parameter::Type;
using Role = Parameter::Role;

/// In the order of Border.
const std::vector<std::string>& borders() {
    static const std::vector<std::string> names{"zero", "replicate", "reflect", "wrap"};
    return names;
}

}  // namespace

Parameter alphaParameter(const std::string& treated) {
    return {.id = "alpha",
            .title = "Alpha",
            .role = Role::alpha,
            .type = Type::choice,
            .fallback = std::string(kKeepAlpha),
            .choices = {kKeepAlpha, "filter"},
            .help = "Whether the fourth channel is copied or " + treated + " like the others.",
            .advanced = true};
}

Parameter borderParameter(Border fallback) {
    return {.id = "border",
            .title = "Border",
            .type = Type::choice,
            .fallback = borders().at(static_cast<std::size_t>(fallback)),
            .choices = borders(),
            .help =
                "What lies outside the picture: zeros, the edge pixel, a mirror without repeating the edge, or the "
                "other side."};
}

Parameter dimensionsParameter(const std::string& more) {
    return {.id = "dimensions",
            .title = "Dimensions",
            .role = Role::dimensions,
            .type = Type::choice,
            .fallback = std::string("2"),
            .choices = {"2", "3"},
            .help = "On a volume 2 filters slice by slice; 3 reaches into the slices before and behind as well" + more};
}

Parameter connectivityParameter(const std::string& fallback, const std::string& more) {
    return {.id = "connectivity",
            .title = "Connectivity",
            .role = Role::connectivity,
            .type = Type::choice,
            .fallback = fallback,
            .choices = {"all", "4", "8", "6", "26"},
            .help =
                "Neighbours that belong together: 4 or 8 in a slice, 6 or 26 in a volume; all: 8 of a picture, 26 "
                "of a volume." +
                more};
}

}  // namespace warplens::gpu
