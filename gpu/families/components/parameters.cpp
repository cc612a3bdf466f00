// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/components/parameters.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::components {

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> list{
        levelParameter("A pixel is inside where each of its channels but alpha is above it; NaN is never inside."),
        connectivityParameter("all", " A volume is labelled as a whole: by 6 or 26."),
    };
    return list;
}

Asked askedOf(const ParameterValues& values, const io::Grid& picture) {
    const auto& list = parameters();
    validate(list, values);
    const io::Shape& shape = picture.shape();
    const std::string& connectivity = textOf(list, values, "connectivity");
    if (shape.depth > 1 && (connectivity == "4" || connectivity == "8"))
        throw Error(Error::Kind::argument, "connectivity " + connectivity +
                                               " is of one slice, and volumes are labelled as a whole: choose 6 or 26");
    const Level level = levelOf(list, values, picture);
    return {.level = level.value, .corners = connectivity != "4" && connectivity != "6", .levelFact = level.fact};
}

}  // namespace warplens::gpu::components
