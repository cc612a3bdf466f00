// SPDX-License-Identifier: Apache-2.0
#include "gui/window/command_palette.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/keys.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/request/family_chooser.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/presets.hpp"
#include "gui/session/samples.hpp"
#include "gui/window/actions.hpp"

#include <QClipboard>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

const QJsonArray& words() {
    static const QJsonArray list = [] {
        QFile file(QStringLiteral(":/warplens/controls/words.json"));
        return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
    }();
    return list;
}

void choose(RequestState& request, Activity& activity, const gpu::Family& family, const QJsonObject& values) {
    request.setFamily(family);
    QString why;
    for (auto at = values.begin(); at != values.end(); ++at)
        if (!request.parameters().setText(at.key().toStdString(), at.value().toString(), &why))
            return activity.report(why);
}

/// What the families that are not at hand can do, by the values of the choice that comes first in each: "sharpen:
/// Convolution".
std::vector<PaletteEntry> entriesOfOtherFamilies(RequestState& request, const CommandContext& now) {
    std::vector<PaletteEntry> entries;
    for (const gpu::Family* family : gpu::families()) {
        const auto& all = family->parameters();
        const auto first = std::ranges::find(all, gpu::Parameter::Type::choice, &gpu::Parameter::type);
        if (family == request.parameters().family() || first == all.end()) continue;
        for (const std::string& choice : first->choices)
            entries.push_back(
                {QString::fromStdString(first->title),
                 QString::fromStdString(choice + ": " + family->title()),
                 {},
                 [&request, family, id = first->id, choice] {
                     request.setFamily(*family);
                     request.parameters().set(id, choice);
                 },
                 commandOf(*family, {{QString::fromStdString(first->id), QString::fromStdString(choice)}}, now)});
    }
    return entries;
}

/// What people call a command or a family's task elsewhere (resources/controls/words.json), as entries of the palette:
/// "Rotate 90 degrees right: Turn right". Commands that are not enabled and families that are not there have none.
std::vector<PaletteEntry> entriesOfWords(const QList<QAction*>& actions, RequestState& request, Activity& activity,
                                         const CommandContext& now) {
    std::vector<PaletteEntry> entries;
    for (const QJsonValue& value : words()) {
        const QJsonObject one = value.toObject();
        PaletteEntry entry;
        QString stands;
        if (const gpu::Family* family = gpu::findFamily(one["family"].toString().toStdString())) {
            entry.group = QObject::tr("Family");
            stands = QString::fromStdString(family->title());
            const QJsonObject values = one["values"].toObject();
            entry.run = [&request, &activity, family, values] { choose(request, activity, *family, values); };
            std::vector<std::pair<QString, QString>> words;
            for (auto at = values.begin(); at != values.end(); ++at)
                words.emplace_back(at.key(), at.value().toString());
            entry.command = commandOf(*family, words, now);
        } else {
            const auto at = std::ranges::find(actions, one["action"].toString(), &QAction::objectName);
            if (at == actions.end() || !(*at)->isEnabled()) continue;
            entry.group = QObject::tr("Action");
            stands = plainText(**at);
            entry.keys = QKeySequence::listToString((*at)->shortcuts(), QKeySequence::NativeText);
            entry.run = [action = *at] { action->trigger(); };
            entry.command = commandOf((*at)->objectName(), now);
        }
        if (one.contains("as")) stands = one["as"].toString();
        for (const QJsonValue& word : one["words"].toArray()) {
            entry.text = word.toString() + QStringLiteral(": ") + stands;
            entries.push_back(entry);
        }
    }
    return entries;
}

constexpr Length kPaletteWidth{560}, kPaletteHeight{420};
constexpr int kAtBeginning = 8, kNextTo = 4, kAnywhere = 1;
constexpr int kWhole = 1000;  // what is typed is what it begins with

