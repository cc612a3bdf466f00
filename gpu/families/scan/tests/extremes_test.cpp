// SPDX-License-Identifier: Apache-2.0
// Values far apart, infinities and NaN: a result is made of what its window, or the line up to it, holds, and of
// nothing else, by every variant on every device; masks are the same by all of them; and the check finds what is not
// so. Sums here go over each window by themselves.
#include "gpu/families/scan/reference.hpp"
#include "gpu/families/scan/tests/scan_case.hpp"
#include "gpu/families/scan/value_range.hpp"
#include "io/generate.hpp"

#include <array>
#include <cstring>
#include <functional>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMost = std::numeric_limits<float>::max(), kEps = 0x1p-24, kTiny = 0x1p-149;
constexpr double kExtremes[] = {1e16, 1e20, 1e38, kMost, -kMost, kInfinity, -kInfinity, kNan};

struct Window {
    long double sum = 0, magnitude = 0;
    double pixels = 0;
    int extremes = 0;  ///< not finite, or beyond 1e15
};

Window windowOf(const io::Grid& grid, std::int64_t x, std::int64_t y, std::int64_t z, int c, std::int64_t radius) {
    Window w;
    const io::Shape& s = grid.shape();
    for (auto v = std::max<std::int64_t>(0, y - radius); v <= std::min(s.height - 1, y + radius); ++v)
        for (auto u = std::max<std::int64_t>(0, x - radius); u <= std::min(s.width - 1, x + radius); ++u) {
            const double value = grid.value(u, v, z, c);
            w.sum += value;
            w.magnitude += std::fabs(value);
            ++w.pixels;
            w.extremes += !(std::fabs(value) < 1e15);
        }
    return w;
}

template <class F>
void eachValue(const io::Shape& s, F f) {
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x)
                for (int c = 0; c < s.channels; ++c) f(x, y, z, c);
}

using Made = std::function<double(std::uint64_t)>;

std::shared_ptr<io::Grid> pictureOf(const io::Shape& shape, const Made& made) {
    auto grid = std::make_shared<io::Grid>(shape, PixelType::f32);
    for (std::int64_t i = 0; i < shape.values(); ++i)
        grid->as<float>()[i] = static_cast<float>(made(static_cast<std::uint64_t>(i)));
    return grid;
}

double unit(std::uint64_t i) { return static_cast<double>(io::randomBits(11, i) >> 40) * 0x1p-24; }
/// Of either sign, as many of each power of ten from 1e-38 to 1e38.
double anySize(std::uint64_t i) { return (i % 2 == 0 ? 1 : -1) * std::pow(10, 76 * unit(i) - 38); }

/// What lies around the extremes.
const std::pair<const char*, Made> kGrounds[] = {
    {"noise", unit},
    {"0.1", [](std::uint64_t) { return 0.1F; }},
    {"zero", [](std::uint64_t) { return 0.0; }},
    {"1e-38", [](std::uint64_t i) { return 1e-38 * (1 + unit(i)); }},
    {"0.1 x", [](std::uint64_t i) { return 0.1F * static_cast<float>(i % 50); }}};
constexpr std::int64_t kRadii[] = {1, 2, 3, 4, 5, 9, 15, 20, 21, 40, 1023};

class ScanExtremes : public ScanCase {
protected:
    void TearDown() override {
        if (m_values > 0)
            std::printf("[   COUNTS ] %s: %d rows, %lld values, %d rows refused\n", GetParam().c_str(), m_rows,
                        static_cast<long long>(m_values), m_refused);
    }

