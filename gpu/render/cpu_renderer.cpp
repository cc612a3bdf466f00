// SPDX-License-Identifier: Apache-2.0
// The threaded loop: rows of rays, handed to all cores.
#include "gpu/device/device.hpp"
#include "gpu/render/renderers.hpp"

#include <chrono>
#include <tbb/parallel_for.h>
#include <utility>

namespace warplens::gpu::render {

namespace {

class CpuRenderer final : public Renderer {
protected:
    void load(const io::Grid& values, Bricks bricks) override {
        m_values = &values;
        m_bricks = std::move(bricks);
    }
    double draw(const RayScene& given, const Tables& tables, std::uint32_t* pixels, std::stop_token stop) override {
        RayScene scene = given;
        for (std::size_t a = 0; a < 3; ++a) scene.bricks[a] = m_bricks.count[a];
        const RaycastEntry::Memory memory{m_values->data(), m_bricks.ranges.data(), tables.entries.data(),
                                          tables.visible.data(), pixels};
        const RaycastEntry& entry = raycastEntry(DeviceInfo{});
        const auto start = std::chrono::steady_clock::now();
        tbb::parallel_for(0, scene.height, [&](int row) {
            if (!stop.stop_requested()) entry.rows(scene, memory, m_values->type(), row, row + 1);
        });
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    }

private:
    const io::Grid* m_values = nullptr;
    Bricks m_bricks;
};

}  // namespace

std::unique_ptr<Renderer> cpuRenderer() { return std::make_unique<CpuRenderer>(); }

std::unique_ptr<Renderer> openRenderer(const std::string& id) {
    // The device says whether this processor can run what its kernel units hold; the loop is one of them.
    std::unique_ptr<Device> device = openDevice(id);
    return device->info().ranks() ? kernelRenderer(std::move(device)) : cpuRenderer();
}

}  // namespace warplens::gpu::render
