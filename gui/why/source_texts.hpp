// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/user/difference.hpp"
#include "gui/kit/source_view.hpp"

#include <QStringList>
#include <map>
#include <vector>

namespace warplens::gui {

using gpu::user::DifferenceRow;

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
    std::vector<std::vector<gpu::user::Stretch>> m_words;  ///< a list a row: what the other side lacks
};

/// A source with a heat strip: beside each line that has one its count, and a cell as full of colour as that is of
/// the highest. Click, Up and Down choose such a line; what it does in detail is in the tooltip and accessible.
class HeatText : public SourceText {
    Q_OBJECT
public:
    struct Line {
        std::int64_t count = 0;
        QStringList details;
        bool found = false;  ///< the trace found a defect here
    };
    explicit HeatText(QWidget* parent = nullptr);

    /// By line, from 1; `idea` gives the colour.
    void setLines(std::map<int, Line> lines, gpu::Idea idea);
    /// Marks a line without saying so.
    void setChosen(int line);
    int chosen() const { return marked(); }
    std::int64_t highest() const { return m_highest; }
    int numberWidth() const override;
    /// "line 33, 13,140; global load: ..." of a line.
    QString textOf(int line) const;

    /// Lines at which the trace found something, from 1.
    QList<int> found() const;

signals:
    void lineChosen(int line);

protected:
    void paintBeside(QPainter& painter, const QRectF& row, int line) const override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int lineAt(double y) const;
    bool choose(int line);
    bool showTip(QEvent* event);

    std::map<int, Line> m_lines;
    gpu::Idea m_idea{};
    std::int64_t m_highest = 0;
};

}  // namespace warplens::gui
