// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace warplens::gpu {

/// An instance of a kernel's template that the program does not hold and a compiler on the spot may make, for the task
/// at hand: warplens::gpu::FAMILY::KERNEL<TYPE, NUMBERS..., OUTPUT> of gpu/families/FAMILY/kernels/FILE.cuh. Texts are
/// literals.
struct Special {
    const char* family = nullptr;  ///< null: none is wanted, as the program holds the right one
    const char* file = nullptr;
    const char* kernel = nullptr;
    const char* type = "";  ///< empty: the template takes numbers alone
    std::array<int, 3> numbers{};
    std::size_t count = 0;     ///< of the numbers
    const char* output = "";   ///< the type of what is stored; empty: the template takes none, or its own serves
    const char* refusal = "";  ///< why it is not to be made; empty: it may be
    /// A filter's, which the compiler gets as constants: the instance serves no other filter. Null: any. They outlive
    /// the call that this is given to.
    const std::vector<float>* weights = nullptr;

    /// The same with one more number.
    Special with(int number) const {
        Special more = *this;
        more.numbers.at(more.count++) = number;
        return more;
    }
    bool wanted() const { return family != nullptr; }
    /// Below the root of the sources.
    std::string path() const { return std::string("gpu/families/") + family + "/kernels/" + file + ".cuh"; }
    /// As C++ names it.
    std::string expression() const {
        std::string text = std::string("warplens::gpu::") + family + "::" + kernel + "<" + type;
        for (std::size_t i = 0; i < count; ++i)
            text += (i > 0 || *type != '\0' ? ", " : "") + std::to_string(numbers[i]);
        if (*output != '\0') text += std::string(", ") + output;
        return text + ">";
    }
};

/// What tells one instance from another: all that a compiler is given.
struct SpecialKey {
    std::string path, expression;
    std::string weights;  ///< bit by bit, as -0 and 0 are different code; empty: any

    explicit SpecialKey(const Special& special) : path(special.path()), expression(special.expression()) {
        if (special.weights == nullptr) return;
        const auto& all = *special.weights;
        weights.assign(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float));
    }
    bool operator==(const SpecialKey&) const = default;
};

}  // namespace warplens::gpu
