// SPDX-License-Identifier: Apache-2.0
// Registry x device x measure x type x channels x size: every kernel's figures are those of the definition.
#include "gpu/families/reduction/tests/reduction_case.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr PixelType kTypes[] = {PixelType::u8, PixelType::u16, PixelType::f32};
constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

class ReductionOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    /// Every kernel row is right, or unsupported with a reason; gives back the ids of those that ran.
    std::set<std::string> expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                                      const std::string& what, const Scheduling& scheduling = {}) {
        auto request = reductionRequest(input, parameters, GetParam());
        request.scheduling = scheduling;
        std::set<std::string> ran;
        for (const auto& run : m_runner.run(request).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << what << ": " << run.variant;
                continue;
            }
            EXPECT_EQ(run.status, Status::ok) << what << ": " << run.variant << ": " << run.reason;
            if (run.status != Status::ok) continue;
            EXPECT_EQ(run.verification->checkedShare, 1.0);
            EXPECT_EQ(run.verification->mismatches, 0)
                << what << ": " << run.variant << ": " << run.verification->firstMismatch;
            ran.insert(run.variant);
            if (run.kind == Variant::Kind::kernel && !run.result.tables.empty()) m_last = run.result.tables.front();
        }
        return ran;
    }
    void expectStatisticsAndComparison(const io::Shape& shape, PixelType type, const std::string& what) {
        const auto input = noiseOf(shape, type, 1);
        EXPECT_GE(expectAllOk(input, {}, what).size(), 13U) << what;
        EXPECT_GE(expectAllOk(input, comparedWith(noiseOf(shape, type, 2)), what + " compared").size(), 13U) << what;
    }

    Runner m_runner;
    std::shared_ptr<const Table> m_last;
};

TEST_P(ReductionOnDevice, SizesAroundWarpsPacksChunksAndBlocks) {
    for (const auto type : kTypes) {
        for (const int width : {1,   2,   3,   4,   5,   8,   15,  16,   17,   31,   32,   33,   65,   127,
                                255, 256, 257, 511, 512, 513, 515, 1025, 2047, 2048, 2049, 4096, 4097, 9001}) {
            // Three channels of an odd number of values begin at every alignment.
            for (const int channels : {1, 3}) {
                expectStatisticsAndComparison(
                    {width, 1, 1, channels}, type,
                    std::to_string(width) + " values of " + io::nameOf(type) + " c" + std::to_string(channels));
            }
        }
    }
}

TEST_P(ReductionOnDevice, PicturesAndVolumes) {
    for (const auto type : kTypes) {
        for (const io::Shape& shape : {io::Shape{1, 97, 1, 1}, io::Shape{97, 89, 1, 4}, io::Shape{13, 11, 7, 1},
                                       io::Shape{1, 1, 31, 3}, io::Shape{1021, 103, 1, 1}})
            expectStatisticsAndComparison(shape, type, io::nameOf(type) + std::to_string(shape.values()));
    }
}

TEST_P(ReductionOnDevice, NoValuesAtAll) {
    for (const auto type : kTypes) {
        const auto nothing = std::make_shared<io::Grid>(io::Shape{0, 0, 1, 1}, type);
        expectAllOk(nothing, {}, "nothing");
        EXPECT_EQ(m_last->integers("count"), Column::Integers{0});
        EXPECT_EQ(m_last->integers("minimum_x"), Column::Integers{-1});
        expectAllOk(nothing, comparedWith(nothing), "nothing, compared");
    }
}

// One extreme value moves through a chunk and over its ends; the same value later must not be taken for the first.
TEST_P(ReductionOnDevice, FirstPlacesOfExtremesWhereverTheyAre) {
    for (const auto type : kTypes) {
        for (const int at : {0, 1, 15, 16, 511, 512, 2047, 2048, 4096, 4344}) {
            for (const int channels : {1, 3}) {
                auto grid = generated("gen:constant:4345x1:" + std::string(io::nameOf(type)) +
                                      ":c=" + std::to_string(channels));
                for (const int again : {0, 1, 37, 1500}) {
                    if (at + again >= 4345) continue;
                    for (int c = 0; c < channels; ++c) {
                        grid->setValue(at + again, 0, 0, c, c % 2 == 0 ? 0.0 : 200.0);
                        if (again == 37) grid->setValue(at + again, 0, 0, c, 201.0);
                    }
                }
                expectAllOk(grid, {}, std::string(io::nameOf(type)) + " at " + std::to_string(at));
            }
        }
    }
}

