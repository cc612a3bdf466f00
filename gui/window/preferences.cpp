// SPDX-License-Identifier: Apache-2.0
#include "gui/window/preferences.hpp"

#include "gui/kit/language.hpp"
#include "gui/kit/panel.hpp"
#include "gui/reports/kept_comparisons.hpp"
#include "gui/session/recent_files.hpp"
#include "gui/window/actions.hpp"

#include <QSettings>
#include <algorithm>

namespace warplens::gui {

namespace {

constexpr Length kPreferencesWidth{520}, kTitleWidth{150};

}  // namespace

Preferences::Preferences(Actions& actions, KeptComparisons& kept, RecentFiles& recent, QSettings& settings,
                         QWidget* window)
    : QDialog(window), m_actions(actions), m_kept(kept), m_recent(recent), m_settings(settings) {
    setObjectName(QStringLiteral("preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    makeColumn(this, {}, 0);
    build();
    resize(kPreferencesWidth, sizeHint().height());
}

void Preferences::build() {
    delete m_content;
    m_rows.clear();
    setWindowTitle(tr("Preferences"));
    m_content = new QWidget(this);
    layout()->addWidget(m_content);
    m_search = made(new QLineEdit(m_content), {.id = "preferences-search", .name = tr("Search in the preferences")});
    m_search->setPlaceholderText(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_none = made(new QLabel(tr("No setting has these words."), m_content), {.id = "preferences-none", .look = "hint"});
    m_none->hide();
    auto* buttons = new QDialogButtonBox(m_content);
    auto* close = made(new QPushButton(tr("Close"), buttons), {.id = "preferences-close"});
    close->setAutoDefault(false);
    buttons->addButton(close, QDialogButtonBox::RejectRole);
    m_column = makeColumn(m_content, {kDockMargin, kDockMargin, kDockMargin, kDockMargin}, kGap);
    fill(m_column, {m_search});
    addLook();
    addLanguage();
    addKept();
    fill(m_column, {m_none, spring(), buttons});
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_search, &QLineEdit::textChanged, this, &Preferences::search);
    m_search->setFocus();
}

void Preferences::add(const QString& title, const QString& help, QWidget* control, const QString& more) {
    auto* row = new QWidget(m_content);
    auto* label = new QLabel(title, row);
    label->setFixedWidth(kTitleWidth);
    label->setBuddy(control);
    control->setAccessibleName(title);
    control->setAccessibleDescription(help);
    auto* hint = made(new QLabel(help, row), {.look = "hint", .wraps = true});
    fill(makeRow(row, {}, kGap), {{label, 0, Qt::AlignTop}, {makeColumn(nullptr, {}, 2, {control, hint}), 1}});
    m_column->addWidget(row);
    m_rows.push_back({row, title + ' ' + help + ' ' + more});
}

void Preferences::addLook() {
    auto* theme = made(new QComboBox(m_content), {.id = "preferences-theme"});
    const std::initializer_list<std::pair<QAction*, QString>> themes{{m_actions.themeSystem, tr("Like the desktop")},
                                                                     {m_actions.themeDark, tr("Dark")},
                                                                     {m_actions.themeLight, tr("Light")}};
    QString all;
    for (const auto& [action, name] : themes) {
        theme->addItem(name);
        all += name + ' ';
        if (action->isChecked()) theme->setCurrentIndex(theme->count() - 1);
    }
    connect(theme, &QComboBox::activated, this, [this](int index) {
        (index == 0 ? m_actions.themeSystem : index == 1 ? m_actions.themeDark : m_actions.themeLight)->trigger();
    });
    add(tr("Colours"), tr("Of the whole window."), theme, all);
    const auto toggle = [this](const char* id, QAction* action, const QString& title, const QString& text,
                               const QString& help) {
        auto* box = made(new QCheckBox(text, m_content), {.id = id});
        box->setChecked(action->isChecked());
        connect(box, &QCheckBox::toggled, action, &QAction::setChecked);
        connect(action, &QAction::toggled, box, &QCheckBox::setChecked);
        add(title, help, box, text);
    };
    toggle("preferences-projector", m_actions.projector, tr("Projector"), tr("Large type and strong lines"),
           tr("For a lecture hall. Keys that are pressed are shown."));
    toggle("preferences-link", m_actions.link, tr("Panes"), tr("Zoom and move together"),
           tr("Linked panes show the same place of every picture."));
    toggle("preferences-at-once", m_actions.atOnce, tr("Lab"), tr("Run and count at once"),
           tr("Runs the variants that are shown, and counts on the page Why, without being asked (F5, F6)."));
    auto* keys = made(new QPushButton(tr("Change keys"), m_content), {.id = "preferences-keys"});
    keys->setAutoDefault(false);
    connect(keys, &QPushButton::clicked, m_actions.changeKeys, &QAction::trigger);
    add(tr("Keys"), tr("Every command can have a key of your own."), keys, tr("shortcuts keyboard"));
}

void Preferences::addLanguage() {
    auto* language = made(new QComboBox(m_content), {.id = "preferences-language"});
    language->addItem(tr("English"), QStringLiteral("en"));
    language->addItem(tr("German, this page alone so far"), QStringLiteral("de"));
    language->setCurrentIndex(std::max(0, language->findData(m_settings.value(kLanguage, QStringLiteral("en")))));
    connect(
        language, &QComboBox::activated, this,
        [this, language] {
            m_settings.setValue(kLanguage, language->currentData());
            useLanguage(language->currentData().toString());
            build();  // the box that sent this goes: so it is heard later
        },
        Qt::QueuedConnection);
    add(tr("Language"), tr("Of what is not translated yet the English text is shown."), language,
        QStringLiteral("Deutsch English"));
}

void Preferences::addKept() {
    auto* keep = made(new QCheckBox(tr("Keep finished comparisons"), m_content), {.id = "preferences-history"});
    const bool possible = m_kept.refusal().isEmpty();
    keep->setChecked(m_kept.keeping() && possible);
    keep->setEnabled(possible);
    connect(keep, &QCheckBox::toggled, this, [this](bool on) { m_kept.setKeeping(on); });
    add(tr("History"),
        possible ? tr("On this computer only, to find what became slower. What is kept stays.")
                 : tr("History is off; see the History window."),
        keep, keep->text());
    auto* forget = made(new QPushButton(tr("Forget them"), m_content), {.id = "preferences-forget"});
    forget->setAutoDefault(false);
    forget->setEnabled(!m_recent.list().isEmpty());
    connect(forget, &QPushButton::clicked, this, [this, forget] {
        m_recent.forget();
        forget->setEnabled(false);
    });
    add(tr("Recent files"), tr("Their names and small pictures in the menu File."), forget, forget->text());
}

void Preferences::search(const QString& text) {
    const QStringList words = text.split(' ', Qt::SkipEmptyParts);
    bool any = false;
    for (const Row& row : m_rows) {
        const bool found = std::ranges::all_of(
            words, [&](const QString& word) { return row.words.contains(word, Qt::CaseInsensitive); });
        row.widget->setVisible(found);
        any = any || found;
    }
    m_none->setVisible(!any);
}

}  // namespace warplens::gui
