// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/wrong_on_purpose.hpp"

#include "gpu/core/registry.hpp"

namespace warplens::gpu {

bool isExplicitOnly(const Variant& variant) {
    return variant.kind == Variant::Kind::portable || isIntentionallyWrong(variant);
}

bool isIntentionallyWrong(const Variant& variant) { return variant.sentence.starts_with("wrong on purpose"); }

bool isIntentionallyWrong(const RunRecord& record) {
    const Variant* variant = findVariant(record.family, record.variant);
    return variant != nullptr && isIntentionallyWrong(*variant);
}

}  // namespace warplens::gpu
