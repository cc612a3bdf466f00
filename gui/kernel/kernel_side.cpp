// SPDX-License-Identifier: Apache-2.0
#include "gui/kernel/kernel_side.hpp"

#include "gui/kernel/kernel_text.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/line_difference.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/format.hpp"

#include <QAbstractTableModel>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTableView>
#include <QTextBlock>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <utility>

namespace warplens::gui {

using gpu::user::Instruction;
using gpu::user::InstructionKind;
using gpu::user::Listing;
using gpu::user::Listings;

/// A listing, a row an instruction; those of one source line are marked.
class ListingModel : public QAbstractTableModel {
public:
    enum Column { kAt, kWhat, kInstruction, kLine, kAlive, kColumns };
    using QAbstractTableModel::QAbstractTableModel;

    void set(const Listing* listing) {
        beginResetModel();
        m_listing = listing == nullptr ? Listing() : *listing;
        endResetModel();
    }
    /// The first row of the line, or -1.
    int mark(int line) {
        m_line = line;
        if (!m_listing.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1), {Qt::BackgroundRole});
        const auto places = m_listing.ofLine(line);
        return places.empty() ? -1 : static_cast<int>(places.front());
    }
    const Instruction& row(int row) const { return m_listing.instructions.at(static_cast<std::size_t>(row)); }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_listing.instructions.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kColumns; }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
        if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
        return std::array{KernelSide::tr("at"), KernelSide::tr("what"), KernelSide::tr("instruction"),
                          KernelSide::tr("line"), KernelSide::tr("alive")}
            .at(static_cast<std::size_t>(section));
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
        const Instruction& one = row(index.row());
        const bool other = one.kind == InstructionKind::other;
        if (role == Qt::BackgroundRole && one.line == m_line && m_line > 0) return colour(Role::selection);
        if (role == Qt::ForegroundRole) return colour(other ? Role::text2 : Role::text1);
        if (role != Qt::DisplayRole) return {};
        switch (index.column()) {
            case kAt: return QString::fromStdString(one.at);
            case kWhat: return other ? QString() : QString::fromLatin1(nameOf(one.kind));
            case kInstruction: return QString::fromStdString(one.text);
            case kLine: return one.line > 0 ? QVariant(one.line) : QVariant();
            case kAlive: return one.alive >= 0 ? QVariant(one.alive) : QVariant();
            default: return {};
        }
    }

private:
    Listing m_listing;
    int m_line = 0;
};

