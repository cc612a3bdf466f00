// SPDX-License-Identifier: Apache-2.0
#include "gui/request/family_chooser.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"

#include <QIcon>
#include <QKeyEvent>
#include <QStyledItemDelegate>
#include <algorithm>
#include <functional>
#include <utility>

namespace warplens::gui {

namespace {

constexpr Length kWidth{452}, kChevron{10}, kGroupGap{8};
constexpr int kGroupRole = Qt::UserRole + 1, kTaskRole = Qt::UserRole + 2, kRuleRole = Qt::UserRole + 3;

/// A family a row: its group where another begins, its name, its task.
class FamilyRow : public QStyledItemDelegate {
public:
    /// Where names and tasks begin.
    FamilyRow(int names, int tasks, QObject* parent) : QStyledItemDelegate(parent), m_names(names), m_tasks(tasks) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const QRect row = option.rect.adjusted(0, option.rect.height() - kHeadHeight, 0, 0);
        if (index.data(kRuleRole).toBool())
            painter->fillRect(QRect(row.left(), option.rect.top() + kGroupGap / 2, row.width(), 1),
                              colour(Role::hairline));
        const auto write = [&](int from, int to, Role role, const QString& text) {
            const QRect room(row.left() + from, row.top(), to - from, row.height());
            painter->setPen(colour(role));
            painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                              painter->fontMetrics().elidedText(text, Qt::ElideRight, room.width()));
        };
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->setBrush(colour(Role::selection));
            painter->setPen(QPen(colour(Role::accent), lineScale()));
            painter->drawRoundedRect(QRectF(row).adjusted(m_names - kGap + 0.5, 1.5, -0.5, -1.5), 3, 3);
        }
        painter->setFont(textFont(TextSize::body));
        write(0, m_names - kGap, Role::text2, index.data(kGroupRole).toString());
        write(m_tasks, row.width() - kGap, Role::text2, index.data(kTaskRole).toString());
        if (index.data(Qt::CheckStateRole).toBool()) painter->setFont(textFont(TextSize::title));
        write(m_names, m_tasks - kGap, Role::text1, index.data().toString());
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        return {m_tasks, kHeadHeight + (index.data(kRuleRole).toBool() ? int(kGroupGap) : 0)};
    }

private:
    int m_names, m_tasks;
};

/// The families with those of a group together, groups in the order of their first.
std::vector<const gpu::FamilyInfo*> byGroups(const std::vector<const gpu::FamilyInfo*>& families) {
    std::vector<const gpu::FamilyInfo*> sorted;
    for (const gpu::FamilyInfo* first : families) {
        if (std::ranges::find(sorted, first) != sorted.end()) continue;
        for (const gpu::FamilyInfo* family : families)
            if (family->group == first->group) sorted.push_back(family);
    }
    return sorted;
}

bool answers(const gpu::FamilyInfo& family, const QString& typed) {
    const QString text = QString::fromStdString(family.title + ' ' + family.task + ' ' + family.group);
    const QStringList words = typed.split(' ', Qt::SkipEmptyParts);
    return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

/// The families below the button, one a row, by groups: typing narrows them by name and task, arrows choose, Enter or a
/// click takes one, Esc closes.
class FamilyList : public QDialog {
public:
    FamilyList(const std::vector<const gpu::FamilyInfo*>& families, const gpu::FamilyInfo* current,
               const QString& paletteKey, std::function<void(const std::string& id)> chosen, QWidget* parent)
        : QDialog(parent, Qt::Popup), m_families(families), m_current(current), m_chosen(std::move(chosen)) {
        setUpDialog(this, "family-list", tr("Families"));
        setLook(this, "popup");
        m_text->setPlaceholderText(tr("Type to filter, for example \"blur\" or \"sort\""));
        m_text->installEventFilter(this);
        m_list->setFocusPolicy(Qt::NoFocus);
        m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        m_list->setMouseTracking(true);
        int names = 0, tasks = 0;
        const QFontMetrics plain(textFont(TextSize::body)), bold(textFont(TextSize::title));
        for (const gpu::FamilyInfo* family : m_families) {
            names = std::max(names, plain.horizontalAdvance(QString::fromStdString(family->group)));
            tasks = std::max(tasks, bold.horizontalAdvance(QString::fromStdString(family->title)));
        }
        names += 2 * kGap;
        m_list->setItemDelegate(new FamilyRow(names, names + tasks + kGap, m_list));
        QStringList keys{tr("<b>↑ ↓</b> move"), tr("<b>Enter</b> choose"), tr("<b>Esc</b> close")};
        if (!paletteKey.isEmpty()) keys << tr("<b>%1</b> the same in the palette").arg(paletteKey);
        m_keys->setText(keys.join(QStringLiteral("&nbsp; &nbsp;")));
        makeColumn(this, {kGap, kGap, kGap, kGap}, kGap, {m_text, {m_list, 1}, m_keys});
        connect(m_text, &QLineEdit::textChanged, this, &FamilyList::narrow);
        connect(m_list, &QListWidget::itemClicked, this, &FamilyList::take);
        connect(m_list, &QListWidget::itemEntered, this,
                [this](QListWidgetItem* item) { m_list->setCurrentItem(item); });
        narrow();
    }

    /// Below `button`, as high as there is room for in the window.
    void showBelow(const QWidget& button) {
        const QWidget& window = *button.window();
        const QRect inside(window.mapToGlobal(QPoint()), window.size());
        const QPoint below = button.mapToGlobal(QPoint(0, button.height() + 2));
        int rows = 0;
        for (int row = 0; row < m_list->count(); ++row) rows += m_list->sizeHintForRow(row);
        ensurePolished();
        m_list->setMinimumHeight(std::min<int>(rows + 2, kHeadHeight * 4));
        const int wanted = rows + 2 + m_text->sizeHint().height() + m_keys->sizeHint().height() + 4 * kGap;
        const int room = inside.bottom() - below.y();
        resize(std::min<int>(kWidth, inside.width()), std::min(wanted, room));
        move(std::min(below.x(), inside.right() - width() + 1), below.y());
        show();
        m_text->setFocus(Qt::PopupFocusReason);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched != m_text || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
        const int key = static_cast<QKeyEvent*>(event)->key(), last = m_list->count() - 1;
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            take(m_list->currentItem());
        } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
            const int step = key == Qt::Key_Up ? -1 : 1;
            if (last >= 0) m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, last));
        } else {
            return false;
        }
        return true;
    }