TEST_P(ReductionOnDevice, NaNInfinityZerosAndTinyValues) {
    constexpr float kMost = std::numeric_limits<float>::max(), kTiny = std::numeric_limits<float>::denorm_min();
    std::vector<std::vector<float>> rows{{kNan},        {kInfinity},   {-kInfinity}, {kInfinity, -kInfinity},
                                         {0.0F, -0.0F}, {-0.0F, 0.0F}, {kNan, 1},    {1, kNan}};
    for (const std::size_t size : {5U, 1300U}) {
        for (const float special : {kNan, kInfinity, -kInfinity, kMost, -kMost, kTiny, 1e-30F, -0.0F}) {
            std::vector<float> row(size);
            for (std::size_t i = 0; i < size; ++i) row[i] = static_cast<float>(io::randomBits(3, i) >> 44) - 4e5F;
            for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
                auto one = row;
                one[at] = special;
                rows.push_back(one);
            }
            rows.push_back(std::vector<float>(size, special));
            for (std::size_t i = 0; i < size; i += 2) row[i] = special;
            rows.push_back(row);
        }
    }
    // Values whose squares are no normal floats, though they differ.
    std::vector<float> small(1000);
    for (std::size_t i = 0; i < small.size(); ++i) small[i] = static_cast<float>(i % 7) * 1e-30F;
    rows.push_back(small);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto input = floatRow(rows[i]);
        expectAllOk(input, {}, "row " + std::to_string(i));
        auto other = rows[i];
        std::reverse(other.begin(), other.end());
        expectAllOk(input, comparedWith(floatRow(other)), "row " + std::to_string(i) + " and its mirror image");
        expectAllOk(input, comparedWith(input), "row " + std::to_string(i) + " and itself");
        EXPECT_EQ(m_last->integers("mismatches").front(), 0);
    }
}

TEST_P(ReductionOnDevice, VarianceOfValuesThatLieFarFromZero) {
    for (const float offset : {0.0F, 1000.0F, 1e6F, -1e7F, 1e30F}) {
        std::vector<float> values(20011), constant(20011, offset);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = offset + std::fabs(offset) * 1e-6F * static_cast<float>(io::randomBits(5, i) >> 60);
        expectAllOk(floatRow(values), {}, "around " + std::to_string(offset));
        expectAllOk(floatRow(constant), {}, "constant " + std::to_string(offset));
        EXPECT_EQ(m_last->reals("variance").front(), 0);
        // The first value, which sums are taken around, is far from all others.
        values.front() = -offset;
        expectAllOk(floatRow(values), {}, "an outlier before " + std::to_string(offset));
        values.front() = kNan;
        expectAllOk(floatRow(values), {}, "NaN before " + std::to_string(offset));
    }
}

TEST_P(ReductionOnDevice, ProjectionsAlongEveryAxis) {
    for (const auto type : kTypes) {
        for (const io::Shape& shape :
             {io::Shape{37, 29, 1, 1}, io::Shape{33, 41, 17, 1}, io::Shape{5, 3, 70, 3}, io::Shape{1, 1, 1, 1},
              io::Shape{257, 1, 1, 4}, io::Shape{1, 66, 2, 1}, io::Shape{48, 5, 70, 1}, io::Shape{32, 16, 9, 2}}) {
            auto input = noiseOf(shape, type);
            if (type == PixelType::f32 && shape.values() > 50) {
                for (std::int64_t i = 0; i < shape.width; ++i) input->setValue(i, shape.height / 2, 0, 0, kNan);
                input->setValue(0, 0, 0, 0, kInfinity);
            }
            for (const char* along : {"x", "y", "z"}) {
                for (const char* keep : {"maximum", "minimum", "mean", "sum"}) {
                    const auto ran = expectAllOk(input, projected(along, keep), std::string(along) + " " + keep);
                    EXPECT_EQ(ran, (std::set<std::string>{"ray", "ray_split", "ray_packed"}));
                }
            }
        }
    }
}

TEST_P(ReductionOnDevice, EveryTunableOfEveryVariant) {
    const auto volume = noiseOf({67, 43, 5}, PixelType::u16), row = noiseOf({70001, 1}, PixelType::f32);
    for (const Variant& variant : familyOf("reduction").variants()) {
        for (const Tunable& tunable : variant.tunables) {
            std::vector<int> choices = tunable.choices;
            if (choices.empty()) choices = {tunable.minimum, tunable.fallback, tunable.maximum};
            for (const int value : choices) {
                const bool ray = variant.id.starts_with("ray");
                auto request =
                    reductionRequest(ray ? volume : row, ray ? projected("z", "mean") : ParameterValues{}, GetParam());
                request.variants = {variant.id};
                request.tunables = {{tunable.id, value}};
                const auto run = m_runner.run(request).runs.front();
                EXPECT_EQ(run.status, Status::ok)
                    << variant.id << " " << tunable.id << " " << value << ": " << run.reason;
            }
        }
    }
}

TEST_P(ReductionOnDevice, OrderOfThreadsAndBlocksDoesNotMatter) {
    for (const auto type : {PixelType::u8, PixelType::f32}) {
        for (const std::uint64_t seed : {1, 7, 99}) {
            for (const int workers : {1, 2}) {
                const auto input = noiseOf({211, 97}, type);
                expectAllOk(input, {}, "shuffled", {.workers = workers, .shuffleSeed = seed});
                expectAllOk(input, comparedWith(noiseOf({211, 97}, type, 2)), "shuffled, compared",
                            {.workers = workers, .shuffleSeed = seed});
            }
        }
    }
}

// The ticket and the atomic result are there anew for each launch.
TEST_P(ReductionOnDevice, RepeatedLaunchesBeginAnew) {
    auto request = reductionRequest(noiseOf({83, 41, 1, 3}, PixelType::f32), {}, GetParam());
    request.timing = {.warmUps = 3, .minimumSamples = 5, .maximumSamples = 5};
    for (int times = 0; times < 2; ++times) {
        for (const auto& run : m_runner.run(request).runs)
            EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << run.variant << run.reason;
    }
}

INSTANTIATE_TEST_SUITE_P(Reduction, ReductionOnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
