// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>

namespace warplens::gpu {

#define WARPLENS_FAMILY(name) \
    namespace name {          \
    const Family& family();   \
    }
#include "gpu/families/families.inc"
#ifdef WARPLENS_MORE_FAMILIES  // a file of such rows: a test's program has families of its own
#include WARPLENS_MORE_FAMILIES
#endif
#undef WARPLENS_FAMILY

const std::vector<const Family*>& families() {
#define WARPLENS_FAMILY(name) &name::family(),
    static const std::vector<const Family*> list{
#include "gpu/families/families.inc"
#ifdef WARPLENS_MORE_FAMILIES
#include WARPLENS_MORE_FAMILIES
#endif
    };
#undef WARPLENS_FAMILY
    return list;
}

std::string familyIds(const std::function<bool(const FamilyInfo&)>& which) {
    std::string ids;
    for (const Family* family : families())
        if (!which || which(family->info())) ids += (ids.empty() ? "" : ", ") + family->id();
    return ids;
}

const Family* findFamily(const std::string& id) {
    const auto found = std::ranges::find(families(), id, [](const Family* family) { return family->id(); });
    return found == families().end() ? nullptr : *found;
}

const Variant* findVariant(const std::string& family, const std::string& id) {
    const Family* of = findFamily(family);
    if (of == nullptr) return nullptr;
    const auto found = std::ranges::find(of->variants(), id, &Variant::id);
    return found == of->variants().end() ? nullptr : &*found;
}

const Parameter::Value* givenFor(Parameter::Role role, const std::string& family, const ParameterValues& values) {
    const Family* of = findFamily(family);
    const Parameter* parameter = of == nullptr ? nullptr : findRole(of->parameters(), role);
    const auto found = parameter == nullptr ? values.end() : values.find(parameter->id);
    return found == values.end() ? nullptr : &found->second;
}

std::optional<std::int64_t> integerFor(Parameter::Role role, const std::string& family, const ParameterValues& values) {
    const Parameter::Value* given = givenFor(role, family, values);
    const auto* number = given == nullptr ? nullptr : std::get_if<std::int64_t>(given);
    return number == nullptr ? std::nullopt : std::optional(*number);
}

const Family& familyFor(Service service) {
    for (const Family* family : families())
        if (family->info().services.contains(service)) return *family;
    throw Error(Error::Kind::unsupported, "this program was built without a family that does this");
}

const Family& familyOf(const std::string& id) {
    if (const Family* family = findFamily(id)) return *family;
    throw Error(Error::Kind::argument, "no family '" + id + "': choose one of " + familyIds());
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
