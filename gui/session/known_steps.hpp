// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/parameter.hpp"
#include "gpu/recipe/recipe.hpp"

#include <QRect>
#include <QString>
#include <QStringList>
#include <vector>

namespace warplens::gui {

/// What people call something that a family can do to a picture, as "Sharpen a picture", with the values that do it.
struct KnownStep {
    QStringList words;  ///< the first one is its name
    const gpu::Family* family = nullptr;
    gpu::ParameterValues values{};
    QString likely{};     ///< among the first that people reach for, with a "photograph", a "measurement" or "both"
    bool shipped = true;  ///< no preset of the user's
    bool preset = false;  ///< its name says all of its values
    QString view{};       ///< the view of the workspace that does this, instead of a step
};

class Presets;

/// Where people filter: a photograph's edge has no dark frame, and its values stay what a file of its kind can hold.
gpu::ParameterValues usualValues(const gpu::Family& family);

/// Of the families that are there and make a picture of a picture: the words of resources/controls/words.json, the
/// presets, the families themselves. What a family does not take is left out, and a preset called as what is there.
std::vector<KnownStep> knownSteps(const Presets* presets);

/// What the step is called, and those of its values that the name does not say: "Sharpen", "radius 4".
struct StepName {
    QString title, values;
    bool own = false;  ///< it says more than the family's
};
StepName nameOf(const gpu::recipe::Step& step, const std::vector<KnownStep>& known);

/// "X,Y,W,H" of a step that keeps a part of the picture; empty: all of it.
QRect partOf(const std::string& box);
std::string boxOf(const QRect& part);

/// Those that match what was typed, the best first: all of its words begin words of theirs.
std::vector<const KnownStep*> matchingSteps(const std::vector<KnownStep>& steps, const QString& typed);

}  // namespace warplens::gui
