// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/double_reference.hpp"
#include "gpu/run/runner.hpp"

#include <memory>
#include <utility>

namespace warplens::gpu {

/// The double reference of a run's picture, as its check has it: all of a small picture, samples of a large one. The
/// same of all variants, but where it hangs on what they made. Needs 8 bytes per value and the picture once more;
/// touches no device. Throws as Runner::verify().
inline DoubleReference doubleReference(Runner& runner, const Request& request, const RunRecord& record,
                                       std::stop_token stop = {}) {
    // Of its own, as others may be checking the same picture.
    const auto own = std::make_shared<const io::Grid>(record.result.picture->clone());
    RunRecord asked = record;
    asked.result.picture = own;
    DoubleReference reference(own->shape(), own->type());
    const ReferenceWitness witness(*own, reference);
    runner.verify(request, asked, std::move(stop));
    return reference;
}

}  // namespace warplens::gpu
