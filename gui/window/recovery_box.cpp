// SPDX-License-Identifier: Apache-2.0
#include "gui/window/recovery_box.hpp"

#include "gui/kit/panel.hpp"
#include "gui/session/session_state.hpp"
#include "gui/window/session_keeper.hpp"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>

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

QDialog* makeQuestion(const Question& question, QWidget* window) {
    auto* box = new QDialog(window);
    setUpDialog(box, question.id, question.title);
    auto* text = made(new QLabel(question.text, box), {.id = question.textId, .wraps = true});
    text->setTextFormat(Qt::PlainText);
    text->setFixedWidth(kWidth);
    auto* row = makeRow(nullptr, {}, -1, {spring()});
    for (const Question::Answer& answer : question.answers) {
        auto* push = made(new QPushButton(answer.words, box), {.id = answer.id, .does = [box, what = answer.what] {
                                                                   box->close();
                                                                   what();
                                                               }});
        row->addWidget(push);
        if (&answer != &question.answers.front()) continue;
        setLook(push, "primary");
        push->setDefault(true);
        push->setFocus();
    }
    auto* column = new QVBoxLayout(box);
    column->setSizeConstraint(QLayout::SetFixedSize);
    fill(column, {text, row});
    return box;
}

QDialog* makeRecoveryBox(SessionKeeper& keeper, const QString& lost, QWidget* window) {
    const auto tr = [](const char* words) { return QObject::tr(words); };
    const QDateTime left = QFileInfo(lost).lastModified();
    // A moment is not broken across lines.
    QString when = tr("%1, %2").arg(format::date(left.toString(Qt::ISODate).toStdString()),
                                    left.toString(QStringLiteral("HH:mm")));
    when.replace(' ', QChar::Nbsp);
    const QString open = whatWasOpen(lost);
    return makeQuestion(
        {.id = QStringLiteral("recovery"),
         .title = tr("A session was left"),
         .textId = QStringLiteral("recovery-text"),
         .text = open.isEmpty() ? tr("Warplens quit unexpectedly. Your session from %1 was kept.").arg(when)
                                : tr("Warplens quit unexpectedly. Your session from %1 was kept: %2.").arg(when, open),
         .answers = {{"recover", tr("Recover"), [&keeper, lost] { keeper.recover(lost); }},
                     {"discard", tr("Throw away"), [&keeper, lost] { keeper.discard(lost); }},
                     {"later", tr("Ask again later"), [] {}}}},
        window);
}

}  // namespace warplens::gui
