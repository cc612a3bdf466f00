// SPDX-License-Identifier: Apache-2.0
// The stepper by itself, as watching and slabs use it.
#include "gpu/families/stencil/stepper.hpp"

#include "gpu/core/error.hpp"
#include "gpu/device/lane.hpp"
#include "gpu/families/stencil/problem.hpp"
#include "gpu/families/stencil/tests/stencil_case.hpp"
#include "tests/gpu/stopping_device.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace warplens::gpu::stencil {
namespace {

using testing::noise;

struct Bench {
    std::unique_ptr<Device> device = openDevice("cpu");
    std::shared_ptr<io::Grid> grid;
    Buffer input;
    Extent extent;

    explicit Bench(std::shared_ptr<io::Grid> volume) : grid(std::move(volume)) {
        const auto& s = grid->shape();
        extent = {static_cast<int>(s.width), static_cast<int>(s.height), static_cast<int>(s.depth), 1, 1};
        input = device->allocate(grid->bytes());
        device->upload(input, grid->data(), grid->bytes());
    }
    std::vector<float> fieldOf(const Stepper& stepper) {
        std::vector<float> values(extent.cells());
        device->download(values.data(), stepper.current(), values.size() * sizeof(float));
        return values;
    }
};

Operator heat() { return makeOperator({}, 9, 9, 9).op; }

const Variant& variantNamed(const std::string& id) {
    for (const auto& variant : ladder().variants()) {
        if (variant.id == id) return variant;
    }
    throw Error(Error::Kind::argument, id);
}

TEST(Stepper, AdvancesInPartsAsInOne) {
    Bench bench(noise({40, 21, 13}, io::PixelType::f32));
    for (const auto& variant : ladder().variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        Stepper stepper(*bench.device, bench.extent, heat());
        stepper.load(bench.input, io::PixelType::f32);
        stepper.prepare(variant, resolve(variant, {}));
        stepper.advance(11);
        const auto whole = bench.fieldOf(stepper);
        EXPECT_EQ(stepper.step(), 11);
        stepper.restart();
        EXPECT_EQ(bench.fieldOf(stepper),
                  std::vector<float>(bench.grid->as<float>(), bench.grid->as<float>() + bench.extent.cells()));
        stepper.advance(3);
        stepper.advance(0);
        stepper.advanceAndCompare(5);
        stepper.advance(3);
        EXPECT_EQ(stepper.step(), 11);
        EXPECT_EQ(bench.fieldOf(stepper), whole) << variant.id;
    }
}

// A part of the volume with a halo of n slices has its inner part right after n steps: what slabs rest on.
TEST(Stepper, ASlabWithItsHaloEqualsTheWhole) {
    Bench bench(noise({23, 18, 30}, io::PixelType::f32));
    Operator op = heat();
    op.regions = parseRegions("3 at x=4..6 y=2..5 z=9..14", 23, 18, 30);
    constexpr int kSteps = 4, kFirst = 10, kLast = 17, kFrom = kFirst - kSteps, kTo = kLast + kSteps;
    const std::size_t slice = 23 * 18;
    for (const std::string id : {"naive", "tiled", "sliced", "register_tiled", "marching", "fused"}) {
        const auto run = [&](const Buffer& buffer, const Extent& extent, const Operator& part) {
            Stepper stepper(*bench.device, extent, part);
            stepper.load(buffer, io::PixelType::f32);
            stepper.prepare(variantNamed(id), resolve(variantNamed(id), {}));
            stepper.advance(kSteps);
            std::vector<float> values(extent.cells());
            bench.device->download(values.data(), stepper.current(), values.size() * sizeof(float));
            return values;
        };
        const auto whole = run(bench.input, bench.extent, op);
        Extent part = bench.extent;
        part.depth = kTo - kFrom;
        const Buffer slab = bench.device->allocate(part.cells() * sizeof(float));
        bench.device->upload(slab, bench.grid->as<float>() + kFrom * slice, part.cells() * sizeof(float));
        const auto values = run(slab, part, op.onSlab(kFrom, part.depth));
        const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(kFirst * slice);
        EXPECT_TRUE(std::equal(begin, begin + static_cast<std::ptrdiff_t>((kLast - kFirst) * slice),
                               values.begin() + static_cast<std::ptrdiff_t>((kFirst - kFrom) * slice)))
            << id;
    }
}

/// The CPU device while somebody records what is launched, as a lane does for a graph.
class RecordingDevice final : public testing::StoppingDevice, public StreamDevice {
public:
    using StoppingDevice::StoppingDevice;
    bool recording() const override { return m_recording; }
    void setRecording(bool recording) { m_recording = recording; }
    std::unique_ptr<LaunchGraph> record(const std::function<void()>&) override {
        ++recorded;
        return nullptr;
    }
    std::unique_ptr<Lane> createStream(StreamKind) override {
        throw Error(Error::Kind::internal, "no lane is asked for");
    }
    std::shared_ptr<std::byte> pinned(std::size_t) const override { return nullptr; }
    void setPlacement(Placement, std::size_t) override {}
    std::byte* hostAddress(const Buffer&) const override { return nullptr; }
    int recorded = 0;

private:
    bool m_recording = false;
};

// A recording within a recording would spoil both.
TEST(Stepper, GivesItsOwnLaunchesToWhoeverRecords) {
    std::stop_source never;
    RecordingDevice device(never, 0);
    Bench bench(noise({9, 9, 9}, io::PixelType::f32));
    const Buffer input = device.allocate(bench.grid->bytes());
    device.upload(input, bench.grid->data(), bench.grid->bytes());
    Stepper stepper(device, bench.extent, heat());
    stepper.load(input, io::PixelType::f32);
    stepper.prepare(variantNamed("naive"), resolve(variantNamed("naive"), {}));
    const auto field = [&] {
        std::vector<float> values(bench.extent.cells());
        device.download(values.data(), stepper.current(), values.size() * sizeof(float));
        return values;
    };
    stepper.run(3);
    const auto plain = field();
    device.setRecording(true);
    for (int i = 0; i < 2; ++i) stepper.run(3);
    EXPECT_EQ(device.recorded, 0);
    EXPECT_EQ(field(), plain);
    device.setRecording(false);
    stepper.run(3);
    EXPECT_EQ(device.recorded, 1) << "of its own, once it may";
    EXPECT_EQ(field(), plain);
}

// Sanitizers make a block several times slower; what is promised is promised of the program itself.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::chrono::milliseconds kPromised{2000};
#else
constexpr std::chrono::milliseconds kPromised{250};
#endif

TEST(Stepper, StopsWithin250Milliseconds) {
    Bench bench(noise({160, 160, 40}, io::PixelType::f32));
    for (const auto& variant : ladder().variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        Stepper stepper(*bench.device, bench.extent, heat());
        stepper.load(bench.input, io::PixelType::f32);
        stepper.prepare(variant, resolve(variant, {}));
        std::stop_source source;
        bench.device->setStop(source.get_token());
        std::chrono::steady_clock::time_point asked;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        });
        EXPECT_THROW(stepper.advance(1'000'000), Error) << variant.id;
        stopper.join();
        EXPECT_LT(std::chrono::steady_clock::now() - asked, kPromised) << variant.id;
        bench.device->setStop({});
    }
}

}  // namespace
}  // namespace warplens::gpu::stencil
