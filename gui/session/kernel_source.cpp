// SPDX-License-Identifier: Apache-2.0
#include "gui/session/kernel_source.hpp"

#include <QFile>

// Outside any namespace: the resources come with a static library.
static void initialiseKernelSources() { Q_INIT_RESOURCE(kernel_sources); }

namespace warplens::gui {

QString kernelSource(const gpu::Variant& variant) {
    return variant.source.empty() ? QString() : sourceOf(variant.source);
}

QString sourceOf(const std::string& path) {
    initialiseKernelSources();
    QFile file(QStringLiteral(":/warplens/") + QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

}  // namespace warplens::gui