private:
    void narrow() {
        m_list->clear();
        const gpu::FamilyInfo* last = nullptr;
        for (const gpu::FamilyInfo* family : m_families) {
            if (!answers(*family, m_text->text())) continue;
            const QString title = QString::fromStdString(family->title), group = QString::fromStdString(family->group);
            const bool begins = last == nullptr || last->group != family->group;
            auto* item = new QListWidgetItem(title, m_list);
            item->setData(Qt::UserRole, QString::fromStdString(family->id));
            if (begins) item->setData(kGroupRole, group);
            item->setData(kTaskRole, taskOf(*family));
            item->setData(kRuleRole, begins && last != nullptr);
            item->setData(Qt::CheckStateRole, family == m_current ? Qt::Checked : Qt::Unchecked);
            item->setData(Qt::AccessibleTextRole, tr("%1: %2, %3").arg(group, title, taskOf(*family)));
            if (family == m_current) m_list->setCurrentItem(item);
            last = family;
        }
        if (m_list->currentRow() < 0) m_list->setCurrentRow(0);
    }

    void take(const QListWidgetItem* item) {
        if (item == nullptr) return;
        const std::string id = item->data(Qt::UserRole).toString().toStdString();
        close();
        m_chosen(id);
    }

    std::vector<const gpu::FamilyInfo*> m_families;
    const gpu::FamilyInfo* m_current;
    std::function<void(const std::string& id)> m_chosen;
    QLineEdit* m_text = made(new QLineEdit(this), {.id = "family-text", .name = tr("Name or task of a family")});
    QListWidget* m_list = made(new QListWidget(this), {.id = "family-rows", .name = tr("Families")});
    QLabel* m_keys = made(new QLabel(this), {.look = "caption"});
};

}  // namespace

QString taskOf(const gpu::FamilyInfo& family) {
    QString task = QString::fromStdString(family.task);
    if (task.size() > 1 && task[1].isLower()) task[0] = task[0].toLower();
    return task;
}

FamilyChooser::FamilyChooser(std::vector<const gpu::FamilyInfo*> families, QWidget* parent)
    : QPushButton(parent),
      m_families(byGroups(families)),
      m_name(made(new QLabel(this), {.look = "title"})),
      m_chevron(new QLabel(this)),
      m_task(made(new ElidedLabel(this), {.look = "label"})) {
    setObjectName(QStringLiteral("family-chooser"));
    setFixedHeight(kTitleHeight);
    makeRow(this, {kGap, 0, kGap, 0}, kGap, {m_name, {m_task, 1}, m_chevron});
    for (QLabel* part : {m_name, m_chevron, static_cast<QLabel*>(m_task)})
        part->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_chevron->setPixmap(QIcon(QStringLiteral(":/warplens/controls/chevron-down.svg")).pixmap(kChevron, kChevron));
    connect(this, &QPushButton::clicked, this, &FamilyChooser::open);
    setCurrent(nullptr);
    // Projector mode is larger.
    on(this, {QEvent::StyleChange}, [this] { setFixedHeight(kTitleHeight); });
}

void FamilyChooser::setCurrent(const gpu::FamilyInfo* family) {
    m_current = family;
    const QString task = family == nullptr ? QString() : taskOf(*family);
    m_name->setText(family == nullptr ? QString() : QString::fromStdString(family->title));
    m_task->setFullText(task);
    setWidgetText(this, {.name = tr("Family %1, %2").arg(m_name->text(), task), .tip = task});
}

void FamilyChooser::hideTask() {
    m_task->hide();
    setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
}

QSize FamilyChooser::sizeHint() const {
    return QWidget::sizeHint();  // of the parts
}

void FamilyChooser::open() {
    const auto* palette = window()->findChild<QAction*>(QStringLiteral("palette"));
    auto* list = new FamilyList(
        m_families, m_current, palette == nullptr ? QString() : palette->shortcut().toString(QKeySequence::NativeText),
        [this](const std::string& id) { emit chosen(id); }, this);
    connect(list, &QDialog::finished, this, [this] {
        activateWindow();
        setFocus(Qt::PopupFocusReason);
    });
    list->showBelow(*this);
}

FamilyChooser* makeFamilyChooser(RequestState& request, QWidget* parent) {
    std::vector<const gpu::FamilyInfo*> infos;
    for (const gpu::Family* family : gpu::families()) infos.push_back(&family->info());
    auto* chooser = new FamilyChooser(std::move(infos), parent);
    QObject::connect(chooser, &FamilyChooser::chosen, &request,
                     [&request](const std::string& id) { request.setFamily(gpu::familyOf(id)); });
    const auto follow = [&request, chooser] {
        const gpu::Family* family = request.parameters().family();
        chooser->setCurrent(family == nullptr ? nullptr : &family->info());
    };
    QObject::connect(&request.parameters(), &ParameterState::familyChanged, chooser, follow);
    follow();
    return chooser;
}

}  // namespace warplens::gui
