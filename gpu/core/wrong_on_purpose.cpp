// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/wrong_on_purpose.hpp"

#include "gpu/core/registry.hpp"

namespace warplens::gpu {

bool onlyByName(const Variant& variant) { return variant.kind == Variant::Kind::portable || wrongOnPurpose(variant); }

bool wrongOnPurpose(const Variant& variant) { return variant.sentence.starts_with("wrong on purpose"); }

bool wrongOnPurpose(const RunRecord& record) {
    const Variant* variant = findVariant(record.family, record.variant);
    return variant != nullptr && wrongOnPurpose(*variant);
}

}  // namespace warplens::gpu
