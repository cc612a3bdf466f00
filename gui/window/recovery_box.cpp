// SPDX-License-Identifier: Apache-2.0
#include "gui/window/recovery_box.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/session/session_document.hpp"
#include "gui/window/session_keeper.hpp"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace warplens::gui {

namespace {
constexpr Length kWidth{384};

/// The picture of a session that was left, and what was done with it: "camera.png, convolution"; empty if the copy
/// cannot be read, which recovering it says.
QString whatWasOpen(const QString& lost) {
    QFile file(lost);
    if (!file.open(QIODevice::ReadOnly)) return {};
    try {
        const SessionDocument session = parseSession(file.readAll(), lost);
        Document::State picture;
        picture.input = session.name.isEmpty() ? session.input : session.name;
        return picture.name() + QStringLiteral(", ") + session.family;
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

RecoveryBox::RecoveryBox(SessionKeeper& keeper, const QString& lost, QWidget* window) : QDialog(window) {
    setObjectName(QStringLiteral("recovery"));
    setWindowTitle(tr("A session was left"));
    setAttribute(Qt::WA_DeleteOnClose);
    const QDateTime left = QFileInfo(lost).lastModified();
    // A moment is not broken across lines.
    QString when = tr("%1, %2").arg(format::date(left.toString(Qt::ISODate).toStdString()),
                                    left.toString(QStringLiteral("HH:mm")));
    when.replace(' ', QChar::Nbsp);
    const QString open = whatWasOpen(lost);
    auto* text =
        new QLabel(open.isEmpty() ? tr("Warplens ended unexpectedly. Its session of %1 is kept.").arg(when)
                                  : tr("Warplens ended unexpectedly. Its session of %1 is kept: %2.").arg(when, open),
                   this);
    text->setObjectName(QStringLiteral("recovery-text"));
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    text->setFixedWidth(kWidth);
    auto* column = new QVBoxLayout(this);
    column->setSizeConstraint(QLayout::SetFixedSize);
    column->addWidget(text);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    const auto button = [&](const char* name, const QString& words, auto&& what) {
        auto* push = made(new QPushButton(words, this), {.id = name});
        row->addWidget(push);
        connect(push, &QPushButton::clicked, this, [this, what] {
            what();
            close();
        });
        return push;
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
