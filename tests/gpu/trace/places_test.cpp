// SPDX-License-Identifier: Apache-2.0
// What every kernel of every family does is told with lines of the family's own files.
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/trace/variant_tracer.hpp"
#include "io/generate.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace warplens::gpu {
namespace {

struct Kernel {
    const Family* family = nullptr;
    const Variant* variant = nullptr;
};

std::vector<Kernel> kernels() {
    std::vector<Kernel> all;
    for (const Family* family : families())
        for (const Variant& variant : family->variants())
            if (variant.kind == Variant::Kind::kernel) all.push_back({family, &variant});
    return all;
}

/// Defaults; then every choice, and the least of every whole number, by itself: some kernels are for one alone.
std::vector<ParameterValues> parametersOf(const Family& family) {
    std::vector<ParameterValues> all{{}};
    for (const Parameter& parameter : family.parameters()) {
        for (const std::string& choice : parameter.choices) all.push_back({{parameter.id, choice}});
        if (parameter.type == Parameter::Type::integer)
            all.push_back({{parameter.id, static_cast<std::int64_t>(parameter.minimum)}});
        if (parameter.type == Parameter::Type::real) all.push_back({{parameter.id, parameter.minimum}});
    }
    return all;
}

/// Counts of the first of these small inputs that the kernel takes.
std::optional<Counters> countersOf(const Kernel& kernel) {
    for (const ParameterValues& parameters : parametersOf(*kernel.family)) {
        // The last is its own transpose's factor, and the product of both has eight columns.
        for (const char* input : {"gen:noise:70x40:f32", "gen:noise:70x40:u8", "gen:noise:36x20x12:f32",
                                  "gen:noise:70x40:u8:c=3", "gen:noise:70x8:f32"}) {
            const auto picture = std::make_shared<const io::Grid>(io::generate(input));
            try {
                trace::VariantTracer tracer(*kernel.family, picture, parameters);
                const RunRecord record = tracer.trace(*kernel.variant, {}, {.whole = true}, {}, {});
                if (record.counters) return record.counters;
            } catch (const Error&) {  // parameters that contradict each other, or that the picture is not for
                continue;
            }
        }
    }
    return std::nullopt;
}

class Places : public ::testing::TestWithParam<Kernel> {};

TEST_P(Places, OfEveryAccessAndBranchLeadToTheFamilysFiles) {
    const auto& [family, variant] = GetParam();
    const auto counters = countersOf(GetParam());
    ASSERT_TRUE(counters) << "none of the inputs is for this kernel: add one";
    EXPECT_FALSE(counters->lines.empty());
    EXPECT_FALSE(counters->branchLines.empty());
    const std::string folder = "gpu/families/" + family->id() + "/";
    int lost = 0;
    const auto check = [&](const auto& line) {
        if (line.stack.empty()) {
            ++lost;
            return;
        }
        EXPECT_TRUE(line.file.starts_with(folder)) << line.kernel << ": " << line.file << ":" << line.line;
        EXPECT_GT(line.line, 0) << line.kernel;
    };
    for (const CounterLine& line : counters->lines) check(line);
    for (const BranchLine& line : counters->branchLines) check(line);
    // Units whose inline functions the linker has merged say that they hold each other's code.
    if (lost > 0) GTEST_SKIP() << "libbacktrace loses the places of " << lost << " lines";
}

INSTANTIATE_TEST_SUITE_P(Kernels, Places, ::testing::ValuesIn(kernels()),
                         [](const auto& kernel) { return kernel.param.family->id() + "_" + kernel.param.variant->id; });

}  // namespace
}  // namespace warplens::gpu