namespace {

constexpr int kPauseMs = 400, kUsualCapability = 90;

QTableView* makeTable(ListingModel* model, const char* id, const QString& name, QWidget* parent) {
    auto* table = made(new QTableView(parent), {.id = id, .name = name});
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setSectionResizeMode(ListingModel::kInstruction, QHeaderView::Stretch);
    for (const int column : {ListingModel::kAt, ListingModel::kLine, ListingModel::kAlive})
        table->setColumnWidth(column, Length(56));
    table->setColumnWidth(ListingModel::kWhat, Length(112));
    return table;
}

}  // namespace

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
                      .tip = tr("Puts this version in the place of the text, as a change that can be undone.")})),
      m_changes(made(new QPlainTextEdit(this), {.id = "kernel-changes", .name = tr("What changed")})),
      m_said(made(new QLabel(this), {.id = "kernel-listing-said", .look = "hint", .wraps = true})),
      m_figures(made(new QLabel(this), {.id = "kernel-listing-figures", .wraps = true})),
      m_thenModel(new ListingModel(this)),
      m_nowModel(new ListingModel(this)),
      m_thenTable(makeTable(m_thenModel, "kernel-listing-then", tr("Instructions of the version"), this)),
      m_nowTable(makeTable(m_nowModel, "kernel-listing-now", tr("Instructions of the text"), this)),
      m_now([this] { refresh(); }, 4),
      m_then([this] { refresh(); }, 4) {
    setLook(this, "dock");
    m_changes->setReadOnly(true);
    m_changes->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_changes->setFont(sourceFont());
    auto* head = made(new QWidget(this), {.look = "strip"});
    auto* row = stripRow(head, kTitleHeight);
    auto* views = new QButtonGroup(this);
    const std::pair<View, QString> choices[]{
        {View::changes, tr("Changes")}, {View::ptx, tr("PTX")}, {View::sass, tr("SASS")}};
    for (const auto& [view, words] : choices) {
        auto* button = made(new QToolButton(head), {.id = "kernel-view-" + words.toLower(),
                                                    .look = "flat",
                                                    .checkable = true,
                                                    .text = words,
                                                    .does = [this, one = view] { setView(one); }});
        button->setChecked(view == m_view);
        views->addButton(button);
        row->addWidget(button);
    }
    fill(row, {spring(), m_versions, m_restore});
    auto* tables = makeSplitter(Qt::Vertical, this);
    tables->addWidget(m_thenTable);
    tables->addWidget(m_nowTable);
    const QMargins margins(kDockMargin, 2, kDockMargin, 2);
    makeColumn(this, {}, 0,
               {head,
                makeRow(nullptr, margins, 0, {m_said}),
                {m_changes, 1},
                {tables, 1},
                makeRow(nullptr, margins, 0, {m_figures})});
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMs);
    connect(&m_pause, &QTimer::timeout, this, &KernelSide::demand);
    connect(m_versions, &QComboBox::activated, this, &KernelSide::demand);
    connect(m_restore, &QPushButton::clicked, this, [this] {
        if (const QString version = then(); !version.isEmpty()) m_text->replaceText(version);
    });
    connect(&file, &KernelFile::fileChanged, this, [this] {
        if (isVisible()) m_pause.start();
    });
    connect(&session.request(), &RequestState::taskChanged, this, [this] {
        if (isVisible()) m_pause.start();
    });
    connect(m_text, &QPlainTextEdit::cursorPositionChanged, this, &KernelSide::followLine);
    for (const auto& [table, model] : {std::pair{m_thenTable, m_thenModel}, std::pair{m_nowTable, m_nowModel}})
        connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
                [this, model = model](const QModelIndex& current) {
                    // The line of a version is not the text's.
                    if (m_linking || !current.isValid() || model == m_thenModel) return;
                    const QScopedValueRollback linking(m_linking, true);
                    if (const int line = model->row(current.row()).line; line > 0) m_text->goToLine(line);
                    model->mark(m_text->line());
                });
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
    m_changes->setVisible(view == View::changes);
    m_restore->setVisible(view == View::changes);
    m_nowTable->parentWidget()->setVisible(view != View::changes);
    m_figures->setVisible(view != View::changes);
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
        ask(m_now, m_file.text());
        ask(m_then, then());
    }
    refresh();
}

void KernelSide::ask(Listed& listed, const QString& text) {
    if (text.trimmed().isEmpty()) return listed.forget();
    if (!m_maker) return listed.forget(tr("This build lists no kernels of yours."));
    if (!m_session.request().ready()) return listed.forget(tr("Open a picture for the kernel to work on."));
    const gpu::DeviceInfo* device = m_session.devices().chosen();
    const Key key{
        .path = (m_file.path().isEmpty() ? m_file.name() : m_file.path()).toStdString(),
        .text = text.toStdString(),
        .family = m_session.parameters().family()->id(),
        .parameters = m_session.parameters().shaping(),
        .input = m_session.document().grid(),
        .capability = device->ranks() ? device->capabilityMajor * 10 + device->capabilityMinor : kUsualCapability};
    listed.ask(key, [maker = m_maker, key](const JobContext& context) {
        return maker(key.path, key.text,
                     {.family = key.family,
                      .parameters = key.parameters,
                      .tunables = {},
                      .input = key.input,
                      .capability = key.capability},
                     context.stop());
    });
}

void KernelSide::refresh() {
    m_restore->setEnabled(!m_versions->currentData().toString().isEmpty());
    if (m_view == View::changes)
        refreshChanges();
    else
        refreshListings();
}

