// SPDX-License-Identifier: Apache-2.0
#include "gui/window/key_editor.hpp"

#include "gui/kit/keys.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/picture/page.hpp"
#include "gui/window/actions.hpp"

#include <QKeySequenceEdit>
#include <QSettings>

namespace warplens::gui {

namespace {

QString settingOf(const QAction* action) { return QStringLiteral("keys/") + action->objectName(); }

/// Whether the keys of both are heard at once: not those of two windows, nor of two pages, of which one is shown.
bool meet(const QAction& a, const QAction& b) {
    if (a.property(Actions::kWindow) != b.property(Actions::kWindow)) return false;
    const auto* page = qobject_cast<const Page*>(a.parent());
    const auto* other = qobject_cast<const Page*>(b.parent());
    return page == nullptr || other == nullptr || page == other;
}

constexpr Length kEditorWidth{560};
constexpr int kRows = 18;

/// Changes keys: an action is chosen in the table, its new key is pressed, "Assign" gives it to the action.
class KeyEditor : public QDialog {
public:
    KeyEditor(KeyMap& keys, QWidget* window) : QDialog(window), m_keys(keys) {
        setUpDialog(this, "key-editor", tr("Change keys"));
        makeFigureTable(m_table, 2);
        m_table->setRowCount(static_cast<int>(keys.actions().size()));
        m_table->setHorizontalHeaderLabels({tr("Command"), tr("Keys")});
        m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
        // Whole rows, none of them cut at the foot.
        m_table->setFrameShape(QFrame::NoFrame);
        m_table->setMinimumHeight(kHeadHeight + kRows * kRowHeight);
        m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
        m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
        m_table->setTabKeyNavigation(false);
        setWidgetText(m_edit, {.id = "key-edit", .name = tr("New key of the chosen command")});
        auto* take = made(new QPushButton(tr("Assign"), this), {.id = "key-take"});
        auto* reset = made(new QPushButton(tr("Reset all"), this), {.id = "key-reset"});
        m_said->setText(tr("Assign sets the shortcut on the left."));
        auto* label = made(new QLabel(tr("New key"), this), {.of = m_edit});
        fill(new QVBoxLayout(this),
             {{m_table, 1}, makeRow(nullptr, {}, -1, {label, {m_edit, 1}, take, reset}), m_said});
        resize(kEditorWidth, sizeHint().height());
        connect(m_table, &QTableWidget::currentCellChanged, this, &KeyEditor::choose);
        connect(take, &QPushButton::clicked, this, &KeyEditor::take);
        connect(reset, &QPushButton::clicked, this, [this] {
            m_keys.reset();
            m_said->setText(tr("All shortcuts are at their defaults."));
            refresh();
        });
        refresh();
        m_table->setCurrentCell(0, 0);
    }

private:
    void refresh() {
        for (int row = 0; row < m_table->rowCount(); ++row) {
            const QAction* action = m_keys.actions()[row];
            QString keys = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
            if (m_keys.changed(action)) keys += tr("  (changed)");
            m_table->setItem(row, 0, new QTableWidgetItem(plainText(*action)));
            m_table->setItem(row, 1, new QTableWidgetItem(keys));
        }
    }

    void choose() {
        const int row = m_table->currentRow();
        if (row >= 0) m_edit->setKeySequence(m_keys.actions()[row]->shortcut());
    }

    void take() {
        const int row = m_table->currentRow();
        if (row < 0) return;
        QAction* action = m_keys.actions()[row];
        const QKeySequence key = m_edit->keySequence();
        if (const QAction* other = m_keys.set(action, key))
            m_said->setText(tr("%1 is the key of \"%2\"; give that another one first.")
                                .arg(key.toString(QKeySequence::NativeText), plainText(*other)));
        else
            m_said->setText(
                key.isEmpty()
                    ? tr("\"%1\" has no key now.").arg(plainText(*action))
                    : tr("\"%1\" is %2 now.").arg(plainText(*action), key.toString(QKeySequence::NativeText)));
        refresh();
    }

    KeyMap& m_keys;
    QTableWidget* m_table = made(new QTableWidget(this), {.id = "key-table", .name = tr("Commands and their keys")});
    QKeySequenceEdit* m_edit = new QKeySequenceEdit(this);
    QLabel* m_said = made(new QLabel(this), {.id = "key-said", .look = "hint"});
};

}  // namespace

KeyMap::KeyMap(const QList<QAction*>& actions, QSettings& settings, QObject* parent)
    : QObject(parent), m_all(actions), m_settings(settings) {
    for (QAction* action : actions) {
        m_own[action] = action->shortcuts();
        if (action->property("sheetKeys").isValid() || action->objectName().startsWith(QStringLiteral("snapshot-")))
            continue;
        m_actions << action;
        if (settings.contains(settingOf(action)))
            action->setShortcuts(QKeySequence::listFromString(settings.value(settingOf(action)).toString()));
    }
}

QAction* KeyMap::set(QAction* action, const QKeySequence& key) {
    for (QAction* other : m_all)
        if (other != action && !key.isEmpty() && other->shortcuts().contains(key) && meet(*action, *other))
            return other;
    const QList<QKeySequence> keys = key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{key};
    action->setShortcuts(keys);
    if (keys == m_own[action])
        m_settings.remove(settingOf(action));
    else
        m_settings.setValue(settingOf(action), QKeySequence::listToString(keys));
    return nullptr;
}

void KeyMap::reset() {
    for (QAction* action : m_actions) {
        action->setShortcuts(m_own[action]);
        m_settings.remove(settingOf(action));
    }
}

bool KeyMap::changed(const QAction* action) const { return action->shortcuts() != m_own[action]; }

QDialog* makeKeyEditor(KeyMap& keys, QWidget* window) { return new KeyEditor(keys, window); }

}  // namespace warplens::gui
