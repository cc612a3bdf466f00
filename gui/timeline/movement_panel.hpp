// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/transfer_benchmark.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QWidget>
#include <vector>

class QTableWidget;

namespace warplens::gui {

class ElidedLabel;

/// The ways of one movement, a row each, with the figures that warplens-cli movement prints; a way that the device
/// does not have says why. The row chosen is the timeline shown.
class MovementPanel : public QWidget {
    Q_OBJECT
public:
    explicit MovementPanel(QWidget* parent = nullptr);
    void show(const gpu::TransferBenchmark& movement);
    /// Chooses the row of that timeline, counted as timelinesOf() does.
    void setTimeline(int timeline);
    /// Where all figures are read.
    int neededWidth() const;

signals:
    void timelineChosen(int timeline);
    /// neededWidth() is another one.
    void fitted();

private:
    void fitColumns();
    void fillRow(int row, const std::vector<std::string>& cells, const gpu::MovementRow& way, double longestMs,
                 Role bar);

    ElidedLabel* m_note;
    QTableWidget* m_table;
    std::vector<int> m_rows;  ///< of the timelines
};

}  // namespace warplens::gui
