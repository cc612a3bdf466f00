// SPDX-License-Identifier: Apache-2.0
// Pictures on their plan through a device: every way of the ladder brings the bits of each picture that was run alone.
#include "gpu/core/error.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/run/movement_plans.hpp"
#include "gpu/run/transfer_benchmark.hpp"
#include "tests/gpu/late_device.hpp"
#include "tests/support/devices.hpp"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens::gpu::testing {
namespace {

using ::testing::HasSubstr;

struct Case {
    std::string family;
    ParameterValues parameters;
    std::string variant;
    io::Shape shape{};
    io::PixelType type = io::PixelType::f32;
};

MovementRequest requestOf(const Case& one, std::size_t pictures) {
    return {.input = noise(one.shape, one.type),
            .inputName = "noise",
            .family = one.family,
            .parameters = one.parameters,
            .variant = one.variant,
            .tunables = {},
            .pictures = pictures,
            .samples = 1,
            .ways = {}};
}

/// The way that the CPU device cannot do.
bool needsNullStream(const std::string& way) { return way == "null_stream"; }

const Case kGrey{"convolution", {{"radius", std::int64_t{2}}}, "constant", {61, 83}};

std::string refusalOf(const MovementRequest& request) {
    const auto device = openDevice("cpu");
    try {
        measureMovement(request, {}, *device, {});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

class MovementOnDevice : public ::testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        requireDevice(GetParam());
        if (!IsSkipped()) m_device = openDevice(GetParam());
    }
    /// What the family makes of the picture when nothing else is on its plan, by planes.
    std::vector<std::byte> alone(const TransferWorkload& work, const std::byte* sent) {
        Resident resident;
        const auto session = work.problem->open(*m_device, resident);
        m_device->upload(resident.planes, sent, work.sentBytes);
        session->prepare(*work.variant, work.tunables);
        session->poisonOutput();
        session->launch();
        std::vector<std::byte> made(work.madeBytes);
        m_device->download(made.data(), *session->picture()->planes, made.size());
        return made;
    }
    std::unique_ptr<Device> m_device;
};

/// Independent of how the ways are measured: pictures that have nothing in common.
TEST_P(MovementOnDevice, BringsTheBitsOfEachPictureAlone) {
    constexpr std::size_t kPictures = 6;
    for (const Case& one :
         {kGrey, Case{"convolution", {{"border", std::string("reflect")}}, "naive", {35, 29, 1, 3}, io::PixelType::u8},
          Case{"convolution", {{"dimensions", std::string("3")}}, "naive", {20, 18, 17}}}) {
        const Family& family = familyOf(one.family);
        TransferWorkload work{.input = noise(one.shape, one.type),
                              .family = one.family,
                              .parameters = one.parameters,
                              .problem = {},
                              .variant = &variantOf(family, one.variant),
                              .tunables = resolve(variantOf(family, one.variant), {}),
                              .pictures = kPictures,
                              .sentBytes = 0,
                              .madeBytes = 0};
        work.problem = family.pose(work.input, one.parameters);
        work.sentBytes = work.madeBytes = work.input->bytes();
        const auto sent = overlappingOf(*m_device).pinned(kPictures * work.sentBytes);
        const auto made = overlappingOf(*m_device).pinned(kPictures * work.madeBytes);
        for (std::size_t i = 0; i < kPictures; ++i) {
            const auto picture = noise(one.shape, one.type, 100 + i);
            std::memcpy(sent.get() + i * work.sentBytes, picture->data(), work.sentBytes);
        }
        for (const MovementPlan& plan : movementPlans()) {
            if (plan.memory == MovedMemory::slots) continue;
            Mover mover(*m_device, work, sent.get(), made.get());
            try {
                plan.open(mover);
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), Error::Kind::unsupported) << error.what();
                EXPECT_TRUE(one.variant != kGrey.variant || needsNullStream(plan.way.id))
                    << plan.way.id << ": " << error.what();
                continue;
            }
            for (const bool clocked : {false, true}) {
                std::memset(made.get(), 0xa5, kPictures * work.madeBytes);
                const std::size_t stages = mover.items() * (plan.way.id == "graph" ? 1 : 3);
                EXPECT_EQ(mover.sample(plan.put, clocked).spans.size(), clocked ? stages : 0) << plan.way.id;
                for (std::size_t i = 0; i < kPictures; ++i)
                    ASSERT_EQ(std::memcmp(alone(work, sent.get() + i * work.sentBytes).data(),
                                          made.get() + i * work.madeBytes, work.madeBytes),
                              0)
                        << one.variant << ", " << plan.way.id << ", picture " << i << (clocked ? ", clocked" : "");
            }
        }
    }
}

