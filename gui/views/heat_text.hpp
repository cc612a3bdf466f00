// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gui/views/source_view.hpp"

#include <QStringList>
#include <map>

namespace warplens::gui {

/// A source with a heat strip: beside each line that has one its count, and a cell as full of colour as that is of
/// the highest. Click, Up and Down choose such a line; what it does in detail is in the tooltip and accessible.
class HeatText : public SourceText {
    Q_OBJECT
public:
    struct Line {
        std::int64_t count = 0;
        QStringList details;
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
