// SPDX-License-Identifier: Apache-2.0
#include "gui/request/launch_experiments.hpp"

#include "gui/kit/panel.hpp"
#include "gui/session/request_state.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("LaunchExperiments", text); }

const gpu::Tunable* find(const gpu::Variant& variant, const std::string& id) {
    const auto found = std::ranges::find(variant.tunables, id, &gpu::Tunable::id);
    return found == variant.tunables.end() ? nullptr : &*found;
}

/// Of 1, 2, 4, 8 and 16 those that it can be.
std::vector<int> powersOf(const gpu::Tunable& tunable) {
    std::vector<int> values;
    for (int value = 1; value <= 16; value *= 2) {
        const auto& choices = tunable.choices;
        const bool allowed = choices.empty() ? value >= tunable.minimum && value <= tunable.maximum
                                             : std::ranges::find(choices, value) != choices.end();
        if (allowed) values.push_back(value);
    }
    return values;
}

}  // namespace

std::vector<LaunchExperiment> experimentsOf(const gpu::Variant& variant) {
    std::vector<LaunchExperiment> experiments;
    const std::string id = gpu::variantIn(variant.id);
    const auto add = [&](const QString& title, const std::vector<gpu::TunableValues>& all) {
        LaunchExperiment made{title, {}};
        for (const gpu::TunableValues& values : all) {
            gpu::RunKey key{id, {}};
            // What is at its default is the ladder's own row.
            for (const auto& [tunable, value] : values)
                if (find(variant, tunable)->fallback != value) key.chosen[tunable] = value;
            if (!key.chosen.empty()) made.rows.push_back(std::move(key));
        }
        if (!made.rows.empty()) experiments.push_back(std::move(made));
    };
    const gpu::Tunable *width = find(variant, "block_width"), *height = find(variant, "block_height");
    if (width != nullptr && height != nullptr && width->choices.empty() && height->choices.empty())
        add(tr("Blocks 8 × 8 to 32 × 32"), {{{"block_width", 8}, {"block_height", 8}},
                                            {{"block_width", 16}, {"block_height", 16}},
                                            {{"block_width", 32}, {"block_height", 32}}});
    const auto series = [&](const char* tunable, const QString& title) {
        const gpu::Tunable* varied = find(variant, tunable);
        if (varied == nullptr) return;
        std::vector<gpu::TunableValues> all;
        const std::vector<int> values = powersOf(*varied);
        for (const int value : values) all.push_back({{tunable, value}});
        if (values.size() > 1) add(title.arg(values.front()).arg(values.back()), all);
    };
    if (width == nullptr || height == nullptr || !height->choices.empty())
        for (const char* side : {"block_width", "block_height"})
            series(side,
                   side == std::string("block_width") ? tr("Block widths %1 to %2") : tr("Block heights %1 to %2"));
    series("outputs_per_thread", tr("Coarsening %1 to %2 outputs per thread"));
    series("elements_per_thread", tr("Coarsening %1 to %2 elements per thread"));
    return experiments;
}

QWidget* makeExperiments(RequestState& request, QWidget* parent) {
    auto* button =
        made(new QToolButton(parent),
             {.id = "launch-experiments",
              .look = "flat",
              .name = tr("Experiments with launch parameters"),
              .tip = tr("Adds the current variant again with other block shapes, or with more outputs per thread."),
              .focus = true});
    button->setText(tr("Experiments"));
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = made(new QMenu(button), {.id = "launch-experiments-menu"});
    button->setMenu(menu);
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &request] {
        menu->clear();
        const gpu::Variant* current = request.currentVariant();
        if (current == nullptr) return;
        const std::vector<LaunchExperiment> experiments = request.variants().kernel(current->id) != nullptr
                                                              ? std::vector<LaunchExperiment>()
                                                              : experimentsOf(*current);
        const QString name = QString::fromStdString(gpu::variantIn(current->id));
        menu->addSection(name);
        for (const LaunchExperiment& experiment : experiments)
            QObject::connect(menu->addAction(experiment.title), &QAction::triggered, menu, [&request, experiment] {
                for (const gpu::RunKey& row : experiment.rows) request.variants().add(row.id());
            });
        if (experiments.empty()) menu->addAction(tr("%1 has no such launch parameters").arg(name))->setEnabled(false);
        menu->addSeparator();
        QAction* remove = menu->addAction(tr("Remove all added rows"));
        remove->setEnabled(!request.variants().addedTo(*request.parameters().family()).empty());
        QObject::connect(remove, &QAction::triggered, menu, [&request] { request.variants().setAdded({}); });
    });
    return button;
}

}  // namespace warplens::gui
