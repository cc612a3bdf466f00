// SPDX-License-Identifier: Apache-2.0
#include "gpu/convolution/session.hpp"

#include "gpu/common/layout.hpp"
#include "gpu/common/transfer.hpp"
#include "gpu/convolution/table.hpp"

namespace warplens::gpu::convolution {
namespace {

class ConvolutionSession final : public Session {
public:
    ConvolutionSession(const ConvolutionProblem& problem, Device& device, Resident& resident)
        : m_problem(problem), m_device(device) {
        keepResident(device, problem.inputPointer(), resident);
        const auto& s = problem.input().shape();
        const auto pixels = static_cast<std::size_t>(s.pixels());
        const auto inputType = problem.input().type(), outputType = problem.outputType();
        m_output = device.allocate(pixels * s.channels * io::sizeOf(outputType));
        const auto& weights = problem.filter().weights;
        m_filter = device.allocate(weights.size() * sizeof(float));
        device.upload(m_filter, weights.data(), weights.size() * sizeof(float));

        m_arguments.input = resident.planes.handle();
        m_arguments.output = m_output.handle();
        m_arguments.filter = m_filter.handle();
        m_arguments.inputType = inputType;
        m_arguments.outputType = outputType;
        m_arguments.width = static_cast<int>(s.width);
        m_arguments.height = static_cast<int>(s.height);
        m_arguments.planes = static_cast<int>(s.depth) * problem.filteredChannels();
        m_arguments.filterWidth = problem.filter().width;
        m_arguments.filterHeight = problem.filter().height;
        m_arguments.border = problem.border();
        m_arguments.offset = static_cast<float>(problem.offset());
        m_arguments.weights = &weights;
        if (problem.separation()) {
            m_arguments.row = &problem.separation()->row;
            m_arguments.column = &problem.separation()->column;
        }
    }

    void prepare(const Variant& variant, const TunableValues& tunables) override {
        m_entry = entryOf(variant.id, m_device.info().kind);
        m_tunables = tunables;
        if (m_entry->needsScratch && !m_scratch) {
            m_scratch = m_device.allocate(sizeof(float) * m_arguments.width * m_arguments.height * m_arguments.planes);
            m_arguments.scratch = m_scratch.handle();
        }
        if (m_entry->prepare != nullptr) m_entry->prepare(m_device.context(), m_arguments);
    }

    void launch() override { m_entry->launch(m_device.context(), m_arguments, m_tunables); }

    void poisonOutput() override {
        m_device.fill(m_output, 0xff);
        copyAlpha();
    }

    std::shared_ptr<const io::Grid> download(double& layoutMs, double& downloadMs) override {
        auto output = std::make_shared<io::Grid>(m_problem.makeOutput());
        downloadPlanes(m_device, m_output, *output, layoutMs, downloadMs);
        return output;
    }

private:
    // The channel that is kept goes straight from plane to plane.
    void copyAlpha() {
        const auto& s = m_problem.input().shape();
        if (m_problem.filteredChannels() == s.channels) return;
        const auto pixels = static_cast<std::size_t>(s.pixels());
        const auto before = pixels * static_cast<std::size_t>(m_problem.filteredChannels());
        layoutEntry(m_device.info())
            .convert(m_device.context(), m_arguments.input, before * io::sizeOf(m_arguments.inputType), m_arguments.inputType,
                     m_arguments.output, before * io::sizeOf(m_arguments.outputType), m_arguments.outputType, pixels);
    }

    const ConvolutionProblem& m_problem;
    Device& m_device;
    Buffer m_output, m_filter, m_scratch;
    Arguments m_arguments;
    const KernelEntry* m_entry = nullptr;
    TunableValues m_tunables;
};

}  // namespace

std::unique_ptr<Session> openSession(const ConvolutionProblem& problem, Device& device, Resident& resident) {
    return std::make_unique<ConvolutionSession>(problem, device, resident);
}

}  // namespace warplens::gpu::convolution
