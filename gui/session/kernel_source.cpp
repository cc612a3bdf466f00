// SPDX-License-Identifier: Apache-2.0
#include "gui/session/kernel_source.hpp"

#include <QFile>
#include <utility>

// Outside any namespace: the resources come with a static library.
static void initialiseKernelSources() { Q_INIT_RESOURCE(kernel_sources); }

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

QString kernelSource(const gpu::Variant& variant) {
    return variant.source.empty() ? QString() : sourceOf(variant.source);
}

QString sourceOf(const std::string& path) {
    initialiseKernelSources();
    QFile file(QStringLiteral(":/warplens/") + QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace warplens::gui
