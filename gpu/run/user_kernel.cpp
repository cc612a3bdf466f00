// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/user_kernel.hpp"

namespace warplens::gpu {
namespace {

class ChosenKernel final : public UserKernel {
public:
    ChosenKernel(std::shared_ptr<const UserKernel> kernel, TunableValues chosen)
        : m_kernel(std::move(kernel)), m_chosen(std::move(chosen)) {}
    const Variant& variant() const override { return m_kernel->variant(); }
    const std::string& source() const override { return m_kernel->source(); }
    const TunableValues& chosen() const override { return m_chosen; }
    void run(const UserKernelTask& task, RunRecord& record, const std::stop_token& stop) const override {
        m_kernel->run(task, record, stop);
    }
    void count(const UserKernelTask& task, std::int64_t sampleWords, RunRecord& record,
               const std::stop_token& stop) const override {
        m_kernel->count(task, sampleWords, record, stop);
    }
    void film(const UserKernelTask& task, const RunRecord& record, const FilmQuery& query, Film& film,
              const std::stop_token& stop) const override {
        m_kernel->film(task, record, query, film, stop);
    }

private:
    std::shared_ptr<const UserKernel> m_kernel;
    TunableValues m_chosen;
};

}  // namespace

std::shared_ptr<const UserKernel> withTunables(std::shared_ptr<const UserKernel> kernel, TunableValues chosen) {
    resolve(kernel->variant(), chosen);
    return std::make_shared<ChosenKernel>(std::move(kernel), std::move(chosen));
}

}  // namespace warplens::gpu
