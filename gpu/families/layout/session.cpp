// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/problem.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"

#include <optional>
#include <utility>

namespace warplens::gpu::layout {
namespace {

/// Puts the pixels where planes else are, so that nobody takes them for planes.
void uploadPixels(Device& device, const io::Grid& grid, Resident& resident) {
    resident = {};
    resident.planes = device.allocate(grid.bytes());
    resident.uploadMs = device.time([&] { device.upload(resident.planes, grid.data(), grid.bytes()); });
    resident.fresh = true;
}

/// Pixels that are made of planes come back as they are.
class LayoutSession final : public PictureSession<LayoutProblem, Arguments> {
public:
    using PictureSession::PictureSession;

    Result download(double& layoutMs, double& downloadMs) override {
        if (m_arguments.asked.task != Task::interleaved) return PictureSession::download(layoutMs, downloadMs);
        auto output = m_problem.emptyOutput();
        downloadMs += m_device.time([&] { m_device.download(output->data(), m_output, output->bytes()); });
        return {.picture = std::move(output)};
    }
    std::optional<DevicePicture> picture() const override {
        return m_arguments.asked.task == Task::interleaved ? std::nullopt : PictureSession::picture();
    }
};

}  // namespace

std::unique_ptr<Session> LayoutProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there twice while they are sorted: before the output is, and beside both
    // when it goes back.
    const LayoutOptions& asked = posed().asked;
    const bool sortedBack = asked.output.channels > 1 && asked.task != Task::interleaved;
    needMemory(device, resident, *m_input, static_cast<std::int64_t>((sortedBack ? 3 : 2) * m_input->bytes()));
    if (asked.task == Task::planar)
        uploadPixels(device, *m_input, resident);
    else
        keepResident(device, m_input, resident);
    return std::make_unique<LayoutSession>(*this, device, resident);
}

}  // namespace warplens::gpu::layout