TEST_P(MovementOnDevice, EveryWayIsTimedAndItsEnginesTakeTurns) {
    const TransferBenchmark movement = measureMovement(requestOf(kGrey, 4), {}, *m_device, {});
    EXPECT_EQ(movement.verification.mismatches, 0);
    EXPECT_EQ(movement.sentBytes, 61 * 83 * 4);
    ASSERT_EQ(movement.rows.size(), movementWays().size());
    for (const MovementRow& row : movement.rows) {
        if (GetParam() == "cpu" && needsNullStream(row.way)) {
            EXPECT_EQ(row.status, Status::unsupported);
            EXPECT_THAT(row.reason, HasSubstr("no null stream"));
            continue;
        }
        ASSERT_EQ(row.status, Status::ok) << row.way << ": " << row.reason;
        EXPECT_GT(row.medianMs, 0);
        EXPECT_EQ(row.ms.size(), 1U);
        double free[3] = {};
        for (const MovementSpan& span : row.spans) {
            EXPECT_LE(span.begin, span.end);
            EXPECT_LE(span.end, row.seconds);
            if (span.engine == MovementEngine::graph || span.engine == MovementEngine::hostReads) continue;
            double& last = free[static_cast<int>(span.engine)];
            EXPECT_GE(span.begin, last) << row.way;
            last = span.end;
        }
    }
    const auto itemsOf = [&](const std::string& way) {
        return std::ranges::find(movement.rows, way, &MovementRow::way)->items;
    };
    ASSERT_EQ(itemsOf("bands").size(), 4 * 2U);
    EXPECT_EQ(itemsOf("bands")[1].name, "picture 1, band 2");
    EXPECT_EQ(itemsOf("bands")[3].name, "picture 2, band 2");
    EXPECT_EQ(itemsOf("bands")[3].bytes, 40 * 61 * 4) << "rows 43 to 82: those above, a halo too, are there";
    ASSERT_EQ(itemsOf("batched").size(), 1U);
    EXPECT_EQ(itemsOf("batched")[0].name, "pictures 1 to 4");
    EXPECT_GT(floorOf(movement), 0);
}

/// Each but the first begins with what the one before ended with, which is not sent again.
TEST(TransferBenchmark, BandsOfAVolumeKeepTheHaloThatIsThere) {
    const auto device = openDevice("cpu");
    const ParameterValues cube{{"dimensions", std::string("3")}, {"radius", std::int64_t{1}}};
    auto request = requestOf({"convolution", cube, "naive", {64, 64, 150}}, 1);
    request.ways = {"bands"};
    const TransferBenchmark movement = measureMovement(request, {}, *device, {});
    ASSERT_EQ(movement.rows.size(), 1U);
    const MovementRow& row = movement.rows.front();
    ASSERT_EQ(row.status, Status::ok) << row.reason;
    std::vector<std::int64_t> slices;
    for (const MovementItem& item : row.items) slices.push_back(item.bytes / (64 * 64 * 4));
    EXPECT_EQ(slices, (std::vector<std::int64_t>{51, 50, 49}));
}

/// A lane may be as late as its waits allow, whatever the machine does.
TEST(TransferBenchmark, BitsHoldInEveryOrderThatTheWaitsAllow) {
    std::vector<int> ranks{0, 1, 2};
    do {
        LateDevice device(ranks);
        const TransferBenchmark movement = measureMovement(requestOf(kGrey, 8), {}, device, {});
        for (const MovementRow& row : movement.rows)
            EXPECT_EQ(row.status, needsNullStream(row.way) ? Status::unsupported : Status::ok)
                << row.way << ": " << row.reason << ": " << ranks[0] << ranks[1];
        // A slice of a halo is taken from the band before, whose place the next picture's band wants.
        const ParameterValues cube{{"dimensions", std::string("3")}, {"radius", std::int64_t{1}}};
        auto volumes = requestOf({"convolution", cube, "naive", {16, 16, 12}}, 6);
        volumes.ways = {"bands"};
        const TransferBenchmark bands = measureMovement(volumes, {}, device, {});
        EXPECT_EQ(bands.rows.front().status, Status::ok) << bands.rows.front().reason << ": " << ranks[0] << ranks[1];
    } while (std::next_permutation(ranks.begin(), ranks.end()));
}

/// The fields of an iteration change places with every step, in another thread than the one that gives the copies.
TEST(TransferBenchmark, AResultIsFetchedFromWhereItLiesThen) {
    const auto device = openDevice("cpu");
    for (const std::int64_t steps : {1, 3, 7}) {
        auto request = requestOf({"stencil", {{"iterations", steps}}, "naive", {64, 48}}, 64);
        request.samples = 3;
        request.ways = {"pageable", "two_streams", "ring", "engines", "graph"};
        for (const MovementRow& row : measureMovement(request, {}, *device, {}).rows)
            EXPECT_EQ(row.status, Status::ok) << row.way << ", " << steps << " steps: " << row.reason;
    }
}

