// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/parameters.hpp"

namespace warplens::gpu::merge {

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> list{
        {.id = "task",
         .title = "Task",
         .type = Parameter::Type::choice,
         .fallback = std::string("merge"),
         .choices = {"merge", "sort", "quantiles"},
         .help =
             "merge: the two halves of each channel's values, sorted beforehand and untimed, become one list; sort: "
             "the values as they are, by a sort of tiles and passes of merging, or by digits; quantiles: sort, and "
             "the table alone. A quantile is a value of the list, the lower of two between which it falls: none is "
             "interpolated."},
    };
    return list;
}

Task taskOf(const ParameterValues& values) {
    validate(parameters(), values);
    const std::string& name = textOf(parameters(), values, "task");
    return name == "sort" ? Task::sort : name == "quantiles" ? Task::quantiles : Task::merge;
}

}  // namespace warplens::gpu::merge
