// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <QSize>
#include <QString>
#include <vector>

namespace warplens::app {

/// What `--bench-interactive` measured.
struct InteractiveReport {
    /// From one slider event to its picture in the pane; milliseconds, measured: the kernel, the transfer and the
    /// colours by the device's clock, the others by the host's. `answer` is what the event itself takes.
    struct Event {
        double total = 0, answer = 0, kernel = 0, transfer = 0, colour = 0, paint = 0;
    };
    /// What was measured with one of the sliders.
    struct Slider {
        QString parameter, variant;
        QSize seen;  ///< pixels that came down for each event
        std::vector<Event> events;
    };
    QString input;
    gpu::FamilyInfo family;
    gpu::DeviceInfo device;
    int warmUps = 0;
    std::vector<Slider> sliders;
};

/// A few lines for a terminal.
QString textOf(const InteractiveReport& report);
/// Whether it is worth while to measure for a report there; changes nothing.
bool reportWritable(const QString& path);
/// As JSON (interactive.schema.json). False when the file could not be written.
bool writeReport(const InteractiveReport& report, const QString& path);

}  // namespace warplens::app