INSTANTIATE_TEST_SUITE_P(Run, MovementOnDevice, kDevices, nameOfDevice);

TEST(TransferBenchmark, SaysWhatAWayCannotDo) {
    auto request = requestOf({"convolution", {}, "constant", {61, 12, 1, 3}, io::PixelType::u8}, 3);
    const auto device = openDevice("cpu");
    const TransferBenchmark colour = measureMovement(request, {}, *device, {});
    const auto reasonOf = [](const TransferBenchmark& movement, const std::string& way) {
        const auto row = std::ranges::find(movement.rows, way, &MovementRow::way);
        return row->status == Status::unsupported ? row->reason : "";
    };
    EXPECT_THAT(reasonOf(colour, "bands"), HasSubstr("give a picture of one channel"));
    EXPECT_THAT(reasonOf(colour, "batched"), HasSubstr("give a picture of one channel"));
    EXPECT_EQ(reasonOf(colour, "ring"), "");
    request = requestOf({"convolution", {{"border", std::string("wrap")}}, "constant", {61, 12}}, 1);
    request.ways = {"batched", "bands"};
    const TransferBenchmark wrapped = measureMovement(request, {}, *device, {});
    ASSERT_EQ(wrapped.rows.size(), 2U);
    EXPECT_EQ(wrapped.rows[0].way, "bands") << "in the ladder's order";
    EXPECT_THAT(reasonOf(wrapped, "bands"), HasSubstr("choose another border"));
    EXPECT_EQ(reasonOf(wrapped, "batched"), "there is only one picture");
}

TEST(TransferBenchmark, RefusesWhatIsImpossibleInOneLine) {
    auto request = requestOf(kGrey, 2);
    request.ways = {"pinned", "faster"};
    EXPECT_THAT(refusalOf(request), HasSubstr("no way 'faster': choose one of pageable, pinned, "));
    request = requestOf({"convolution", {}, "opencv", {61, 12}}, 2);
    EXPECT_THAT(refusalOf(request), HasSubstr("runs on the host"));
    request = requestOf({"convolution", {}, "constant", {61, 12, 1, 4}, io::PixelType::u8}, 2);
    EXPECT_THAT(refusalOf(request), HasSubstr("alpha channel"));
    EXPECT_THAT(refusalOf(requestOf(kGrey, std::size_t{1} << 40)),
                HasSubstr("more than half of this machine's memory"));
    EXPECT_THAT(refusalOf(requestOf({"stencil", {}, "naive", {61, 12}, io::PixelType::u8}, 2)),
                HasSubstr("takes its picture once"));
    EXPECT_THAT(refusalOf(requestOf({"histogram", {}, "naive", {61, 12}}, 2)), HasSubstr("makes no picture"));
}

/// What is queued on a GPU is done after a stop, too.
TEST(TransferBenchmark, FewStagesAreQueuedAheadOfThoseThatAreDone) {
    EXPECT_EQ(stagesAhead(0, 0), 12U);
    EXPECT_EQ(stagesAhead(10, 10), 12U) << "a ring and the next one, however long it takes";
    EXPECT_EQ(stagesAhead(0.01, 10), 40U) << "40 ms";
    const std::shared_ptr<const Problem> problem =
        familyOf(kGrey.family).pose(noise(kGrey.shape, kGrey.type), kGrey.parameters);
    const Variant& variant = variantOf(familyOf(kGrey.family), kGrey.variant);
    const std::size_t bytes = 61 * 83 * sizeof(float);
    const TransferWorkload work{.problem = problem,
                                .variant = &variant,
                                .tunables = resolve(variant, {}),
                                .pictures = 40,
                                .sentBytes = bytes,
                                .madeBytes = bytes};
    LateDevice device({0});
    std::vector<std::byte> sent(40 * bytes), made(40 * bytes);
    Mover mover(device, work, sent.data(), made.data());
    const auto& plan =
        *std::ranges::find(movementPlans(), "pinned", [](const MovementPlan& one) { return one.way.id; });
    plan.open(mover);
    mover.sample(plan.put, true);
    ASSERT_GE(device.waits().size(), 2U);
    EXPECT_EQ(device.waits()[1], 1 + 12 * 3U) << "the beginning, and twelve stages between two moments each";
}

TEST(TransferBenchmark, AStopReturnsWhatIsDone) {
    std::stop_source stop;
    const auto device = openDevice("cpu");
    int told = 0;
    const TransferBenchmark movement =
        measureMovement(requestOf(kGrey, 2), {}, *device, stop.get_token(), [&](double, const std::string&) {
            if (++told == 4) stop.request_stop();
        });
    EXPECT_TRUE(movement.interrupted);
    EXPECT_EQ(movement.rows.size(), 2U);
}

}  // namespace
}  // namespace warplens::gpu::testing
