// SPDX-License-Identifier: Apache-2.0
#include "gui/session/compare_session.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/run/tuning/files.hpp"
#include "gui/session/samples.hpp"

namespace warplens::gui {

CompareSession::CompareSession(QObject* parent) : QObject(parent) {
    if (!gpu::families().empty()) m_request.setFamily(*gpu::families().front());
    const auto tuning =
        gpu::tuning::load(resourceFolder(QStringLiteral("tuning")).toStdString(), gpu::tuning::cacheFolder());
    if (!tuning->problems().empty()) m_activity.report(QString::fromStdString(tuning->problems()));
    m_runner.setTuning(tuning);
}

}  // namespace warplens::gui