    /// Calls judge(run) for every row that is ok; all others say why not. What adds up each window is among them.
    template <class F>
    void everyRow(const std::shared_ptr<const io::Grid>& input, const char* task, std::int64_t radius, double offset,
                  F judge) {
        const ParameterValues values{{"task", std::string(task)}, {"radius", radius}, {"offset", offset}};
        std::set<std::string> ran;
        for (const auto& run : m_runner.run(scanRequest(input, values, GetParam())).runs) {
            if (run.status == Status::unsupported) {
                EXPECT_FALSE(run.reason.empty()) << run.variant;
                m_refused += run.reason.find("from one another") != std::string::npos;
                continue;
            }
            ASSERT_EQ(run.status, Status::ok) << describe(run) << ", radius " << radius;
            ran.insert(run.variant);
            ++m_rows;
            m_values += input->shape().values();
            judge(run);
        }
        EXPECT_TRUE(ran.contains("one_pass")) << radius;
        EXPECT_EQ(ran.contains("direct"), radius <= 31) << radius;
    }
    void expectMeans(const std::shared_ptr<const io::Grid>& input, std::int64_t radius) {
        std::vector<Window> windows;
        eachValue(input->shape(),
                  [&](auto x, auto y, auto z, int c) { windows.push_back(windowOf(*input, x, y, z, c, radius)); });
        everyRow(input, "box", radius, 0, [&](const RunRecord& run) {
            std::size_t i = 0;
            int wrong = 0;
            eachValue(input->shape(), [&](auto x, auto y, auto z, int c) {
                const Window& w = windows[i++];
                const double got = run.result.picture->value(x, y, z, c), want = static_cast<double>(w.sum / w.pixels);
                const bool right =
                    std::isfinite(want)
                        ? std::fabs(got - want) <= 64 * kEps * static_cast<double>(w.magnitude / w.pixels) + kTiny
                        : got == want || (std::isnan(got) && std::isnan(want));
                if (!right && ++wrong == 1)
                    ADD_FAILURE() << run.variant << " radius " << radius << " at " << x << ", " << y << ": " << got
                                  << " instead of " << want;
            });
        });
    }
    /// All rows make one mask. Where f64 holds every sum of a window's values, it is that of the definition.
    void expectMasks(const std::shared_ptr<const io::Grid>& input, std::int64_t radius, double offset) {
        std::shared_ptr<const io::Grid> first;
        everyRow(input, "threshold", radius, offset, [&](const RunRecord& run) {
            const io::Grid& made = *run.result.picture;
            if (first == nullptr) first = run.result.picture;
            EXPECT_EQ(std::memcmp(made.data(), first->data(), made.bytes()), 0) << run.variant << " radius " << radius;
        });
        ASSERT_NE(first, nullptr);
        eachValue(input->shape(), [&](auto x, auto y, auto z, int c) {
            const Window w = windowOf(*input, x, y, z, c, radius);
            if (w.extremes > 0 && std::isfinite(static_cast<double>(w.sum))) return;
            const double want = (input->value(x, y, z, c) + offset) * w.pixels > w.sum ? 255 : 0;
            EXPECT_EQ(first->value(x, y, z, c), want) << x << ", " << y << ", radius " << radius;
        });
    }

    int m_rows = 0, m_refused = 0;
    std::int64_t m_values = 0;
};

TEST_P(ScanExtremes, ReachNoWindowThatDoesNotHoldThem) {
    std::uint64_t number = 0;
    for (const auto& [name, ground] : kGrounds)
        for (const double extreme : kExtremes)
            for (const auto& shape : {io::Shape{50, 9}, io::Shape{7, 45}, io::Shape{300, 2}}) {
                SCOPED_TRACE(std::string(name) + " around " + std::to_string(extreme));
                const auto input = pictureOf(shape, ground);
                const std::int64_t places[] = {0, shape.values() / 2 + 3, shape.values() - 1};
                input->as<float>()[places[number % 3]] = static_cast<float>(extreme);
                expectMeans(input, kRadii[number % std::size(kRadii)]);
                expectMasks(input, kRadii[(number + 4) % std::size(kRadii)], number % 5 == 0 ? 0.25 : 0);
                ++number;
            }
}

TEST_P(ScanExtremes, OfEverySizeAndRadius) {
    for (const std::int64_t radius : kRadii) {
        expectMeans(pictureOf({61, 23}, anySize), radius);
        // A row of it is longer than a block goes along, with windows of every place in a stretch.
        if (radius > 9) expectMeans(pictureOf({1100, 3}, [](std::uint64_t i) { return anySize(i / 2); }), radius);
        auto input = pictureOf({70, 40}, unit);
        for (std::int64_t i = 0; i < 70; ++i) input->setValue(i, 11, 0, 0, -kMost);  // a whole row of no data
        expectMeans(input, radius);
        expectMasks(input, radius, 0);
        expectMeans(pictureOf({30, 20}, [](std::uint64_t) { return kMost; }), radius);
    }
}

TEST_P(ScanExtremes, StayInTheirChannelAndSlice) {
    const auto input = pictureOf({19, 11, 3, 3}, unit);
    input->setValue(5, 5, 1, 1, kNan);
    input->setValue(18, 10, 0, 2, -kMost);
    for (const std::int64_t radius : {2, 6, 30}) {
        expectMeans(input, radius);
        expectMasks(input, radius, 0);
    }
}

