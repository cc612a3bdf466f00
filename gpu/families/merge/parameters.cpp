// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/parameters.hpp"

namespace warplens::gpu::merge {

const BoundParameters<Chosen>& parameters() {
    static const BoundParameters<Chosen> all{
        {{.id = "task",
          .title = "Task",
          .type = Parameter::Type::choice,
          .fallback = std::string("merge"),
          .choices = {"merge", "sort", "quantiles"},
          .help =
              "merge: the two halves of each channel's values, sorted beforehand and untimed, become one list; sort: "
              "the values as they are, by a sort of tiles and passes of merging, or by digits; quantiles: sort, and "
              "the table alone. A quantile is a value of the list, the lower of two between which it falls: none is "
              "interpolated."},
         &Chosen::task},
    };
    return all;
}

}  // namespace warplens::gpu::merge
