// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/models/line_difference.hpp"
#include "gui/views/source_view.hpp"

#include <vector>

namespace warplens::gui {

/// One side of two sources side by side: its own line numbers, gaps where only the other side has a line, and its own
/// lines marked by sign and tint.
class DifferenceText : public SourceText {
    Q_OBJECT
public:
    enum class Side { before, now };
    DifferenceText(Side side, QWidget* parent = nullptr);
    /// `other`: the lines of the other side. The tint is the idea's colour.
    void setDifference(const std::vector<DifferenceRow>& rows, const QStringList& own, const QStringList& other,
                       gpu::Idea idea);
    int numberWidth() const override;
    /// Scrolls so that a row, from 0, stands near the top.
    void showRow(int row);
    /// Writes the tints anew, for another scheme.
    void tint();

protected:
    QString numberOf(int line) const override;
    void paintBeside(QPainter& painter, const QRectF& row, int line) const override;

private:
    int ownLine(const DifferenceRow& row) const { return m_side == Side::before ? row.before : row.now; }
    bool marked(const DifferenceRow& row) const { return row.kind != DifferenceRow::Kind::same && ownLine(row) > 0; }

    Side m_side;
    gpu::Idea m_idea{};
    std::vector<DifferenceRow> m_rows;
    std::vector<std::vector<Stretch>> m_words;  ///< a list a row: what the other side lacks
};

}  // namespace warplens::gui
