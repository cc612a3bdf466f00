// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/report_set.hpp"

#include <QTableWidget>

namespace warplens::gui {

/// The rows of several reports. Where all times have one origin its glyph stands in the heads, otherwise in the cells.
class ReportTable : public QTableWidget {
    Q_OBJECT
public:
    explicit ReportTable(QWidget* parent = nullptr);
    /// `ranked`: whether these times rank the variants; others are grey.
    void setRows(const ReportSet& set, const std::vector<ReportSet::Row>& rows, bool ranked);

private:
    /// Wide enough for head and cells; the last column takes what is left.
    void fitColumns();
};

}  // namespace warplens::gui
