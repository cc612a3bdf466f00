// SPDX-License-Identifier: Apache-2.0
#include "gpu/registry.hpp"

#include "gpu/convolution/convolution.hpp"
#include "gpu/error.hpp"
#include "gpu/histogram/histogram.hpp"
#include "gpu/stencil/stencil.hpp"

namespace warplens::gpu {

const std::vector<const Family*>& families() {
    static const std::vector<const Family*> list{&convolution::family(), &stencil::family(), &histogram::family()};
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
