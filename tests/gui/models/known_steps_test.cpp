// SPDX-License-Identifier: Apache-2.0
// What people type where a step is added finds the steps that they mean.
#include "gui/session/known_steps.hpp"

#include "gui/session/presets.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

namespace warplens::gui {
namespace {

/// Names of the first steps that a list has room for.
QStringList offered(const std::vector<KnownStep>& steps, const char* typed) {
    constexpr std::size_t kRoom = 8;
    const auto found = matchingSteps(steps, QString::fromUtf8(typed));
    QStringList names;
    for (std::size_t i = 0; i < std::min(kRoom, found.size()); ++i) names << found[i]->words.front();
    return names;
}

TEST(KnownSteps, ThatDenoiseAreOfferedForEachOfTheirWords) {
    const std::vector<KnownStep> steps = knownSteps(nullptr);
    for (const char* typed : {"denoise", "noise", "nlm", "non-local", "film grain"}) {
        const QStringList names = offered(steps, typed);
        EXPECT_TRUE(names.contains("Denoise, non-local means")) << typed << " finds " << names.join("; ").toStdString();
    }
    EXPECT_TRUE(offered(steps, "denoise").contains("Median"));
    EXPECT_TRUE(offered(steps, "denoise").contains("Denoise, edges kept"));
    EXPECT_EQ(offered(steps, "nlm").front(), "Denoise, non-local means");
}

TEST(KnownSteps, AreCalledByTheirUsualNames) {
    const std::vector<KnownStep> steps = knownSteps(nullptr);
    const auto known = std::ranges::find_if(
        steps, [](const KnownStep& step) { return step.words.front() == "Denoise, non-local means"; });
    ASSERT_NE(known, steps.end());
    gpu::recipe::Step step;
    step.family = known->family->id();
    step.parameters = known->values;
    EXPECT_EQ(nameOf(step, steps).title, "Denoise, non-local means");
    EXPECT_EQ(nameOf(step, steps).values, "patch radius 2 px");
}

// A preset is what a user chose: its name stands for all of its values, or not at all.
TEST(KnownSteps, APresetNamesAStepByAllOfItsValuesOrNotAtAll) {
    int presets = 0;
    const Presets shipped({});
    const auto all = knownSteps(&shipped);
    for (const KnownStep& preset : all) {
        if (!preset.preset) continue;
        for (const auto& [id, value] : preset.values) {
            const auto* number = std::get_if<double>(&value);
            if (number == nullptr) continue;
            gpu::recipe::Step other{.family = preset.family->id(), .parameters = preset.values};
            other.parameters[id] = *number + 0.125;
            EXPECT_NE(nameOf(other, all).title, preset.words.front()) << id;
            ++presets;
        }
    }
    EXPECT_GT(presets, 0);
}

}  // namespace
}  // namespace warplens::gui
