// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/merge/parameters.hpp"

#include "gpu/core/family.hpp"

namespace warplens::gpu::merge {

const BoundParameters<Chosen>& parameters() {
    using Type = Parameter::Type;
    static const BoundParameters<Chosen> all{
        {{.id = "task",
          .title = "Task",
          .type = Type::choice,
          .fallback = std::string("merge"),
          .choices = {"merge", "sort", "quantiles"},
          .help =
              "merge: two lists of each channel's values, sorted beforehand and untimed, become one; sort: "
              "the values as they are, by a sort of tiles and passes of merging, or by digits; quantiles: sort, and "
              "the table alone. A quantile is a value of the list, the lower of two between which it falls: none is "
              "interpolated."},
         &Chosen::task},
        {{.id = "with",
          .title = "Second list",
          .type = Type::picture,
          .fallback = std::shared_ptr<const NamedGrid>(),
          .help =
              "A second picture whose values are merged with all of the first one's: any extents, the same type and "
              "channels. Without it the picture's own values are divided.",
          .visibleWhen = "task",
          .visibleWhenIn = {"merge"}},
         &Chosen::with},
        {{.id = "first",
          .title = "First list",
          .type = Type::integer,
          .fallback = std::int64_t{0},
          .minimum = 0,
          .maximum = 1e15,
          .help = "How many of each channel's values are the first list; those behind them are the second. 0: half of "
                  "them, and one more where they are odd.",
          .visibleWhen = "task",
          .visibleWhenIn = {"merge"}},
         &Chosen::first},
        {{.id = "lists",
          .title = "Lists",
          .type = Type::choice,
          .fallback = std::string("sort"),
          .choices = {"sort", "given"},
          .help =
              "sort: both lists are sorted beforehand, untimed. given: they are merged as they are; one that is not "
              "sorted is refused.",
          .visibleWhen = "task",
          .visibleWhenIn = {"merge"}},
         &Chosen::lists},
        {{.id = "rank",
          .title = "Co-rank of output",
          .type = Type::integer,
          .fallback = std::int64_t{-1},
          .minimum = -1,
          .maximum = 1e15,
          .help = "Lists the steps of the binary search for how many of so many outputs come from the first list, in "
                  "the table co_rank. -1: none.",
          .visibleWhen = "task",
          .visibleWhenIn = {"merge"}},
         &Chosen::rank},
    };
    return all;
}

}  // namespace warplens::gpu::merge
