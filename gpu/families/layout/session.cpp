// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/layout/npp.hpp"
#include "gpu/families/layout/problem.hpp"
#include "gpu/families/layout/table.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/kernels/transfer.hpp"

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

class LayoutSession final : public Session {
public:
    LayoutSession(const LayoutProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device), m_arguments{problem.posed()} {
        if (problem.posed().asked.task == Task::planar)
            uploadPixels(device, *problem.input(), resident);
        else
            keepResident(device, problem.input(), resident);
        m_output =
            device.allocate(static_cast<std::size_t>(m_arguments.asked.output.values()) * io::sizeOf(m_arguments.type));
        m_arguments.input = resident.planes.handle();
        m_arguments.output = m_output.handle();
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = ladder().entryOf(variant, m_device.info());
        m_tunables = tunables;
        m_npp.reset();
        if (m_entry == nullptr) m_npp = library::nppLayout(m_device, m_arguments);
    }
    void launch() override {
        if (m_npp) return m_npp->launch();
        m_entry->launch(m_device.context(), m_arguments, m_tunables);
    }
    void poisonOutput() override { m_device.fill(m_output, 0xff); }

    Result download(double& layoutMs, double& downloadMs) override {
        auto output = m_problem.emptyOutput();
        if (m_arguments.asked.task == Task::interleaved)
            downloadMs += m_device.time([&] { m_device.download(output->data(), m_output, output->bytes()); });
        else
            downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return {.picture = std::move(output)};
    }

    std::optional<DevicePicture> picture() const override {
        if (m_arguments.asked.task == Task::interleaved) return std::nullopt;
        return DevicePicture{&m_output, m_arguments.asked.output, m_arguments.type};
    }

private:
    const LayoutProblem& m_problem;
    Device& m_device;
    Arguments m_arguments;
    Buffer m_output;
    const KernelEntry* m_entry = nullptr;  ///< null: NPP
    std::optional<library::NppCalls> m_npp;
    TunableValues m_tunables;
};

}  // namespace

std::unique_ptr<Session> LayoutProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there twice while they are sorted: before the output is, and beside both
    // when it goes back.
    const Asked& asked = posed().asked;
    const bool sortedBack = asked.output.channels > 1 && asked.task != Task::interleaved;
    needMemory(device, resident, *m_input, static_cast<std::int64_t>((sortedBack ? 3 : 2) * m_input->bytes()));
    return std::make_unique<LayoutSession>(*this, device, resident);
}

}  // namespace warplens::gpu::layout
