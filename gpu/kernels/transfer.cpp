// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/transfer.hpp"

#include "gpu/core/moments.hpp"
#include "gpu/kernels/layout.hpp"

#include <functional>

namespace warplens::gpu {

namespace {

/// Milliseconds by the device's clock; the log hears when by the host's.
double timed(Device& device, const char* stage, const std::function<void()>& work) {
    return StageLog::during(stage, [&] { return device.time(work); });
}

}  // namespace

void keepResident(Device& device, const std::shared_ptr<const io::Grid>& grid, Resident& resident, bool keepPadded) {
    resident.fresh = resident.grid != grid;
    if (resident.fresh || !keepPadded) {
        resident.padded = {};
        resident.pitch = 0;
        resident.padMs = 0;
    }
    if (!resident.fresh) return;
    resident.grid.reset();
    resident.planes = {};  // freed before the new one is asked for
    resident.uploadMs = resident.layoutMs = 0;
    const auto& s = grid->shape();
    if (s.channels == 1) {
        resident.planes = device.allocate(grid->bytes());
        resident.uploadMs =
            timed(device, StageLog::kUpload, [&] { device.upload(resident.planes, grid->data(), grid->bytes()); });
    } else {
        const Buffer interleaved = device.allocate(grid->bytes());
        resident.planes = device.allocate(grid->bytes());
        resident.uploadMs =
            timed(device, StageLog::kUpload, [&] { device.upload(interleaved, grid->data(), grid->bytes()); });
        resident.layoutMs = timed(device, StageLog::kLayout, [&] {
            layoutEntry(device.info())
                .deinterleave(device.context(), interleaved.handle(), resident.planes.handle(),
                              static_cast<std::size_t>(s.pixels()), s.channels, grid->type());
        });
        device.synchronize();
    }
    resident.grid = grid;
}

void keepPadded(Device& device, Resident& resident, std::int64_t pitch) {
    if (resident.pitch == pitch) return;
    const io::Grid& grid = *resident.grid;
    const std::int64_t rows = grid.shape().values() / grid.shape().width;
    resident.padded = device.allocate(static_cast<std::size_t>(pitch * rows) * io::sizeOf(grid.type()));
    resident.padMs = timed(device, StageLog::kLayout, [&] {
        layoutEntry(device.info())
            .repitch(device.context(), resident.planes.handle(), grid.shape().width, resident.padded.handle(), pitch,
                     grid.shape().width, rows, grid.type());
    });
    resident.pitch = pitch;
}

void downloadPlanes(Device& device, const Buffer& planes, io::Grid& to, double& layoutMs, double& downloadMs) {
    const auto& s = to.shape();
    if (s.channels == 1) {
        downloadMs += timed(device, StageLog::kDownload, [&] { device.download(to.data(), planes, to.bytes()); });
        return;
    }
    const Buffer interleaved = device.allocate(to.bytes());
    layoutMs += timed(device, StageLog::kLayout, [&] {
        layoutEntry(device.info())
            .interleave(device.context(), planes.handle(), interleaved.handle(), static_cast<std::size_t>(s.pixels()),
                        s.channels, to.type());
    });
    downloadMs += timed(device, StageLog::kDownload, [&] { device.download(to.data(), interleaved, to.bytes()); });
}

}  // namespace warplens::gpu
