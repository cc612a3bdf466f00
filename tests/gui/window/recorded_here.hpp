// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/rates.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <fstream>

namespace warplens::gui::test {

/// While it lives, the runs of the default convolution on 8 bits that are shipped are recorded of a picture of this
/// size: a time stands beside a run of equal size alone.
class RecordedHere {
public:
    RecordedHere(std::int64_t width, std::int64_t height) {
        QDir(m_folder.path()).mkpath(QStringLiteral("recorded"));
        int number = 0;
        for (const gpu::Report& report : recordedRuns().all()) {
            if (report.family != "convolution" || report.input.type != "u8" || report.input.shape.channels != 1)
                continue;
            gpu::Report here = report;
            here.input.shape.width = width;
            here.input.shape.height = height;
            std::ofstream((m_folder.path() + QStringLiteral("/recorded/%1.json").arg(number++)).toStdString())
                << gpu::toJson(here);
        }
        qputenv("WARPLENS_RESOURCES", m_folder.path().toUtf8());
    }
    ~RecordedHere() { qunsetenv("WARPLENS_RESOURCES"); }
    RecordedHere(const RecordedHere&) = delete;
    RecordedHere& operator=(const RecordedHere&) = delete;

private:
    QTemporaryDir m_folder;
};

}  // namespace warplens::gui::test
