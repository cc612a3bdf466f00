// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/row_kernel.hpp"

#include "gpu/core/error.hpp"

#include <utility>

namespace warplens::gpu::user {
namespace {

class RowKernel final : public UserKernel {
public:
    explicit RowKernel(std::shared_ptr<const UserKernel> kernel) : m_kernel(std::move(kernel)) {}
    const Variant& variant() const override { return m_kernel->variant(); }
    const std::string& source() const override { return m_kernel->source(); }
    void run(const UserKernelTask& task, RunRecord& record, const std::stop_token& stop) const override {
        refusing([&] { m_kernel->run(task, record, stop); });
    }
    void count(const UserKernelTask& task, std::int64_t sampleWords, RunRecord& record,
               const std::stop_token& stop) const override {
        refusing([&] { m_kernel->count(task, sampleWords, record, stop); });
    }
    void film(const UserKernelTask& task, const RunRecord& record, const FilmQuery& query, Film& film,
              const std::stop_token& stop) const override {
        refusing([&] { m_kernel->film(task, record, query, film, stop); });
    }

private:
    template <class F>
    static void refusing(F work) {
        try {
            work();
        } catch (const Error& error) {
            if (error.kind() != Error::Kind::argument) throw;
            throw Error(Error::Kind::unsupported, error.what());
        }
    }

    std::shared_ptr<const UserKernel> m_kernel;
};

}  // namespace

std::shared_ptr<const UserKernel> asRow(std::shared_ptr<const UserKernel> kernel) {
    return std::make_shared<RowKernel>(std::move(kernel));
}

}  // namespace warplens::gpu::user