/// Everything by name: typing narrows the list, arrows choose, Enter does it, Esc leaves. Below stands the command line
/// that does the same, which Ctrl+C copies.
class CommandPalette : public QDialog {
public:
    CommandPalette(std::vector<PaletteEntry> entries, QWidget* window)
        : QDialog(window), m_entries(std::move(entries)) {
        setUpDialog(this, "command-palette", tr("Commands"));
        m_text->setPlaceholderText(tr("Command, filter, variant, preset …"));
        m_list->setFocusPolicy(Qt::NoFocus);
        m_list->setUniformItemSizes(true);
        m_list->setItemDelegate(new RowDelegate(m_list));
        m_none->setText(tr("No match. Try a verb: blur, mask, measure, label."));
        m_none->setAlignment(Qt::AlignCenter);
        fill(new QVBoxLayout(this), {m_text, {m_list, 1}, {m_none, 1}, m_command});
        resize(kPaletteWidth, kPaletteHeight);
        connect(m_list, &QListWidget::currentRowChanged, this, &CommandPalette::showCommand);
        m_text->installEventFilter(this);
        connect(m_text, &QLineEdit::textChanged, this, &CommandPalette::narrow);
        connect(m_text, &QLineEdit::returnPressed, this, &CommandPalette::take);
        connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::take);
        narrow();
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched != m_text || event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
        if (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy) && !m_text->hasSelectedText()) {
            copyCommand();
            return true;
        }
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key != Qt::Key_Up && key != Qt::Key_Down && key != Qt::Key_PageUp && key != Qt::Key_PageDown) return false;
        const int step = key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : key == Qt::Key_PageUp ? -10 : 10;
        m_list->setCurrentRow(std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1)));
        return true;
    }

private:
    void narrow() {
        std::vector<std::pair<int, int>> found;
        for (int i = 0; i < std::ssize(m_entries); ++i) {
            const PaletteEntry& entry = m_entries[static_cast<std::size_t>(i)];
            // By its own name first, then with its group before it.
            const int own = matchScore(m_text->text(), entry.text);
            const int grouped = matchScore(m_text->text(), entry.group + ' ' + entry.text);
            const bool begins = entry.text.startsWith(m_text->text().trimmed(), Qt::CaseInsensitive);
            if (own >= 0 || grouped >= 0) found.emplace_back(-std::max(own, grouped - 1) - (begins ? kWhole : 0), i);
        }
        std::ranges::stable_sort(found, {}, &std::pair<int, int>::first);
        m_list->clear();
        for (const auto& [score, i] : found) {
            const PaletteEntry& entry = m_entries[static_cast<std::size_t>(i)];
            auto* item = new QListWidgetItem(QStringLiteral("%1: %2").arg(entry.group, entry.text), m_list);
            item->setData(Qt::UserRole, i);
            item->setData(RowDelegate::kRightRole, entry.keys);
            item->setData(Qt::AccessibleTextRole, QStringLiteral("%1 %2").arg(item->text(), entry.keys).trimmed());
        }
        m_none->setVisible(found.empty());
        m_list->setVisible(!found.empty());
        m_list->setCurrentRow(0);
        if (found.empty()) m_command->setFullText({});
    }

    void take() {
        const PaletteEntry* entry = current();
        if (entry == nullptr) return;
        const auto run = entry->run;
        close();
        run();
    }

    const PaletteEntry* current() const {
        const QListWidgetItem* item = m_list->currentItem();
        return item == nullptr ? nullptr : &m_entries[item->data(Qt::UserRole).toULongLong()];
    }

    void showCommand() {
        const PaletteEntry* entry = current();
        m_command->setFullText(entry == nullptr           ? QString()
                               : entry->command.isEmpty() ? tr("No command-line equivalent.")
                                                          : tr("Ctrl+C copies: %1").arg(entry->command));
    }

    void copyCommand() {
        const PaletteEntry* entry = current();
        if (entry == nullptr || entry->command.isEmpty()) return;
        QGuiApplication::clipboard()->setText(entry->command);
        m_command->setFullText(tr("Copied: %1").arg(entry->command));
    }

    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_text =
        made(new QLineEdit(this), {.id = "command-text", .name = tr("Name of a command, filter, variant or preset")});
    QListWidget* m_list = made(new QListWidget(this), {.id = "command-list", .name = tr("Commands")});
    QLabel* m_none =
        made(new QLabel(this),
             {.id = "command-none", .look = "hint", .wraps = true});  ///< in its place, when nothing is found
    ElidedLabel* m_command = made(new ElidedLabel(this), {.id = "command-line", .look = "caption"});
};

}  // namespace

