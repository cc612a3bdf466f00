// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/palette_entries.hpp"

#include "gpu/core/registry.hpp"
#include "gui/models/equivalent_command.hpp"
#include "gui/models/presets.hpp"
#include "gui/models/samples.hpp"
#include "gui/panels/actions.hpp"
#include "gui/panels/family_chooser.hpp"

#include <QFileInfo>

namespace warplens::gui {

namespace {

CommandContext contextOf(CompareSession& session) {
    const Document& document = session.document();
    const bool made = document.empty() || document.derived();
    return {made ? QString() : document.input(),
            document.choice(),
            session.parameters(),
            session.variants().checked(),
            session.current(),
            session.device() == nullptr ? std::string() : session.device()->id};
}

}  // namespace

std::vector<PaletteEntry> paletteEntries(const QList<QAction*>& actions, CompareSession& session,
                                         const Presets& presets) {
    std::vector<PaletteEntry> entries;
    const auto tr = [](const char* text) { return CommandPalette::tr(text); };
    const CommandContext now = contextOf(session);
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
             [&session, family] { session.setFamily(*family); },
             {}});
    for (const gpu::Parameter& parameter : session.parameters().parameters()) {
        if (parameter.type != gpu::Parameter::Type::choice) continue;
        for (const std::string& choice : parameter.choices)
            entries.push_back({QString::fromStdString(parameter.title),
                               QString::fromStdString(choice),
                               {},
                               [&session, id = parameter.id, choice] { session.parameters().set(id, choice); },
                               commandWith(parameter.id, choice, now)});
    }
    for (int row = 0; row < session.variants().rowCount(); ++row) {
        const std::string id = session.variants().variant(row)->id;
        entries.push_back({tr("Variant"),
                           QString::fromStdString(id),
                           {},
                           [&session, id] { session.setCurrent(id); },
                           commandRunning(id, now)});
    }
    if (const gpu::Family* family = session.parameters().family())
        for (const Preset& preset : presets.of(*family))
            entries.push_back({tr("Preset"),
                               preset.name,
                               {},
                               [&session, preset] {
                                   const QString why = preset.apply(session.parameters());
                                   if (!why.isEmpty()) session.report(why);
                               },
                               {}});
    QStringList samples = samplePictures();
    samples << generatedSamples();
    for (const QString& input : samples)
        entries.push_back({tr("Sample"),
                           input.startsWith(QStringLiteral("gen:")) ? input : QFileInfo(input).fileName(),
                           {},
                           [&session, input] { session.open(input); },
                           QStringLiteral("warplens-cli info ") + shellQuoted(input)});
    return entries;
}

}  // namespace warplens::gui
