// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/recovery_box.hpp"

#include "gui/panels/session_keeper.hpp"
#include "gui/style/theme.hpp"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace warplens::gui {

RecoveryBox::RecoveryBox(SessionKeeper& keeper, const QString& lost, QWidget* window) : QDialog(window) {
    setObjectName(QStringLiteral("recovery"));
    setWindowTitle(tr("A session was left"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* text = new QLabel(tr("Warplens ended unexpectedly. Its session of %1 is kept.")
                                .arg(QLocale().toString(QFileInfo(lost).lastModified(), QLocale::ShortFormat).replace(u' ', QChar::Nbsp)),
                            this);
    text->setWordWrap(true);
    text->setMinimumWidth(360);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    const auto button = [&](const char* name, const QString& words, auto&& what) {
        auto* made = new QPushButton(words, this);
        made->setObjectName(QString::fromUtf8(name));
        row->addWidget(made);
        connect(made, &QPushButton::clicked, this, [this, what] {
            what();
            close();
        });
        return made;
    };
    auto* recover = button("recover", tr("Recover"), [&keeper, lost] { keeper.recover(lost); });
    recover->setDefault(true);
    setLook(recover, "primary");
    button("discard", tr("Throw away"), [&keeper, lost] { keeper.discard(lost); });
    button("later", tr("Ask again later"), [] {});
    column->addLayout(row);
    recover->setFocus();
}

}  // namespace warplens::gui
