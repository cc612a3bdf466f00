// SPDX-License-Identifier: Apache-2.0
// The kernel: volume and bricks stay on the device, the tables go there with every frame, pixels come back.
#include "gpu/device/device.hpp"
#include "gpu/render/renderers.hpp"

#include <utility>

namespace warplens::gpu::render {

namespace {

class KernelRenderer final : public Renderer {
public:
    explicit KernelRenderer(std::unique_ptr<Device> device) : m_device(std::move(device)) {}

protected:
    void load(const io::Grid& values, Bricks bricks) override {
        m_values = {};  // freed before the new one is asked for
        m_values = m_device->allocate(values.bytes());
        m_device->upload(m_values, values.data(), values.bytes());
        m_type = values.type();
        fill(m_bricks, bricks.ranges);
        m_count = bricks.count;
    }
    double draw(const RayScene& given, const Tables& tables, std::uint32_t* pixels, std::stop_token stop) override {
        RayScene scene = given;
        for (std::size_t a = 0; a < 3; ++a) scene.bricks[a] = m_count[a];
        fill(m_table, tables.entries);
        fill(m_visible, tables.visible);
        const std::size_t bytes = static_cast<std::size_t>(scene.width) * scene.height * sizeof(std::uint32_t);
        reserve(m_pixels, bytes);
        m_device->setStop(stop);
        const double ms = m_device->time([&] {
            raycastEntry(m_device->info())
                .launch(m_device->context(), scene,
                        {m_values.handle(), m_bricks.handle(), m_table.handle(), m_visible.handle(), m_pixels.handle()},
                        m_type);
        });
        m_device->setStop({});
        m_device->synchronize();
        m_device->download(pixels, m_pixels, bytes);
        m_device->takeLaunchFacts();
        return ms;
    }

private:
    void reserve(Buffer& buffer, std::size_t bytes) {
        if (buffer.bytes() >= bytes) return;
        buffer = {};
        buffer = m_device->allocate(bytes);
    }
    template <class T>
    void fill(Buffer& buffer, const std::vector<T>& values) {
        reserve(buffer, values.size() * sizeof(T));
        m_device->upload(buffer, values.data(), values.size() * sizeof(T));
    }

    std::unique_ptr<Device> m_device;  // outlives its buffers
    Buffer m_values, m_bricks, m_table, m_visible, m_pixels;
    io::PixelType m_type = io::PixelType::u8;
    std::array<int, 3> m_count{1, 1, 1};
};

}  // namespace

std::unique_ptr<Renderer> kernelRenderer(std::unique_ptr<Device> device) {
    return std::make_unique<KernelRenderer>(std::move(device));
}

}  // namespace warplens::gpu::render
