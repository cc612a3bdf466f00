// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/panel.hpp"
#include "gui/why/why_model.hpp"
#include "gui/why/why_panels.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <ranges>
#include <vector>

namespace warplens::gui {

namespace {

constexpr Length kNarrowAgainst{128};
constexpr Length kRoomy{1400};

class LadderBar : public QWidget {
public:
    explicit LadderBar(WhyModel& model, QWidget* parent = nullptr) : QWidget(parent), m_model(model) {
        setLook(this, "dock");
        setFixedHeight(kStripHeight);
        for (QLabel* label : {m_title, m_againstLabel}) setLook(label, "label");
        m_scroll->setFrameShape(QFrame::NoFrame);
        m_scroll->setFocusPolicy(Qt::NoFocus);
        m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_scroll->setWidgetResizable(true);
        m_scroll->setMinimumWidth(200);
        m_scroll->setWidget(m_rungs);
        m_againstLabel->setBuddy(m_against);
        m_bar->setTextVisible(false);
        m_bar->setRange(0, 1000);
        makeRow(this, {kDockMargin, 0, kDockMargin, 0}, kGap,
                {m_title, {m_scroll, 1}, m_bar, m_cancel, m_againstLabel, m_against});
        connect(m_group, &QButtonGroup::buttonClicked, this, [this](const QAbstractButton* button) {
            m_model.request().setCurrent(button->property("variant").toString().toStdString());
        });
        connect(m_against, &QComboBox::activated, this,
                [this](int index) { m_model.setComparedVariant(m_against->itemData(index).toString().toStdString()); });
        connect(m_cancel, &QPushButton::clicked, &model, &WhyModel::cancel);
        connect(&model, &WhyModel::countsChanged, this, &LadderBar::refresh);
        connect(&model, &WhyModel::busyChanged, this, &LadderBar::refreshBusy);
        connect(&model, &WhyModel::progress, this, [this](double fraction, const QString& what) {
            m_bar->setValue(static_cast<int>(1000 * fraction));
            m_bar->setToolTip(what);
        });
        connect(&model.request(), &RequestState::taskChanged, this, &LadderBar::refresh);
        connect(&model.request().variants(), &VariantListModel::modelReset, this, &LadderBar::rebuild);
        rebuild();
        refreshBusy();
        on(this, {QEvent::Resize}, [this] { adapt(); });
        on(this, {QEvent::PaletteChange}, [this] {
            for (QPushButton* button : m_rungs->findChildren<QPushButton*>())
                button->setIcon(ideaIcon(static_cast<gpu::Idea>(button->property("idea").toInt())));
        });
        on(this, m_scroll->viewport(), {QEvent::Resize}, [this] { nameRungs(); });
    }

private:
    void rebuild() {
        const std::vector<const gpu::Variant*>& rows = m_model.request().variants().rows();
        if (rows == m_built) return;
        m_built = rows;
        qDeleteAll(m_rungs->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
        while (QLayoutItem* item = m_row->takeAt(0)) delete item;
        m_against->clear();
        for (const gpu::Variant* row : rows) {
            const gpu::Variant& variant = *row;
            if (variant.kind != gpu::Variant::Kind::kernel) continue;
            const QString id = QString::fromStdString(variant.id);
            if (m_row->count() > 0) {
                auto* arrow = made(new QLabel(QStringLiteral("›"), m_rungs), {.look = "hint"});
                m_row->addWidget(arrow);
            }
            auto* button =
                made(new QPushButton(ideaIcon(variant.idea), id, m_rungs), {.id = QStringLiteral("rung-") + id,
                                                                            .look = "flat",
                                                                            .name = tr("Variant %1").arg(id),
                                                                            .checkable = true});
            button->setProperty("variant", id);
            button->setProperty("idea", static_cast<int>(variant.idea));
            m_group->addButton(button);
            m_row->addWidget(button);
            m_against->addItem(ideaIcon(variant.idea), id, id);
        }
        m_row->addStretch(1);
        refresh();
        adapt();
    }

    void refresh() {
        const std::string& current = m_model.request().current();
        for (QAbstractButton* button : m_group->buttons()) {
            const std::string id = button->property("variant").toString().toStdString();
            const gpu::Variant* variant = m_model.request().variants().variant(id);
            if (variant == nullptr) continue;
            if (id == current) button->setChecked(true);
            const gpu::RunRecord* record = m_model.record(id);
            QString tip =
                QStringLiteral("%1: %2").arg(QString::fromStdString(id), QString::fromStdString(variant->sentence));
            if (record != nullptr && !record->reason.empty()) tip += u'\n' + QString::fromStdString(record->reason);
            button->setToolTip(tip);
        }
        const gpu::Variant* against = m_model.comparedVariant();
        const QSignalBlocker silent(m_against);
        m_against->setCurrentIndex(against == nullptr ? -1 : m_against->findData(QString::fromStdString(against->id)));
        m_against->setEnabled(m_model.request().variants().variant(current) != nullptr);
        nameRungs();
    }

    void refreshBusy() {
        if (!m_model.counting()) m_bar->setValue(0);
        m_bar->setVisible(m_model.counting());
        m_cancel->setVisible(m_model.counting());
        adapt();
    }

    void adapt() {
        // In a narrow window words give way to the variants.
        const bool roomy = width() >= kRoomy;
        m_title->setVisible(roomy);
        m_againstLabel->setVisible(roomy);
        m_bar->setFixedWidth(roomy ? 96 : 48);
        m_against->setMaximumWidth(roomy ? QWIDGETSIZE_MAX : int(kNarrowAgainst));
        const int side = roomy ? kDockMargin : kGap / 2;
        layout()->setContentsMargins(side, 0, side, 0);
        for (QPushButton* button : m_rungs->findChildren<QPushButton*>())
            button->setStyleSheet(roomy ? QString() : QStringLiteral("QPushButton { padding: 0 2px; }"));
        nameRungs();
    }

    /// Names as many variants as there is room for, the others keep their shapes.
    void nameRungs() {
        const auto buttons = m_group->buttons();
        if (buttons.isEmpty()) return;
        int current = 0;
        for (int i = 0; i < buttons.size(); ++i)
            if (buttons[i]->isChecked()) current = i;
        // The variant chosen has its name, then those next to it for which there is room; every variant has its shape.
        std::vector<int> order(static_cast<std::size_t>(buttons.size()));
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, {}, [&](int i) { return std::abs(i - current); });
        std::vector<int> extra(order.size());  // of each name
        int room = 0, names = 0;               // names: of the first three
        const auto measure = [&] {
            room = m_scroll->viewport()->width() - kGap;  // the name chosen is bold
            for (int i = 0; i < buttons.size(); ++i) {
                buttons[i]->setText({});
                const int bare = buttons[i]->sizeHint().width();
                buttons[i]->setText(buttons[i]->property("variant").toString());
                extra[static_cast<std::size_t>(i)] = buttons[i]->sizeHint().width() - bare;
                room -= bare;
            }
            names = 0;
            for (const int i : order | std::views::take(3)) names += extra[static_cast<std::size_t>(i)];
        };
        measure();
        if (room < names) {
            for (QAbstractButton* button : buttons)
                button->setStyleSheet(QStringLiteral("QPushButton { padding: 0; }"));
            measure();
        }
        // Arrows give way to the names of three.
        const QList<QLabel*> arrows = m_rungs->findChildren<QLabel*>();
        int between = 0;
        for (const QLabel* arrow : arrows) between += arrow->sizeHint().width();
        const bool arrowed = between + names <= room;
        for (QLabel* arrow : arrows) arrow->setVisible(arrowed);
        if (arrowed) room -= between;
        for (const int i : order) {
            if (extra[static_cast<std::size_t>(i)] <= room)
                room -= extra[static_cast<std::size_t>(i)];
            else
                buttons[i]->setText({});
        }
        m_scroll->ensureWidgetVisible(buttons[current], kGap, 0);
    }

