// SPDX-License-Identifier: Apache-2.0
#include "app/worker/trial.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "io/crop.hpp"

#include <algorithm>
#include <memory>
#include <variant>

namespace warplens::worker {
namespace {

using gpu::Error;

/// Sides of what a kernel for a GPU is tried on before.
constexpr std::int64_t kTriedSide = 128;

}  // namespace

gpu::Request cornerOf(const gpu::Request& request) {
    gpu::Request tried = request;
    tried.device = "cpu";
    tried.timing = gpu::TimingPolicy::once();
    const io::Shape& shape = request.input->shape();
    if (shape.pixels() <= kTriedSide * kTriedSide) return tried;
    const auto corner = [&](const io::Grid& grid) {
        return std::make_shared<const io::Grid>(
            io::crop(grid, 0, 0, std::min(shape.width, kTriedSide), std::min(shape.height, kTriedSide)));
    };
    for (auto& [id, value] : tried.parameters) {
        const auto* named = std::get_if<std::shared_ptr<const gpu::NamedGrid>>(&value);
        if (named == nullptr || *named == nullptr || (*named)->grid == nullptr || (*named)->grid->shape() != shape)
            continue;
        value = std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{(*named)->name, corner(*(*named)->grid)});
    }
    tried.input = corner(*request.input);
    return tried;
}

namespace {

std::unique_ptr<gpu::Problem> pose(const gpu::Request& request) {
    try {
        return gpu::familyOf(request.family).pose(request.input, request.parameters);
    } catch (const Error&) {
        return nullptr;  // a corner is no such task
    }
}

}  // namespace

bool survivesOnCpu(const gpu::Request& request, gpu::RunRecord& record, const Trial& trial) {
    const gpu::Request tried = cornerOf(request);
    const auto problem = pose(tried);
    if (problem == nullptr) return true;
    gpu::RunRecord told = record;
    try {
        trial(*problem, tried, told);
    } catch (const Error& error) {
        if (error.kind() != Error::Kind::unsupported) throw;
    }
    if (told.status != gpu::Status::wrong) return true;
    record.status = told.status;
    record.reason = "on the CPU device, " + told.reason;
    return false;
}

}  // namespace warplens::worker
