// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/paint.hpp"
#include "gui/lenses/merge/merge_path.hpp"
#include "gui/session/document.hpp"
#include "gui/session/parameter_state.hpp"

class QLabel;
class QSpinBox;

namespace warplens::gui {

/// The merge as a path from the top left to the bottom right: a step to the right takes a value of A, a step down one
/// of B. One round of a block is set off, with the search for its end; below, what its two rings hold.
class MergePathView : public Plot {
    Q_OBJECT
public:
    explicit MergePathView(QWidget* parent = nullptr);
    void setRound(const MergePath& path, int round);
    QSize sizeHint() const override;

signals:
    /// The arrow keys: one round on or back.
    void stepped(int by);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    QString tipAt(QPoint place) const override;

private:
    QRectF area() const;
    QPointF corner(double a, double b) const;
    void paintLists(QPainter& painter) const;
    void paintRound(QPainter& painter) const;
    void paintPath(QPainter& painter) const;
    void paintRings(QPainter& painter) const;

    MergePath m_path;
    MergeRound m_round;
};

/// The merge path of values of the picture that is open, round by round.
class MergePathPanel : public QWidget {
    Q_OBJECT
public:
    MergePathPanel(ParameterState& state, Document& document, QWidget* parent = nullptr);

private:
    void take();
    void refresh();

    ParameterState& m_state;
    Document& m_document;
    MergePath m_path;
    QSpinBox* m_round;  ///< from 1
    QLabel *m_title, *m_text;
    MergePathView* m_view;
};

}  // namespace warplens::gui
