// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/line_profile.hpp"

#include <QWidget>
#include <optional>
#include <vector>

class QToolButton;

namespace warplens::gui {

class ElidedLabel;
class ProfileChart;

/// Beside the panes: the values along a line, as a chart, and as a table to copy or export.
class ProfilePanel : public QWidget {
    Q_OBJECT
public:
    explicit ProfilePanel(QWidget* parent = nullptr);
    /// No line: it says how to draw one.
    /// `picture`: whose pixel size makes it a length; null: there is none.
    void setProfile(const std::optional<ProfileLine>& line, std::vector<ProfileCurve> curves,
                    const io::Grid* picture = nullptr);
    /// The pixel pointed at: marked in the chart where it is one of the line's.
    void setCursor(const std::optional<QPoint>& pixel);
    const std::vector<ProfileCurve>& curves() const { return m_curves; }

signals:
    void pixelChosen(QPoint pixel);
    /// What was written.
    void exported(const QString& what);
    void failed(const QString& why);

private:
    void copy();
    void exportCsv();

    std::optional<ProfileLine> m_line;
    std::vector<ProfileCurve> m_curves;
    ElidedLabel* m_said;
    ProfileChart* m_chart;
    QToolButton *m_csv, *m_copy;
};

}  // namespace warplens::gui
