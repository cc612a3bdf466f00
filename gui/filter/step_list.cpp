// SPDX-License-Identifier: Apache-2.0
#include "gui/filter/step_list.hpp"

#include "gui/kit/panel.hpp"
#include "gui/session/recipe_state.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/task_step.hpp"

#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <algorithm>

namespace warplens::gui {

namespace {

class StepList : public QListWidget {
public:
    StepList(RecipeState& recipe, RequestState& request, const std::vector<KnownStep>& known, QWidget* parent)
        : QListWidget(parent), m_recipe(recipe), m_request(request), m_known(known) {
        setWidgetText(this, {.id = "steps", .name = tr("Steps")});
        setDragDropMode(QAbstractItemView::InternalMove);
        setDefaultDropAction(Qt::MoveAction);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setTextElideMode(Qt::ElideRight);
        setFrameShape(QFrame::NoFrame);
        setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
        connect(this, &QListWidget::itemChanged, this, [this](QListWidgetItem* item) {
            if (!m_refreshing) m_recipe.setOn(static_cast<std::size_t>(row(item)), item->checkState() == Qt::Checked);
        });
        connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
            if (!m_refreshing && row >= 0) m_recipe.select(static_cast<std::size_t>(row));
        });
        connect(model(), &QAbstractItemModel::rowsMoved, this,
                [this](const QModelIndex&, int from, int, const QModelIndex&, int to) {
                    move(from, to > from ? to - 1 : to);
                });
        connect(&recipe, &RecipeState::changed, this, [this] { refresh(); });
        connect(&request, &RequestState::taskChanged, this, [this] { refresh(); });
        refresh();
    }

    QSize sizeHint() const override {
        int height = 2 * frameWidth();
        for (int i = 0; i < count(); ++i) height += sizeHintForRow(i);
        return {QListWidget::sizeHint().width(), height};
    }
    QSize minimumSizeHint() const override { return {0, std::min(sizeHint().height(), sizeHintForRow(0) * 3)}; }

protected:
    void focusInEvent(QFocusEvent* event) override {
        // Qt makes the first row current where none is, which nobody has chosen.
        const QScopedValueRollback quiet(m_refreshing, true);
        QListWidget::focusInEvent(event);
        refresh();
    }

    void keyPressEvent(QKeyEvent* event) override {
        const bool moves = event->modifiers() == Qt::AltModifier;
        const int row = currentRow();
        if (moves && event->key() == Qt::Key_Up) return move(row, row - 1);
        if (moves && event->key() == Qt::Key_Down) return move(row, row + 1);
        if (event->key() == Qt::Key_Delete && row >= 0) return m_recipe.remove(static_cast<std::size_t>(row));
        QListWidget::keyPressEvent(event);
    }

    void contextMenuEvent(QContextMenuEvent* event) override {
        const int at = event->reason() == QContextMenuEvent::Keyboard ? currentRow() : row(itemAt(event->pos()));
        if (at < 0) return;
        auto* menu = made(new QMenu(this), {.id = "step-menu"});
        menu->setAttribute(Qt::WA_DeleteOnClose);
        const auto step = static_cast<std::size_t>(at);
        const auto add = [&](const QString& text, auto what) {
            connect(menu->addAction(text), &QAction::triggered, this, what);
        };
        add(tr("&Duplicate"), [this, step] { m_recipe.duplicate(step); });
        add(tr("Move &up\tAlt+Up"), [this, at] { move(at, at - 1); });
        add(tr("Move d&own\tAlt+Down"), [this, at] { move(at, at + 1); });
        add(tr("&Remove\tDel"), [this, step] { m_recipe.remove(step); });
        menu->popup(event->globalPos());
    }

private:
    void move(int from, int to) {
        if (from < 0 || to < 0 || to >= count()) return refresh();
        m_recipe.move(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    }

    void refresh() {
        const QScopedValueRollback refreshing(m_refreshing, true);
        const RecipePlace* place = m_recipe.place();
        const auto steps = place == nullptr ? std::vector<gpu::recipe::Step>{} : place->recipe.steps;
        const int before = count();
        while (count() > static_cast<int>(steps.size())) delete takeItem(count() - 1);
        while (count() < static_cast<int>(steps.size())) addItem(new QListWidgetItem);
        for (int i = 0; i < count(); ++i) show(*item(i), steps[static_cast<std::size_t>(i)], i);
        const bool own = place != nullptr && isItsStep(m_request, *place);
        setCurrentRow(own ? static_cast<int>(place->at) : -1);
        if (before != count()) updateGeometry();
    }

    void show(QListWidgetItem& item, const gpu::recipe::Step& step, int row) {
        const StepName name = nameOf(step, m_known);
        const QString words =
            name.values.isEmpty() ? name.title : QStringLiteral("%1   %2").arg(name.title, name.values);
        item.setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled);
        item.setCheckState(step.on ? Qt::Checked : Qt::Unchecked);
        item.setText(step.on ? words : tr("%1  (off)").arg(words));
        item.setData(Qt::AccessibleTextRole, tr("Step %1: %2").arg(row + 1).arg(item.text()));
        item.setToolTip(
            words + QStringLiteral("\n") +
            tr("Click: change its values. Space: on or off. Drag, or Alt and an arrow: move. Del: remove."));
    }

    RecipeState& m_recipe;
    RequestState& m_request;
    bool m_refreshing = false;
    const std::vector<KnownStep>& m_known;
};

}  // namespace

QWidget* makeStepList(RecipeState& recipe, RequestState& request, const std::vector<KnownStep>& known,
                      QWidget* parent) {
    return new StepList(recipe, request, known, parent);
}

}  // namespace warplens::gui