// Equal values are never above their mean, whatever their digits; nor is a value above one that equals it.
TEST_P(ScanExtremes, NoValueIsAboveAMeanThatItIsEqualTo) {
    for (const double value : {0.1, 1.0 / 3, 1e-38, 1e-45, 3e38, -0.7, 0.0, 16777215.0})
        for (const std::int64_t radius : {2, 15, 33}) {
            const auto flat = pictureOf({37, 5}, [value](std::uint64_t) { return value; });
            expectMasks(flat, radius, 0);
            everyRow(flat, "threshold", radius, 0, [&](const RunRecord& run) {
                eachValue(flat->shape(), [&](auto x, auto y, auto, int) {
                    EXPECT_EQ(run.result.picture->value(x, y), 0) << run.variant << " " << value;
                });
            });
            // Beside a value that no sum of f64 holds with it, and as a slope, whose middle is its mean.
            const auto beside = pictureOf({37, 5}, [value](std::uint64_t i) { return i == 184 ? 1e30 : value; });
            expectMasks(beside, radius, 0);
            expectMasks(pictureOf({37, 5},
                                  [value](std::uint64_t i) {
                                      return static_cast<float>(value) * 0.25F * static_cast<float>(i % 37 + i / 37);
                                  }),
                        radius, 0);
        }
    for (const auto type : {PixelType::u8, PixelType::u16})
        for (const std::int64_t radius : {1, 7, 33})
            for (const double offset : {0.0, 0.1, -2.0}) expectMasks(noise({37, 25}, type), radius, offset);
}

// A sum is made of the values up to it.
TEST_P(ScanExtremes, ReachNoSumBeforeThem) {
    int number = 0;
    for (const double extreme : kExtremes)
        for (const auto& values :
             {runningSums("values"), runningSums("rows", "exclusive"), runningSums("columns"), scanTask("integral")}) {
            // A column is a block of its own, of which the SIMT device takes one after another.
            const auto along = values.find("along");
            const bool columns = along != values.end() && along->second == Parameter::Value(std::string("columns"));
            const auto input = pictureOf(columns ? io::Shape{3, 70} : io::Shape{290, 2}, unit);
            input->as<float>()[std::array{0, 31, 170, 209}[static_cast<std::size_t>(number++ % 4)]] =
                static_cast<float>(extreme);
            EXPECT_GE(expectAllOk(input, values, "sums").size(), 10U);
        }
    for (const auto& values : {runningSums("values"), runningSums("rows"), scanTask("integral")})
        expectAllOk(pictureOf({301, 2}, anySize), values, "values of any size");
}

INSTANTIATE_TEST_SUITE_P(Scan, ScanExtremes, kDevices, nameOfDevice);

/// The problem, and a right result of it.
struct Checked {
    std::unique_ptr<Problem> problem;
    const Variant* variant;
    Result result;

    Checked(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values, const char* row)
        : problem(familyOf("scan").pose(input, values)), variant(findVariant("scan", row)) {
        Request request = scanRequest(input, values, "cpu");
        request.variants = {row};
        Runner runner;
        result = runner.run(request).runs.front().result;
    }
    /// Of the right result with one value in another's place.
    std::int64_t mismatches(std::int64_t x, std::int64_t y, double value) const {
        Result wrong = result;
        auto picture = std::make_shared<io::Grid>(result.picture->clone());
        picture->setValue(x, y, 0, 0, value);
        wrong.picture = picture;
        return problem->verify(wrong, *variant, {}).mismatches;
    }
};

// A bound follows from the window, whatever lies elsewhere: in its row, in its slice.
TEST(ScanExtremesCheck, FindsErrorsFarFromAnExtreme) {
    for (const double extreme : kExtremes)
        for (const char* row : {"direct", "one_pass"})
            for (const std::int64_t radius : {2, 9, 25}) {
                const auto input = pictureOf({90, 12}, unit);
                input->setValue(0, 5, 0, 0, extreme);
                const Checked box(input, {{"task", std::string("box")}, {"radius", radius}}, row);
                const double mean = box.result.picture->value(80, 5);
                // Of values of one sign, of which none is rounded more than 37 times.
                EXPECT_EQ(box.mismatches(80, 5, mean * (1 + 64 * kEps)), 1) << row << ' ' << radius << ' ' << extreme;
                EXPECT_EQ(box.mismatches(80, 5, mean), 0) << row << ' ' << radius << ' ' << extreme;
                EXPECT_EQ(box.mismatches(80, 5, kNan), 1);
                const Checked mask(input, {{"task", std::string("threshold")}, {"radius", radius}}, row);
                const double verdict = mask.result.picture->value(80, 5);
                EXPECT_EQ(mask.mismatches(80, 5, 255 - verdict), 1) << row << ' ' << radius << ' ' << extreme;
            }
}

TEST(ScanExtremesCheck, FindsAnEqualValueAboveItsMean) {
    for (const char* row : {"direct", "one_pass", "naive"})
        for (const double value : {0.1, 1e-38, 3e38}) {
            const Checked flat(pictureOf({37, 5}, [value](std::uint64_t) { return value; }),
                               {{"task", std::string("threshold")}, {"radius", std::int64_t{2}}}, row);
            EXPECT_EQ(flat.mismatches(20, 3, 255), 1) << row << ' ' << value;
        }
}

