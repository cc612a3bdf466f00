// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/sweep_axis.hpp"
#include "gui/session/file_jobs.hpp"
#include "gui/session/kernel_source.hpp"
#include "gui/session/parameter_state.hpp"

#include <QString>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

class Document;
class RequestState;

/// A command line and what it does.
struct NamedCommand {
    QString what;
    QString line;
};

/// What a command line starts from: the picture and what is chosen for it.
struct CommandContext {
    QString input;  ///< empty: no picture, or one that no command line makes
    ReadChoice choice;
    const ParameterState& parameters;
    std::vector<std::string> variants;  ///< checked
    std::string current, device;
    KernelPaths kernels{};
};
CommandContext contextOf(const RequestState& request);

/// The command lines of what the window can do with a picture, quoted for a POSIX shell, without values at their
/// defaults: compare, run and save one variant, report, explain, facts of the picture, lists. No rows, or the whole
/// ladder: "--variants all". None that has a kernel which no file holds.
std::vector<NamedCommand> commandsFor(const CommandContext& now);

/// The command line that does what an action of the window does, by the action's object name ("export-report"); empty
/// where the command line has nothing like it, as for a zoom.
QString commandOf(const QString& action, const CommandContext& now);
/// The same for a value chosen by name: a comparison with it.
QString commandWith(const std::string& parameter, const std::string& value, const CommandContext& now);
/// The same for a family with values, in words: run it and save its result.
QString commandOf(const gpu::Family& family, const std::vector<std::pair<QString, QString>>& values,
                  const CommandContext& now);
/// The same for a variant: run it and save its result.
QString commandRunning(const std::string& variant, const CommandContext& now);

/// Whether a sweep's axes are of the picture, so that it makes its own.
bool variesPicture(const std::vector<gpu::SweepAxis>& axes);
/// The sweep that the window makes; empty for a picture that no command line makes.
QString sweepCommand(const Document& document, const ParameterState& parameters,
                     const std::vector<gpu::SweepAxis>& axes, const std::vector<std::string>& variants,
                     const std::string& device);
/// Runs a recipe, given by its file or its text.
QString recipeLine(const QString& input, const ReadChoice& choice, const QString& recipe, const std::string& device);

/// As it must be typed: quoted only when it has to be.
QString shellQuoted(const QString& word);

}  // namespace warplens::gui
