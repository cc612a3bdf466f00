// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/line_counts.hpp"

#include <QString>
#include <QStringList>
#include <map>
#include <string>

namespace warplens::gui {

using gpu::Heat;
using gpu::LineCounts;

QString nameOf(Heat heat);  ///< "Sectors"
QString unitOf(Heat heat);  ///< "sectors of 32 bytes"
QString tipOf(Heat heat);   ///< what stands beside each line, in a sentence

/// One line of text for each access: "global load: 13,140 sectors in 2,920 requests, 4.50 each", and one for the
/// branches.
QStringList textsOf(const LineCounts& counts);

/// "Race in shared memory" of "shared-race"; of one that this version does not know itself.
QString nameOfCheck(const std::string& check);

/// What the trace found at each line of a file: sentences, by line from 1.
std::map<int, QStringList> findingsIn(const gpu::Counters& counters, const std::string& file);

}  // namespace warplens::gui
