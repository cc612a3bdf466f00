// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/panel.hpp"
#include "gui/picture/page.hpp"
#include "gui/session/kernel_source.hpp"
#include "gui/why/source_texts.hpp"
#include "gui/why/why_panels.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

QStringList linesOf(const gpu::Variant* variant) {
    QString text = variant == nullptr ? QString() : kernelSource(*variant);
    if (text.endsWith(u'\n')) text.chop(1);
    return text.isEmpty() ? QStringList() : text.split(u'\n');
}

/// The first row of a stretch of rows that differ.
bool begins(const std::vector<DifferenceRow>& rows, int row) {
    const auto differs = [&](int at) { return rows[static_cast<std::size_t>(at)].kind != DifferenceRow::Kind::same; };
    return differs(row) && (row == 0 || !differs(row - 1));
}

/// The sources of two variants side by side, line against line: what was removed, added and changed.
class SourcesPanel : public QWidget {
public:
    /// Its commands are made by `page`, which outlives it.
    SourcesPanel(WhyModel& model, Page* page)
        : QWidget(page),
          m_model(model),
          m_previous(page->makeAction("change-previous", tr("The change &before"), Qt::SHIFT | Qt::Key_J)),
          m_next(page->makeAction("change-next", tr("The &next change"), Qt::Key_J)) {
        setLook(this, "dock");
        m_now->setObjectName(QStringLiteral("source-now"));
        auto* both =
            makeSplitter(Qt::Horizontal, this,
                         {makeSide(m_before, m_beforeMark, m_beforeName), makeSide(m_now, m_nowMark, m_nowName)});
        makeColumn(this, {}, 0, {makeHead(), {both, 1}});
        // Both have as many rows.
        for (const auto& [one, other] : {std::pair{m_before, m_now}, std::pair{m_now, m_before}}) {
            connect(one->verticalScrollBar(), &QScrollBar::valueChanged, other->verticalScrollBar(),
                    &QScrollBar::setValue);
            connect(one->horizontalScrollBar(), &QScrollBar::valueChanged, other->horizontalScrollBar(),
                    &QScrollBar::setValue);
        }
        connect(&model, &WhyModel::countsChanged, this, &SourcesPanel::refresh);
        refresh();
        on(this, {QEvent::PaletteChange}, [this] {
            m_before->tint();
            m_now->tint();
        });
    }

private:
    QWidget* makeHead() {
        auto* head = new QWidget(this);
        QHBoxLayout* row = titleRow(head, kStripHeight, tr("What changed in the source"));
        row->addWidget(m_count, 1);
        const auto add = [&](QAction* action, const QString& text, int direction) {
            auto* button = made(new QPushButton(text, head), {.look = "flat"});
            followAction(button, action);
            row->addWidget(button);
            connect(action, &QAction::triggered, this, [this, direction] { go(direction); });
        };
        add(m_previous, tr("‹ Previous"), -1);
        add(m_next, tr("Next ›"), 1);
        return head;
    }

    QWidget* makeSide(DifferenceText* text, IdeaMark* mark, QLabel* name) {
        auto* side = new QWidget(this);
        auto* head = new QWidget(side);
        QHBoxLayout* row = stripRow(head, kRowHeight, 6);
        fill(row, {mark, {name, 1}});
        makeColumn(side, {}, 0, {head, {text, 1}});
        return side;
    }

    void refresh() {
        const gpu::Variant* now = m_model.request().currentVariant();
        const gpu::Variant* before = m_model.comparedVariant();
        const std::string key = (before == nullptr ? "" : before->source) + "|" + (now == nullptr ? "" : now->source);
        if (key == m_shown) return;
        m_shown = key;
        m_at = -1;
        const QStringList old = linesOf(before), lines = linesOf(now);
        const auto name = [](const gpu::Variant* variant, const QString& none) {
            if (variant == nullptr) return none;
            return variant->source.empty() ? QObject::tr("%1 is a library").arg(QString::fromStdString(variant->title))
                                           : QString::fromStdString(variant->source).section('/', -1);
        };
        m_beforeName->setText(name(before, tr("the first variant has no predecessor; choose one at the top right")));
        m_nowName->setText(name(now, QString()));
        m_beforeMark->setIdea(before == nullptr ? std::nullopt : std::optional(before->idea));
        m_nowMark->setIdea(now == nullptr ? std::nullopt : std::optional(now->idea));
        // Nothing to compare with is no difference.
        m_rows = before == nullptr ? gpu::user::lineDifference(lines, lines) : gpu::user::lineDifference(old, lines);
        m_before->setDifference(m_rows, before == nullptr ? lines : old, lines,
                                before == nullptr ? gpu::Idea::plain : before->idea);
        m_now->setDifference(m_rows, lines, before == nullptr ? lines : old,
                             now == nullptr ? gpu::Idea::plain : now->idea);
        m_before->setEnabled(before != nullptr);
        const auto count = [this](DifferenceRow::Kind kind) {
            return std::ranges::count(m_rows, kind, &DifferenceRow::kind);
        };
        using Kind = DifferenceRow::Kind;
        const QString said = tr("%1 lines changed, %2 removed, %3 added, %4 stay")
                                 .arg(count(Kind::changed))
                                 .arg(count(Kind::removed))
                                 .arg(count(Kind::added))
                                 .arg(count(Kind::same));
        m_count->setText(before == nullptr ? QString() : said);
        m_before->setAccessibleName(tr("Source before: %1").arg(m_beforeName->text()));
        m_now->setAccessibleName(tr("Source now: %1").arg(m_nowName->text()));
        m_now->setAccessibleDescription(m_count->text());
        for (QAction* action : {m_previous, m_next})
            action->setEnabled(
                std::ranges::any_of(m_rows, [](const DifferenceRow& row) { return row.kind != Kind::same; }));
    }

    void go(int direction) {
        const int count = static_cast<int>(m_rows.size());
        for (int row = m_at + direction; row >= 0 && row < count; row += direction) {
            if (!begins(m_rows, row)) continue;
            m_at = row;
            m_before->showRow(row);
            m_now->showRow(row);
            return;
        }
    }

    WhyModel& m_model;
    DifferenceText *m_before = made(new DifferenceText(DifferenceText::Side::before, this), {.id = "source-before"}),
                   *m_now = new DifferenceText(DifferenceText::Side::now, this);
    IdeaMark *m_beforeMark = new IdeaMark(this), *m_nowMark = new IdeaMark(this);
    QLabel *m_beforeName = new QLabel(this), *m_nowName = new QLabel(this),
           *m_count = made(new QLabel(this), {.id = "source-changes", .look = "caption"});
    QAction *m_previous, *m_next;
    std::vector<DifferenceRow> m_rows;
    std::string m_shown;
    int m_at = -1;
};

}  // namespace

QWidget* makeSourcesPanel(WhyModel& model, Page* page) { return new SourcesPanel(model, page); }

}  // namespace warplens::gui
