// SPDX-License-Identifier: Apache-2.0
#include "gui/window/quit_box.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace warplens::gui {

namespace {
constexpr Length kWidth{384};
}

QuitBox::QuitBox(const QString& lost, QWidget* window) : QDialog(window) {
    setObjectName(QStringLiteral("quit-box"));
    setWindowTitle(tr("Quit Warplens"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(true);
    auto* text = made(new QLabel(tr("This is not saved: %1.").arg(lost), this), {.id = "quit-text", .wraps = true});
    text->setTextFormat(Qt::PlainText);
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
            close();
            what();
        });
        return push;
    };
    auto* save = button("quit-save", tr("Save the session..."), [this] { emit saveWanted(); });
    save->setDefault(true);
    setLook(save, "primary");
    button("quit-anyway", tr("Quit without saving"), [this] { emit quitWanted(); });
    button("quit-cancel", tr("Cancel"), [] {});
    column->addLayout(row);
    save->setFocus();
}

}  // namespace warplens::gui
