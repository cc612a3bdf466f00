// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/rank/problem.hpp"
#include "gpu/frame/need_memory.hpp"
#include "gpu/frame/picture_session.hpp"
#include "gpu/kernels/layout.hpp"

namespace warplens::gpu::rank {
namespace {

class RankSession final : public PictureSession<RankProblem, Arguments> {
public:
    RankSession(const RankProblem& problem, Device& device, const Resident& resident)
        : PictureSession(problem, device, resident) {
        if (m_arguments.then >= 0) m_between = device.allocate(problem.input()->bytes());
    }

    void launch() override {
        if (m_kernel == nullptr || m_arguments.then < 0) return PictureSession::launch();
        Arguments step = m_arguments;
        step.output = m_between.handle();
        m_kernel->launch(m_device.context(), step, m_tunables);
        using Subtracts = Case::Subtracts;
        if (m_arguments.subtracts != Subtracts::first) step.input = step.output;
        const std::uint64_t picture = m_arguments.input, first = step.output, result = m_arguments.output;
        step.output = result;
        step.index = m_arguments.then;
        m_kernel->launch(m_device.context(), step, m_tunables);
        const auto subtract = [&](std::uint64_t from, std::uint64_t what) {
            const io::Shape& s = m_problem.input()->shape();
            const auto count = static_cast<std::size_t>(s.pixels()) * static_cast<std::size_t>(m_problem.channels());
            stepsOf(m_device.info())->subtract(m_device.context(), from, what, result, count, m_arguments.type);
        };
        switch (m_arguments.subtracts) {
            case Subtracts::result: return subtract(picture, result);
            case Subtracts::picture: return subtract(result, picture);
            case Subtracts::first: return subtract(result, first);
            case Subtracts::nothing: return;
        }
    }

    void poisonOutput() override {
        if (m_between) m_device.fill(m_between, 0xff);
        PictureSession::poisonOutput();
        const io::Shape& s = m_problem.input()->shape();
        if (m_problem.channels() == s.channels) return;
        // Alpha is kept.
        const io::PixelType type = m_arguments.type;
        const auto count = static_cast<std::size_t>(s.pixels());
        const std::size_t offset = static_cast<std::size_t>(m_problem.channels()) * count * io::sizeOf(type);
        layoutEntry(m_device.info())
            .convert(m_device.context(), m_arguments.input, offset, type, m_arguments.output, offset, type, count);
    }

private:
    Buffer m_between;  ///< what the first of two steps made
};

}  // namespace

std::unique_ptr<Session> RankProblem::open(Device& device, Resident& resident) const {
    // Channels that lie pixel by pixel are there once more while they are sorted, before and after.
    const int copies = 2 + (m_input->shape().channels > 1) + (m_case.then >= 0);
    needMemory(device, resident, *m_input, static_cast<std::int64_t>(m_input->bytes()) * copies);
    keepResident(device, m_input, resident);
    return std::make_unique<RankSession>(*this, device, resident);
}

}  // namespace warplens::gpu::rank
