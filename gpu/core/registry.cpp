// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"

#include "gpu/core/error.hpp"

namespace warplens::gpu {

#define WARPLENS_FAMILY(name) \
    namespace name {          \
    const Family& family();   \
    }
#include "gpu/families/families.inc"
#undef WARPLENS_FAMILY

const std::vector<const Family*>& families() {
#define WARPLENS_FAMILY(name) &name::family(),
    static const std::vector<const Family*> list{
#include "gpu/families/families.inc"
    };
#undef WARPLENS_FAMILY
    return list;
}

const Family& familyOf(const std::string& id) {
    std::string known;
    for (const Family* family : families()) {
        if (family->id() == id) return *family;
        known += (known.empty() ? "" : ", ") + family->id();
    }
    throw Error(Error::Kind::argument, "no family '" + id + "': choose one of " + known);
}

const Variant& variantOf(const Family& family, const std::string& id) {
    std::string known;
    for (const Variant& variant : family.variants()) {
        if (variant.id == id) return variant;
        known += (known.empty() ? "" : ", ") + variant.id;
    }
    throw Error(Error::Kind::argument, "no variant '" + id + "' of " + family.id() + ": choose one of " + known);
}

}  // namespace warplens::gpu