std::vector<PaletteEntry> paletteEntries(const QList<QAction*>& actions, RequestState& request, InputFiles& inputs,
                                         Activity& activity, const Presets& presets) {
    std::vector<PaletteEntry> entries;
    const auto tr = [](const char* text) { return QObject::tr(text); };
    const CommandContext now = contextOf(request);
    for (QAction* action : actions) {
        if (!action->isEnabled() || !action->isVisible() || action->objectName() == QStringLiteral("palette")) continue;
        QString text = plainText(*action);
        if (action->isCheckable() && action->isChecked()) text += tr(" (on)");
        const QString group = action->objectName().startsWith(QStringLiteral("page-")) ? tr("Page") : tr("Action");
        entries.push_back({group, text, QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                           [action] { action->trigger(); }, commandOf(action->objectName(), now)});
    }
    for (const gpu::Family* family : gpu::families())
        entries.push_back(
            {tr("Family"),
             QStringLiteral("%1, %2").arg(QString::fromStdString(family->title()), taskOf(family->info())),
             {},
             [&request, family] { request.setFamily(*family); },
             {}});
    for (const gpu::Parameter& parameter : request.parameters().parameters()) {
        if (parameter.type != gpu::Parameter::Type::choice) continue;
        for (const std::string& choice : parameter.choices)
            entries.push_back({QString::fromStdString(parameter.title),
                               QString::fromStdString(choice),
                               {},
                               [&request, id = parameter.id, choice] { request.parameters().set(id, choice); },
                               commandWith(parameter.id, choice, now)});
    }
    for (int row = 0; row < request.variants().rowCount(); ++row) {
        const std::string id = request.variants().variant(row)->id;
        entries.push_back({tr("Variant"),
                           QString::fromStdString(id),
                           {},
                           [&request, id] { request.setCurrent(id); },
                           commandRunning(id, now)});
    }
    const auto add = [&](const gpu::Family& family, const Preset& preset, const QString& text) {
        entries.push_back({tr("Preset"),
                           text,
                           {},
                           [&request, &activity, &family, preset] {
                               request.setFamily(family);
                               const QString why = preset.apply(request.parameters());
                               if (!why.isEmpty()) activity.report(why);
                           },
                           {}});
    };
    const gpu::Family* own = request.parameters().family();
    if (own != nullptr)
        for (const Preset& preset : presets.of(*own)) add(*own, preset, preset.name);
    QStringList samples = samplePictures();
    samples << generatedSamples();
    for (const QString& input : samples)
        entries.push_back({tr("Sample"),
                           input.startsWith(QStringLiteral("gen:")) ? input : QFileInfo(input).fileName(),
                           {},
                           [&inputs, input] { inputs.open(input); },
                           QStringLiteral("warplens-cli info ") + shellQuoted(input)});
    for (PaletteEntry& entry : entriesOfWords(actions, request, activity, now)) entries.push_back(std::move(entry));
    for (const gpu::Family* family : gpu::families())
        if (family != own)
            for (const Preset& preset : presets.of(*family))
                add(*family, preset, preset.name + QStringLiteral(": ") + QString::fromStdString(family->title()));
    for (PaletteEntry& entry : entriesOfOtherFamilies(request, now)) entries.push_back(std::move(entry));
    return entries;
}

int matchScore(const QString& typed, const QString& text) {
    // The best score with which the letters so far end at each place of the text.
    std::vector<int> ending;
    const auto begins = [&](qsizetype i) { return i == 0 || !text[i - 1].isLetterOrNumber(); };
    for (const QChar letter : typed) {
        if (letter.isSpace()) continue;
        std::vector<int> next(static_cast<std::size_t>(text.size()), -1);
        int before = -1;  // the best that ends left of here
        for (qsizetype i = 0; i < text.size(); ++i) {
            const auto at = static_cast<std::size_t>(i);
            const bool first = ending.empty();
            const int left = first || i == 0 ? -1 : ending[at - 1];
            before = std::max(before, left);
            if (text[i].toCaseFolded() != letter.toCaseFolded()) continue;
            // A letter begins a word or stands next to the last one; only the first may stand within a word.
            if (begins(i) && (first || before >= 0)) next[at] = std::max(before, 0) + kAtBeginning;
            if (left >= 0) next[at] = std::max(next[at], left + kNextTo);
            if (first) next[at] = std::max(next[at], kAnywhere);
        }
        ending = std::move(next);
        if (ending.empty()) return -1;
    }
    return ending.empty() ? 0 : *std::ranges::max_element(ending);
}

QDialog* makeCommandPalette(std::vector<PaletteEntry> entries, QWidget* window) {
    return new CommandPalette(std::move(entries), window);
}

}  // namespace warplens::gui
