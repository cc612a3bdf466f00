// SPDX-License-Identifier: Apache-2.0
// Every kernel of every family is told with lines of its own file: what the linker merges, as inline functions that
// several kernels' units define, must not cost one of them its places.
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

/// Counts of the first of these small inputs that the kernel takes.
std::optional<Counters> countersOf(const Kernel& kernel) {
    for (const char* input : {"gen:noise:70x40:f32", "gen:noise:70x40:u8", "gen:noise:36x20x12:f32"}) {
        const auto picture = std::make_shared<const io::Grid>(io::generate(input));
        trace::VariantTracer tracer(*kernel.family, picture, {});
        const RunRecord record = tracer.trace(*kernel.variant, {}, {.whole = true}, {}, {});
        if (record.counters) return record.counters;
    }
    return std::nullopt;
}

class Places : public ::testing::TestWithParam<Kernel> {};

TEST_P(Places, OfEveryAccessAndBranchAreKnownAndLeadToTheKernelsFile) {
    const auto& [family, variant] = GetParam();
    const auto counters = countersOf(GetParam());
    ASSERT_TRUE(counters) << "none of the inputs is for this kernel: add one";
    const auto isOfTheFile = [source = variant->source + ":"](const std::string& place) {
        return place.starts_with(source);
    };
    const std::string folder = "gpu/families/" + family->id() + "/";
    EXPECT_FALSE(counters->lines.empty());
    EXPECT_FALSE(counters->branchLines.empty());
    const auto check = [&](const auto& line) {
        EXPECT_TRUE(line.file.starts_with(folder)) << line.kernel << ": " << line.file << ":" << line.line;
        EXPECT_GT(line.line, 0) << line.kernel;
        ASSERT_FALSE(line.stack.empty()) << line.kernel;
    };
    for (const CounterLine& line : counters->lines) check(line);
    for (const BranchLine& line : counters->branchLines) check(line);
    for (const KernelCounters& one : counters->kernels) {
        EXPECT_TRUE(std::ranges::any_of(counters->lines,
                                        [&](const CounterLine& line) {
                                            return line.kernel == one.kernel &&
                                                   std::ranges::any_of(line.stack, isOfTheFile);
                                        }))
            << one.kernel << " has no line in " << variant->source;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Places, ::testing::ValuesIn(kernels()),
                         [](const auto& kernel) { return kernel.param.family->id() + "_" + kernel.param.variant->id; });

}  // namespace
}  // namespace warplens::gpu
