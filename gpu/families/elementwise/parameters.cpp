// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/elementwise/parameters.hpp"

#include "gpu/core/separating_level.hpp"

#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::elementwise {
namespace {

using Type = Parameter::Type;

/// The rule of a threshold that is given.
constexpr const char* kGiven = "percent";

/// A number of some tasks.
Parameter number(std::string id, std::string title, std::vector<std::string> tasks, double fallback, double minimum,
                 double maximum, double step, std::string help, std::string unit = {}) {
    return {.id = std::move(id),
            .title = std::move(title),
            .type = Type::real,
            .fallback = fallback,
            .minimum = minimum,
            .maximum = maximum,
            .step = step,
            .unit = std::move(unit),
            .help = std::move(help),
            .visibleWhen = "task",
            .visibleWhenIn = std::move(tasks)};
}

/// As far as a slider of percents or factors is of use; more may be typed.
double reachOf100(const ParameterValues&) { return 100; }
double reachOf4(const ParameterValues&) { return 4; }

Parameter percent(std::string id, std::string title, std::vector<std::string> tasks, double fallback,
                  std::string help) {
    Parameter made =
        number(std::move(id), std::move(title), std::move(tasks), fallback, -100, 1000, 1, std::move(help), "%");
    made.reaches = &reachOf100;
    return made;
}

/// Where no rule finds it.
Parameter givenThreshold() {
    Parameter made =
        percent("threshold", "Threshold", {kGiven}, 50, "Values above it become the full range, the others 0.");
    made.visibleWhen = "threshold-by";
    return made;
}

Parameter factor(std::string id, std::string title, std::vector<std::string> tasks, double fallback, double minimum,
                 std::string help) {
    Parameter made =
        number(std::move(id), std::move(title), std::move(tasks), fallback, minimum, 65536, 0.05, std::move(help));
    made.reaches = &reachOf4;
    return made;
}

std::vector<std::string> thresholdRules() {
    std::vector<std::string> all{kGiven};
    all.insert(all.end(), levelRules().begin(), levelRules().end());
    return all;
}

}  // namespace

const BoundParameters<Chosen>& parameters() {
    static const BoundParameters<Chosen> all{
        {{.id = "task",
          .title = "Task",
          .type = Type::choice,
          .fallback = std::string("invert"),
          .choices = {"copy",    "scale",           "invert",   "exposure",      "gamma",      "levels", "curves",
                      "clip",    "threshold",       "absolute", "white-balance", "saturation", "grey",   "colour",
                      "channel", "replace-channel", "add",      "subtract",      "multiply",   "divide", "minimum",
                      "maximum", "difference",      "blend",    "axpy"},
          .help =
              "One value of the result for each value of the picture. Full range is 0 to 255, 65,535, or 1 of floats. "
              "copy changes the type alone; scale multiplies and adds; channel takes one of a picture's, colour makes "
              "three alike of one; replace-channel to axpy combine two pictures."},
         &Chosen::task},
        {{.id = "with",
          .title = "With",
          .type = Type::picture,
          .fallback = std::shared_ptr<const NamedGrid>(),
          .help = "The second picture, of the same extents, channels and type; replace-channel takes one of one "
                  "channel as well.",
          .visibleWhen = "task",
          .visibleWhenIn = {"replace-channel", "add", "subtract", "multiply", "divide", "minimum", "maximum",
                            "difference", "blend", "axpy"}},
         &Chosen::with},
        {factor("gain", "Gain", {"scale", "multiply", "divide", "axpy"}, 1, -65536,
                "The factor of the result; axpy is gain x picture + second picture. Integers divided by 0 are 0."),
         &Chosen::gain},
        {number("offset", "Offset", {"scale"}, 0, -65536, 65536, 1, "Added after the gain is applied."),
         &Chosen::offset},
        {number("stops", "Exposure", {"exposure"}, 1, -16, 16, 0.1, "Each stop doubles the values.", "stops"),
         &Chosen::stops},
        {number("gamma", "Gamma", {"gamma"}, 2.2, 0.1, 10, 0.1,
                "Values as shares of the full range to the power of 1 / gamma: above 1 brightens; below 0 becomes 0."),
         &Chosen::gamma},
        {percent("black", "Black", {"levels", "clip"}, 0,
                 "What becomes black, of the full range; clip keeps values above it."),
         &Chosen::black},
        {percent("white", "White", {"levels", "clip"}, 100,
                 "What becomes white, of the full range; clip keeps values below it."),
         &Chosen::white},
        {number("midtones", "Midtones", {"levels"}, 1, 0.1, 10, 0.1,
                "Gamma between black and white: above 1 brightens."),
         &Chosen::midtones},
        {{.id = "points",
          .title = "Points",
          .type = Type::text,
          .fallback = std::string("0,0;25,20;75,80;100,100"),
          .help =
              "The tone curve's points as \"x,y;x,y\", in percent of the full range: x becomes y. Between two of them "
              "the curve keeps between them; before the first and behind the last it is flat.",
          .example = "0,0;50,60;100,100",
          .visibleWhen = "task",
          .visibleWhenIn = {"curves"}},
         &Chosen::points},
        {{.id = "channel",
          .title = "Channel",
          .type = Type::choice,
          .fallback = std::string("red"),
          .choices = {"red", "green", "blue", "alpha"},
          .help = "Which one is taken, or replaced by the second picture's; others stay, one channel becomes three.",
          .visibleWhen = "task",
          .visibleWhenIn = {"channel", "replace-channel"}},
         &Chosen::channel},
        {{.id = "threshold-by",
          .title = "Threshold by",
          .type = Type::choice,
          .fallback = std::string(kGiven),
          .choices = thresholdRules(),
          .help =
              "percent: the threshold is given. Otherwise the picture's values say it, of several channels the least "
              "colour: otsu parts them with the largest variance between both parts, isodata midway between their "
              "means, li with the least cross entropy, triangle where the peak's slope ends, mean at the mean.",
          .visibleWhen = "task",
          .visibleWhenIn = {"threshold"}},
         &Chosen::thresholdBy},
        {givenThreshold(), &Chosen::threshold},
        {factor("red", "Red", {"white-balance"}, 1, 0, "Factor of the red channel."), &Chosen::red},
        {factor("green", "Green", {"white-balance"}, 1, 0, "Factor of the green channel."), &Chosen::green},
        {factor("blue", "Blue", {"white-balance"}, 1, 0, "Factor of the blue channel."), &Chosen::blue},
        {factor("saturation", "Saturation", {"saturation"}, 1.5, 0,
                "How far colours lie from their luminance: 0 is grey, 1 leaves them."),
         &Chosen::saturation},
        {number("opacity", "Opacity", {"blend"}, 0.5, 0, 1, 0.05, "The second picture's share."), &Chosen::opacity},
        {{.id = "output-type",
          .title = "Output type",
          .role = Parameter::Role::outputType,
          .type = Type::choice,
          .fallback = std::string("same"),
          .choices = {"same", "u8", "u16", "f32"},
          .help = "Type of the result; integers are rounded half to even and saturate.",
          .advanced = true},
         &Chosen::outputType},
        {{.id = "conversion",
          .title = "Conversion",
          .type = Type::choice,
          .fallback = std::string("values"),
          .choices = {"values", "range"},
          .help = "Into another type: values stay what they are, or the full range becomes the full range.",
          .visibleWhen = "output-type",
          .visibleWhenIn = {"u8", "u16", "f32"},
          .advanced = true},
         &Chosen::conversion},
        {alphaParameter("treated"), &Chosen::alpha},
    };
    return all;
}

}  // namespace warplens::gpu::elementwise
