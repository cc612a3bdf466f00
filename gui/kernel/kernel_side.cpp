// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_side.hpp"

#include "gpu/user/difference.hpp"
#include "gui/kernel/kernel_model.hpp"
#include "gui/kernel/kernel_text.hpp"
#include "gui/kit/panel.hpp"

#include <QTextBlock>
#include <algorithm>
#include <utility>

namespace warplens::gui {

KernelSide::KernelSide(CompareSession& session, const KernelFile& file, KernelText* text, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_file(file),
      m_text(text),
      m_versions(made(new QComboBox(this), {.id = "kernel-against",
                                            .name = tr("Against which version"),
                                            .tip = tr("The version that the text is compared with."),
                                            .letters = 24})),
      m_restore(made(new QPushButton(tr("Take it up again"), this),
                     {.id = "kernel-restore",
                      .look = "flat",
                      .tip = tr("Puts this version in the place of the text, as a change that can be undone."),
                      .does =
                          [this] {
                              if (const QString version = then(); !version.isEmpty()) m_text->replaceText(version);
                          }})),
      m_changes(made(new QPlainTextEdit(this), {.id = "kernel-changes", .name = tr("What changed")})),
      m_said(made(new QLabel(this), {.id = "kernel-listing-said", .look = "hint", .wraps = true})),
      m_figures(made(new QLabel(this), {.id = "kernel-listing-figures", .wraps = true})),
      m_thenTable(
          made(new ListingTable(this), {.id = "kernel-listing-then", .name = tr("Instructions of the version")})),
      m_nowTable(made(new ListingTable(this), {.id = "kernel-listing-now", .name = tr("Instructions of the text")})),
      m_pair([this] { refresh(); }) {
    setLook(this, "dock");
    m_changes->setReadOnly(true);
    m_changes->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_changes->setFont(sourceFont());
    auto* head = made(new QWidget(this), {.look = "strip"});
    auto* row = stripRow(head, kTitleHeight);
    const std::pair<View, QString> choices[]{
        {View::changes, tr("Changes")}, {View::ptx, tr("PTX")}, {View::sass, tr("SASS")}};
    for (const auto& [view, words] : choices) {
        auto* button = made(new QToolButton(head), {.id = "kernel-view-" + words.toLower(),
                                                    .look = "flat",
                                                    .checkable = true,
                                                    .text = words,
                                                    .does = [this, one = view] { setView(one); }});
        button->setAutoExclusive(true);
        button->setChecked(view == m_view);
        row->addWidget(button);
    }
    fill(row, {spring(), m_versions, m_restore});
    auto* tables = makeSplitter(Qt::Vertical, this, {m_thenTable, m_nowTable});
    const QMargins margins(kDockMargin, 2, kDockMargin, 2);
    makeColumn(this, {}, 0,
               {head,
                makeRow(nullptr, margins, 0, {m_said}),
                {m_changes, 1},
                {tables, 1},
                makeRow(nullptr, margins, 0, {m_figures})});
    m_pause.setSingleShot(true);
    m_pause.setInterval(KernelModel::kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &KernelSide::demand);
    connect(m_versions, &QComboBox::activated, this, &KernelSide::demand);
    const auto later = [this] {
        if (isVisible()) m_pause.start();
    };
    connect(&file, &KernelFile::fileChanged, this, later);
    connect(&session.request(), &RequestState::taskChanged, this, later);
    connect(m_text, &QPlainTextEdit::cursorPositionChanged, this, [this] { m_nowTable->markLine(m_text->line()); });
    // The line of a version is not the text's.
    connect(m_nowTable, &ListingTable::lineChosen, m_text, &KernelText::goToLine);
    on(this, {QEvent::Show}, [this] {
        fillVersions();
        demand();
    });
    setView(View::changes);
    hide();
}

QToolButton* KernelSide::makeButton(QWidget* parent) {
    auto* button = made(new QToolButton(parent),
                        {.id = "kernel-side",
                         .look = "flat",
                         .tip = tr("What changed since a version, and what the compiler made of both: PTX and SASS."),
                         .checkable = true,
                         .text = tr("Changes, compiler")});
    connect(button, &QToolButton::toggled, this, &QWidget::setVisible);
    connect(button, &QToolButton::toggled, this, &KernelSide::shown);
    return button;
}

void KernelSide::setView(View view) {
    m_view = view;
    const bool changes = view == View::changes;
    for (QWidget* one : {static_cast<QWidget*>(m_changes), static_cast<QWidget*>(m_restore)}) one->setVisible(changes);
    for (QWidget* one : {m_nowTable->parentWidget(), static_cast<QWidget*>(m_figures)}) one->setVisible(!changes);
    m_pair.sass = view == View::sass;
    if (isVisible()) demand();
}

void KernelSide::fillVersions() {
    const QString chosen = m_versions->currentData().toString();
    m_versions->clear();
    m_versions->addItem(tr("no version"));
    for (const KernelFile::Version& version : m_file.versions()) m_versions->addItem(version.title, version.path);
    // At first the newest that is another text.
    int row = m_versions->findData(chosen.isEmpty() ? QVariant(u' ') : QVariant(chosen));
    for (int i = 1; row < 0 && i < m_versions->count(); ++i)
        if (KernelFile::textOf({m_versions->itemData(i).toString(), {}}) != m_file.text()) row = i;
    m_versions->setCurrentIndex(std::max(row, 0));
}

QString KernelSide::then() const {
    const QString path = m_versions->currentData().toString();
    return path.isEmpty() ? QString() : KernelFile::textOf({path, {}});
}

void KernelSide::demand() {
    m_pause.stop();
    if (m_view != View::changes) {
        ask(m_pair.now, m_file.text());
        ask(m_pair.before, then());
    }
    refresh();
}

void KernelSide::ask(ListingPair::Listed& listed, const QString& text) {
    if (text.trimmed().isEmpty()) return listed.forget();
    if (!m_maker) return listed.forget(tr("This build lists no kernels of yours."));
    if (!m_session.request().ready()) return listed.forget(tr("Open a picture for the kernel to work on."));
    const ListingPair::Key key{.source = m_file.place(),
                               .what = {text.toStdString()},
                               .task = {.family = m_session.parameters().family()->id(),
                                        .parameters = m_session.parameters().shaping(),
                                        .tunables = {},
                                        .input = m_session.document().grid(),
                                        .capability = ListingPair::capability(m_session.devices().chosen())}};
    listed.ask(key, [maker = m_maker, key](const JobContext& context) {
        return maker(key.source, key.what.front(), key.task, context.stop());
    });
}

void KernelSide::refresh() {
    m_restore->setEnabled(!m_versions->currentData().toString().isEmpty());
    if (m_view == View::changes) return refreshChanges();
    m_thenTable->setVisible(!then().isEmpty());
    m_pair.show(m_nowTable, m_thenTable, m_figures);
    m_said->setText(m_pair.said());
    m_said->setVisible(!m_said->text().isEmpty());
    m_nowTable->markLine(m_text->line());
}

void KernelSide::refreshChanges() {
    const bool none = m_versions->currentData().toString().isEmpty();
    const QStringList now = m_file.text().split(u'\n'), before = none ? now : then().split(u'\n');
    QStringList lines;
    std::vector<std::pair<int, Role>> marked;
    for (const auto& row : gpu::user::lineDifference(before, now)) {
        if (row.kind == gpu::user::DifferenceRow::Kind::same) {
            lines << QStringLiteral("  ") + now[row.now - 1];
            continue;
        }
        const auto put = [&](const char* sign, const QString& line, Role role) {
            marked.emplace_back(lines.size(), role);
            lines << QString::fromLatin1(sign) + line;
        };
        if (row.before > 0) put("- ", before[row.before - 1], Role::hairline);
        if (row.now > 0) put("+ ", now[row.now - 1], Role::selection);
    }
    m_said->setVisible(marked.empty());
    m_said->setText(none ? tr("Choose a version to see what changed since; each run keeps one.")
                         : tr("Nothing changed since this version."));
    if (none) lines.clear();
    if (const QString all = lines.join(u'\n'); all != m_changes->toPlainText()) m_changes->setPlainText(all);
    QList<QTextEdit::ExtraSelection> marks;
    for (const auto& [line, role] : marked) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(m_changes->document()->findBlockByNumber(line));
        mark.format.setBackground(colour(role));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    m_changes->setExtraSelections(marks);
}

}  // namespace warplens::gui
