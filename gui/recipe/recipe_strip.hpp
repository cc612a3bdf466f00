// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/recipe_state.hpp"

#include <QPoint>
#include <QPushButton>
#include <QWidget>
#include <optional>
#include <vector>

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QScrollArea;

namespace warplens::gui {

class OriginMark;
class RequestState;

/// A step's name, which is clicked, dragged, and worked by keys: arrows go to the next one, with Ctrl they move the
/// step, Space switches it, Delete removes it, T times it.
class StepButton : public QPushButton {
    Q_OBJECT
public:
    using QPushButton::QPushButton;
    /// How much wider than its text it is, whatever that is now.
    int frameWidth() const;

signals:
    void dropped(QPoint global);
    void moveWanted(int by);
    void focusWanted(int by);
    void switchWanted();
    void removeWanted();
    void timeWanted();
    /// Before the menu is shown: more may be added.
    void menuWanted(QMenu* menu);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QPoint m_pressed;
    bool m_dragging = false;
};

/// The recipe's steps in a line, with their times: chosen, moved, switched off, timed, removed, more added. Not there
/// while there is no recipe.
class RecipeStrip : public QWidget {
    Q_OBJECT
public:
    RecipeStrip(RecipeState& recipe, RequestState& request, QWidget* parent = nullptr);

signals:
    void saveWanted();

private:
    struct Chip {
        QWidget* whole;
        QLabel* arrow;
        StepButton* name;
        QLabel* time;
        OriginMark* origin;
        QCheckBox* on;
        QString text{};  ///< the name without its cut
    };
    void refresh();
    void addChip();
    void show(Chip& chip, std::size_t step);
    void showTotal();
    /// Where steps have no room, the total gives way, then the longest names. Decided by the strip's width and by what
    /// does not change by it, so that doing it again changes nothing.
    void fit();
    int roomForSteps() const;
    int widthBesideName(const Chip& chip) const;
    void showKept();
    /// Where the step's pictures, as a mask, come from.
    void addSources(QMenu* menu, std::size_t step);
    std::size_t placeAt(QPoint global) const;
    void focusStep(std::size_t step);

    RecipeState& m_recipe;
    RequestState& m_request;
    QScrollArea* m_area;
    QHBoxLayout* m_row;
    std::vector<Chip> m_chips;
    QLabel *m_kept, *m_total;
    OriginMark* m_totalOrigin;
    QPushButton* m_add;
};

}  // namespace warplens::gui
