// SPDX-License-Identifier: Apache-2.0
// Each check finds a planted defect, and nothing where there is none.
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/trace/variant_tracer.hpp"
#include "tests/gpu/trace/faulty_kernels.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <span>

namespace warplens::gpu::testing {
namespace {

constexpr int kValues = 128;

Counters countersOf(const FaultyKernel& kernel, bool wrong) {
    static trace::TraceDevice device;
    const std::vector<float> zeros(kValues, 0.0F);
    const Buffer in = device.allocate(kValues * sizeof(float)), out = device.allocate(kValues * sizeof(float));
    device.upload(in, zeros.data(), in.bytes());
    device.upload(out, zeros.data(), out.bytes());
    const auto* from = static_cast<const float*>(device.context().address(in.handle()));
    auto* to = static_cast<float*>(device.context().address(out.handle()));
    return device.trace([&] { kernel.launch(device.context(), from, to, wrong); }, in, {});
}

std::vector<TraceFinding> findingsOf(const FaultyKernel& kernel, bool wrong) {
    return countersOf(kernel, wrong).findings;
}

std::string listed(const std::vector<TraceFinding>& findings) {
    std::string text;
    for (const auto& finding : findings) text += finding.check + ": " + finding.message + "\n";
    return text;
}

class Check : public ::testing::TestWithParam<int> {
protected:
    const FaultyKernel& m_kernel = kFaultyKernels[GetParam()];
};

TEST_P(Check, FindsThePlantedDefect) {
    const auto findings = findingsOf(m_kernel, true);
    ASSERT_FALSE(findings.empty());
    bool said = false;
    for (const auto& finding : findings) {
        EXPECT_EQ(finding.check, m_kernel.check) << finding.message;
        EXPECT_EQ(finding.kernel, m_kernel.name);
        said = said || finding.message.find(m_kernel.says) != std::string::npos;
        EXPECT_TRUE(finding.file.ends_with("faulty_kernels.cuh")) << finding.file;
        EXPECT_GT(finding.line, 0);
        if (finding.check == "divergent-barrier" || finding.check == "deadlock") continue;
        EXPECT_EQ(finding.file, "tests/gpu/trace/faulty_kernels.cuh");
    }
    EXPECT_TRUE(said) << listed(findings);
}

TEST_P(Check, IsSilentWhereThereIsNone) { EXPECT_EQ(listed(findingsOf(m_kernel, false)), ""); }

TEST(TraceOfARelaxedAccess, CountsWhereItMeetsAnother) {
    for (const FaultyKernel& kernel : std::span(kFaultyKernels, kFaultyKernelCount)) {
        const bool relaxed = std::string(kernel.name) == "saysWithoutAnnotation";
        EXPECT_EQ(countersOf(kernel, false).annotatedRaces, relaxed ? 1 : 0) << kernel.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Trace, Check, ::testing::Range(0, kFaultyKernelCount),
                         [](const auto& test) { return std::string(kFaultyKernels[test.param].name); });

class TraceOfTheRegistry : public ::testing::TestWithParam<const Family*> {};

/// What is traced of a family: its defaults, each border and task, and kernels that small windows or few bins have.
std::vector<ParameterValues> tracedCases(const Family& family) {
    std::vector<ParameterValues> cases{{}};
    for (const Parameter& parameter : family.parameters()) {
        // Of tasks every one has kernels of its own.
        const bool every = parameter.id == "border" || parameter.id == "task" ||
                           (parameter.id == "dimensions" && parameter.type == Parameter::Type::choice);
        for (std::size_t i = 0; every && i < parameter.choices.size(); ++i)
            cases.push_back({{parameter.id, parameter.choices[i]}});
        if (parameter.id == "radius") cases.push_back({{"radius", std::int64_t{1}}});
        if (parameter.id == "bins") cases.push_back({{"bins", std::int64_t{16}}});
    }
    // Nine offsets take the same way as 121.
    if (std::ranges::count(family.parameters(), "search-radius", &Parameter::id) > 0)
        for (ParameterValues& values : cases) values["search-radius"] = std::int64_t{1};
    return cases;
}

/// On pictures and a volume that no block divides.
TEST_P(TraceOfTheRegistry, EveryKernelIsClean) {
    const Family& family = *GetParam();
    const std::vector<std::shared_ptr<io::Grid>> inputs{noise({67, 43}, io::PixelType::f32),
                                                        noise({45, 38, 1, 3}, io::PixelType::u8),
                                                        noise({21, 19, 13}, io::PixelType::u16)};
    for (const auto& input : inputs) {
        for (const auto& parameters : tracedCases(family)) {
            // One picture meets every border; the code is the same for all.
            if (input != inputs.front() && parameters.contains("border")) continue;
            std::unique_ptr<trace::VariantTracer> tracer;
            try {
                tracer = std::make_unique<trace::VariantTracer>(family, input, parameters);
            } catch (const Error&) {
                continue;  // this picture does not take these parameters
            }
            for (const Variant& variant : family.variants()) {
                const auto record = tracer->trace(variant, {}, {}, {}, {});
                if (record.status == Status::unsupported) continue;
                ASSERT_TRUE(record.counters) << testing::describe(record);
                const auto& findings = record.counters->findings;
                if (isIntentionallyWrong(variant)) {
                    EXPECT_FALSE(findings.empty()) << variant.id;
                    for (const auto& finding : findings) EXPECT_EQ(finding.check, "global-race") << finding.message;
                } else {
                    EXPECT_EQ(listed(findings), "") << variant.id;
                }
                EXPECT_GT(record.counters->globalLoad.requests + record.counters->texture.requests, 0) << variant.id;
            }
        }
    }
}

// A trace runs some blocks, some launches, some blocks twice: what is left then says nothing, nor how many steps it
// took.
TEST(TraceOfASolver, IsRefusedAndSaysWhatToCountInstead) {
    const auto picture = noise({40, 30}, io::PixelType::u8);
    auto mask = std::make_shared<io::Grid>(io::Shape{40, 30}, io::PixelType::u8);
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x) mask->setValue(x, y, 0, 0, x > 5 && x < 30 && y > 9 && y < 20 ? 255 : 0);
    const Family& family = familyOf("sparse");
    for (const char* task : {"inpaint", "product"}) {
        trace::VariantTracer tracer(
            family, picture,
            {{"task", std::string(task)}, {"mask", std::make_shared<const NamedGrid>(NamedGrid{"mask", mask})}});
        const auto record = tracer.trace(variantOf(family, "csr_scalar"), {}, {}, {}, {});
        const bool solves = std::string(task) == "inpaint";
        EXPECT_EQ(record.counters.has_value(), !solves) << task;
        EXPECT_EQ(record.reason.find("a solver is not traced") != std::string::npos, solves) << record.reason;
        if (solves) {
            EXPECT_EQ(record.status, Status::unsupported);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, TraceOfTheRegistry, ::testing::ValuesIn(families()),
                         [](const auto& test) { return test.param->id(); });

}  // namespace
}  // namespace warplens::gpu::testing
