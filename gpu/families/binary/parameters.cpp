// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/binary/parameters.hpp"

#include "gpu/core/separating_level.hpp"

#include <string>

namespace warplens::gpu::binary {

const BoundParameters<Chosen>& parameters() {
    static const BoundParameters<Chosen> all{
        {{.id = "task",
          .title = "Task",
          .type = Parameter::Type::choice,
          .fallback = std::string("fill-holes"),
          .choices = {"fill-holes", "skeleton"},
          .help =
              "fill-holes: background that the picture's edge does not reach by 4 neighbours becomes mask; skeleton: "
              "the mask is thinned to lines of one pixel that are connected as it was, by Guo and Hall's rule."},
         &Chosen::task},
        {levelParameter("A pixel is inside where each of its channels but alpha is above it; NaN is never inside."),
         &Chosen::level},
    };
    return all;
}

}  // namespace warplens::gpu::binary