void KernelSide::refreshChanges() {
    QStringList before = then().split(u'\n'), now = m_file.text().split(u'\n');
    const bool none = m_versions->currentData().toString().isEmpty();
    QStringList lines;
    QList<QTextEdit::ExtraSelection> marks;
    std::vector<std::pair<int, Role>> marked;
    int changed = 0;
    if (!none)
        for (const DifferenceRow& row : lineDifference(before, now)) {
            using Kind = DifferenceRow::Kind;
            if (row.kind == Kind::same) {
                lines << QStringLiteral("  ") + now[row.now - 1];
                continue;
            }
            ++changed;
            const auto put = [&](const char* sign, const QString& line, Role role) {
                marked.emplace_back(lines.size(), role);
                lines << QString::fromLatin1(sign) + line;
            };
            if (row.before > 0) put("- ", before[row.before - 1], Role::hairline);
            if (row.now > 0) put("+ ", now[row.now - 1], Role::selection);
        }
    m_said->setVisible(none || changed == 0);
    m_said->setText(none ? tr("Choose a version to see what changed since; each run keeps one.")
                         : tr("Nothing changed since this version."));
    if (const QString all = lines.join(u'\n'); all != m_changes->toPlainText()) m_changes->setPlainText(all);
    for (const auto& [line, role] : marked) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(m_changes->document()->findBlockByNumber(line));
        mark.format.setBackground(colour(role));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    m_changes->setExtraSelections(marks);
}

void KernelSide::refreshListings() {
    const bool sass = m_view == View::sass, against = !then().isEmpty();
    const auto of = [&](const Listed& listed) -> const Listing* {
        const Listings* all = listed.value();
        return all == nullptr ? nullptr : sass ? &all->sass : &all->ptx;
    };
    const Listing *now = of(m_now), *before = against ? of(m_then) : nullptr;
    m_thenTable->setVisible(against);
    m_nowModel->set(now);
    m_thenModel->set(before);
    for (QTableView* table : {m_nowTable, m_thenTable}) table->setColumnHidden(ListingModel::kAlive, !sass);
    QString said = !m_now.problem().isEmpty() ? m_now.problem() : against ? m_then.problem() : QString();
    if (said.isEmpty() && (m_now.busy() || m_then.busy())) said = tr("compiling");
    if (const Listings* all = m_now.value(); all != nullptr && said.isEmpty()) {
        if (sass && !all->whyNoSass.empty())
            said = QString::fromStdString(all->whyNoSass);
        else
            said = sass ? tr("By %1 and %2, not run.")
                              .arg(QString::fromStdString(all->compiler), QString::fromStdString(all->disassembler))
                        : tr("By %1, not run.").arg(QString::fromStdString(all->compiler));
    }
    m_said->setVisible(!said.isEmpty());
    m_said->setText(said);
    refreshFigures(before, now);
    followLine();
}

void KernelSide::refreshFigures(const Listing* then, const Listing* now) {
    QString text;
    const auto add = [&](const QString& name, int before, int after) {
        if (then == nullptr && after != 0)
            text += QStringLiteral("%1: %2<br>").arg(name, format::integer(after));
        else if (then != nullptr && (before != 0 || after != 0))
            text += before == after
                        ? tr("%1: %2, same<br>").arg(name, format::integer(after))
                        : tr("%1: %2 after %3<br>").arg(name, format::integer(after), format::integer(before));
    };
    if (now != nullptr && !now->empty()) {
        const Listing none;
        const Listing& before = then == nullptr ? none : *then;
        add(tr("instructions"), static_cast<int>(before.instructions.size()),
            static_cast<int>(now->instructions.size()));
        for (std::size_t i = 1; i < gpu::user::kInstructionKinds; ++i)
            add(QString::fromLatin1(nameOf(static_cast<InstructionKind>(i))), before.counts()[i], now->counts()[i]);
        if (now->mostAlive() >= 0) add(tr("registers alive at most"), before.mostAlive(), now->mostAlive());
    }
    m_figures->setText(text);
}

void KernelSide::followLine() {
    if (m_linking || !isVisible() || m_view == View::changes) return;
    const QScopedValueRollback linking(m_linking, true);
    const int first = m_nowModel->mark(m_text->line());
    if (first >= 0) m_nowTable->scrollTo(m_nowModel->index(first, 0), QAbstractItemView::PositionAtCenter);
}

}  // namespace warplens::gui
