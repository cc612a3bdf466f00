// SPDX-License-Identifier: Apache-2.0
#include "gui/session/own_kernel.hpp"

#include <utility>

namespace warplens::gui {
namespace {

class RowKernel final : public gpu::UserKernel {
public:
    explicit RowKernel(std::shared_ptr<const gpu::UserKernel> kernel) : m_kernel(std::move(kernel)) {}
    const gpu::Variant& variant() const override { return m_kernel->variant(); }
    const std::string& source() const override { return m_kernel->source(); }
    void run(const gpu::UserKernelTask& task, gpu::RunRecord& record, const std::stop_token& stop) const override {
        refusing([&] { m_kernel->run(task, record, stop); });
    }
    void count(const gpu::UserKernelTask& task, std::int64_t sampleWords, gpu::RunRecord& record,
               const std::stop_token& stop) const override {
        refusing([&] { m_kernel->count(task, sampleWords, record, stop); });
    }

private:
    template <class F>
    static void refusing(F work) {
        try {
            work();
        } catch (const gpu::Error& error) {
            if (error.kind() != gpu::Error::Kind::argument) throw;
            throw gpu::Error(gpu::Error::Kind::unsupported, error.what());
        }
    }

    std::shared_ptr<const gpu::UserKernel> m_kernel;
};

}  // namespace

std::shared_ptr<const gpu::UserKernel> asRow(std::shared_ptr<const gpu::UserKernel> kernel) {
    return std::make_shared<RowKernel>(std::move(kernel));
}

}  // namespace warplens::gui