// A level so near to a mean that f64 does not tell them apart may be above it or not; a little further it is.
TEST(ScanExtremesCheck, LeavesOpenWhatNoDigitDecidesAndNothingElse) {
    const auto input = pictureOf({3, 3}, [](std::uint64_t i) { return i == 0 ? 1e-30 : 1.0; });
    constexpr double kSum = 8, kOpen = (9 + 4) * 0x1p-53 * kSum;
    for (const char* row : {"direct", "one_pass"})
        for (const double part : {0.5, -0.5, 4.0, -4.0}) {
            const double offset = (kSum + part * kOpen) / 9 - 1;
            const Checked mask(
                input, {{"task", std::string("threshold")}, {"radius", std::int64_t{1}}, {"offset", offset}}, row);
            const bool open = std::fabs(part) < 1;
            EXPECT_EQ(mask.mismatches(1, 1, 0), !open && part > 0) << row << ' ' << part;
            EXPECT_EQ(mask.mismatches(1, 1, 255), !open && part < 0) << row << ' ' << part;
        }
}

// Where large values cancel, what f64 loses of them is all that a mean may be off by.
TEST(ScanExtremesCheck, AllowsWhatF64LosesOfAWindowAndNoMore) {
    const auto input = pictureOf({3, 3}, [](std::uint64_t i) { return i == 0 ? 1e16 : i == 1 ? -1e16 : 1.0; });
    constexpr double kMean = 7.0 / 9, kOpen = (9 + 4) * 0x1p-53 * 2e16 / 9;
    const Checked box(input, {{"task", std::string("box")}, {"radius", std::int64_t{1}}}, "direct");
    for (const double sign : {1.0, -1.0}) {
        EXPECT_EQ(box.mismatches(1, 1, kMean + sign * 0.6 * kOpen), 0) << sign;
        EXPECT_EQ(box.mismatches(1, 1, kMean + sign * 1.5 * kOpen), 1) << sign;
    }
}

TEST(ScanExtremesCheck, FindsErrorsOfSumsBeforeAnExtreme) {
    const auto input = pictureOf({700, 1}, unit);
    input->setValue(699, 0, 0, 0, 1e30);
    for (const char* row : {"naive", "look_back", "carried"}) {
        const Checked sums(input, {}, row);
        const double sum = sums.result.picture->value(3, 0);
        // Of four values at most 64 and some roundings, by naive five.
        EXPECT_EQ(sums.mismatches(3, 0, sum * (1 + 128 * kEps)), 1) << row;
        EXPECT_EQ(sums.mismatches(3, 0, sum * (1 + 8 * kEps)), std::strcmp(row, "naive") == 0 ? 1 : 0) << row;
    }
}

TEST(ScanValueRange, SaysWhetherSumsAreExact) {
    const auto of = [](const Made& made) { return scan::rangeOf(*pictureOf({64, 48}, made), 1); };
    EXPECT_TRUE(of(unit).exactOverSlices());
    EXPECT_TRUE(of([](std::uint64_t) { return 0.0; }).exactOverSlices());
    EXPECT_TRUE(of([](std::uint64_t i) { return static_cast<double>(i) * kTiny; }).exactOverSlices());
    EXPECT_FALSE(of([](std::uint64_t i) { return i == 99 ? 1e16 : unit(i); }).exactOverSlices());
    // Each row is exact, and so are windows; what all rows come to is not.
    const auto rows = of([](std::uint64_t i) { return i == 99 ? 1.0 : 0x1p42; });
    EXPECT_TRUE(rows.exactInWindows(3));
    EXPECT_FALSE(rows.exactOverSlices());
    EXPECT_FALSE(of([](std::uint64_t i) { return i == 99 ? kNan : 1.0; }).finite);
    EXPECT_FALSE(of(anySize).exactInWindows(3));
    EXPECT_EQ(of([](std::uint64_t) { return 0.75; }).unit, -2);
    EXPECT_EQ(of([](std::uint64_t) { return 3e-45; }).unit, -148);
    EXPECT_EQ(of([](std::uint64_t) { return kMost; }).unit, 104);
    // Every value that a float of this magnitude can have; the sum itself has one bit to spare.
    for (int exponent = -126; exponent <= 127; ++exponent)
        EXPECT_EQ(scan::unitOf(std::ldexp(1.5F, exponent)), exponent - 1) << exponent;
}

}  // namespace
}  // namespace warplens::gpu::testing
