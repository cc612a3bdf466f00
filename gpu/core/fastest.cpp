// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/fastest.hpp"

#include "gpu/core/wrong_on_purpose.hpp"

namespace warplens::gpu {

bool isExact(const std::optional<Verification>& check) {
    return !check || (check->mismatches == 0 && check->note.empty());
}

bool ranks(const RunRecord& record) {
    return record.status == Status::ok && record.time && record.time->clock == Clock::device &&
           (!record.verification || record.verification->checkedShare > 0) && !isIntentionallyWrong(record);
}

}  // namespace warplens::gpu
