// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/components/parameters.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/frame/shared_parameters.hpp"

namespace warplens::gpu::components {

const BoundParameters<Chosen>& parameters() {
    static const BoundParameters<Chosen> all{
        {levelParameter("A pixel is inside where each of its channels but alpha is above it; NaN is never inside."),
         &Chosen::level},
        {connectivityParameter("all", " A volume is labelled as a whole: by 6 or 26."), &Chosen::connectivity},
    };
    return all;
}

LabellingOptions parseOptions(const ParameterValues& values, const io::Grid& picture) {
    const Chosen chosen = parameters().read(values);
    const io::Shape& shape = picture.shape();
    const std::string& connectivity = chosen.connectivity;
    if (shape.depth > 1 && (connectivity == "4" || connectivity == "8"))
        throw Error(Error::Kind::argument, "connectivity " + connectivity +
                                               " is of one slice, and volumes are labelled as a whole: choose 6 or 26");
    const Level level = levelOf(chosen.level, picture);
    return {.level = level.value, .corners = connectivity != "4" && connectivity != "6", .levelFact = level.fact};
}

}  // namespace warplens::gpu::components