    WhyModel& m_model;
    std::vector<const gpu::Variant*> m_built;  ///< rows of the list that the variants stand for
    QScrollArea* m_scroll = made(new QScrollArea(this), {.id = "ladder-room"});  ///< where the variants do not fit
    QWidget* m_rungs = made(new QWidget(m_scroll), {.look = "dock"});
    QHBoxLayout* m_row = makeRow(m_rungs, {}, 0);
    QButtonGroup* m_group = new QButtonGroup(this);
    QLabel *m_title = new QLabel(tr("Ladder"), this), *m_againstLabel = new QLabel(tr("against"), this);
    QComboBox* m_against = made(new QComboBox(this), {.id = "ladder-against",
                                                      .name = tr("Variant to compare with"),
                                                      .tip = tr("The variant that the chosen one is compared with."),
                                                      .focus = true});
    QProgressBar* m_bar = made(new QProgressBar(this), {.name = tr("Progress of counting")});
    QPushButton* m_cancel =
        made(new QPushButton(tr("Cancel"), this),
             {.id = "cancel-counting", .look = "flat", .tip = tr("Stops counting (Esc); counts taken so far stay.")});
};

}  // namespace

QWidget* makeLadderBar(WhyModel& model, QWidget* parent) { return new LadderBar(model, parent); }

}  // namespace warplens::gui
