// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/key_editor.hpp"

#include "gui/panels/actions.hpp"
#include "gui/panels/figure_table.hpp"
#include "gui/panels/key_map.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace warplens::gui {

namespace {
constexpr Length kWidth{560};
constexpr int kRows = 18;
}  // namespace

KeyEditor::KeyEditor(KeyMap& keys, QWidget* window)
    : QDialog(window),
      m_keys(keys),
      m_table(new QTableWidget(this)),
      m_edit(new QKeySequenceEdit(this)),
      m_said(new QLabel(this)) {
    setObjectName(QStringLiteral("key-editor"));
    setWindowTitle(tr("Change keys"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_table->setObjectName(QStringLiteral("key-table"));
    m_table->setAccessibleName(tr("Commands and their keys"));
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
    m_edit->setObjectName(QStringLiteral("key-edit"));
    m_edit->setAccessibleName(tr("New key of the chosen command"));
    auto* take = new QPushButton(tr("Take"), this);
    take->setObjectName(QStringLiteral("key-take"));
    auto* reset = new QPushButton(tr("All as they came"), this);
    reset->setObjectName(QStringLiteral("key-reset"));
    setLook(m_said, "hint");
    m_said->setObjectName(QStringLiteral("key-said"));
    m_said->setText(tr("Take gives the chosen command the key on the left."));
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("New key"), this);
    label->setBuddy(m_edit);
    row->addWidget(label);
    row->addWidget(m_edit, 1);
    row->addWidget(take);
    row->addWidget(reset);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_table, 1);
    column->addLayout(row);
    column->addWidget(m_said);
    resize(kWidth, sizeHint().height());
    connect(m_table, &QTableWidget::currentCellChanged, this, &KeyEditor::choose);
    connect(take, &QPushButton::clicked, this, &KeyEditor::take);
    connect(reset, &QPushButton::clicked, this, [this] {
        m_keys.reset();
        m_said->setText(tr("All keys are as they came."));
        refresh();
    });
    refresh();
    m_table->setCurrentCell(0, 0);
}

void KeyEditor::refresh() {
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const QAction* action = m_keys.actions()[row];
        QString keys = QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
        if (m_keys.changed(action)) keys += tr("  (changed)");
        m_table->setItem(row, 0, new QTableWidgetItem(plainText(*action)));
        m_table->setItem(row, 1, new QTableWidgetItem(keys));
    }
}

void KeyEditor::choose() {
    const int row = m_table->currentRow();
    if (row >= 0) m_edit->setKeySequence(m_keys.actions()[row]->shortcut());
}

void KeyEditor::take() {
    const int row = m_table->currentRow();
    if (row < 0) return;
    QAction* action = m_keys.actions()[row];
    const QKeySequence key = m_edit->keySequence();
    if (const QAction* other = m_keys.set(action, key))
        m_said->setText(tr("%1 is the key of \"%2\"; give that another one first.")
                            .arg(key.toString(QKeySequence::NativeText), plainText(*other)));
    else
        m_said->setText(key.isEmpty()
                            ? tr("\"%1\" has no key now.").arg(plainText(*action))
                            : tr("\"%1\" is %2 now.").arg(plainText(*action), key.toString(QKeySequence::NativeText)));
    refresh();
}

}  // namespace warplens::gui
