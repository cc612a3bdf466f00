// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/jobs/file_jobs.hpp"
#include "gui/models/parameter_state.hpp"

#include <QString>
#include <string>
#include <vector>

namespace warplens::gui {

/// The command line that does what the window does, quoted for a POSIX shell. Values at their defaults are left out.
/// `variants` empty or the whole ladder: "--variants all".
QString compareCommand(const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                       const std::vector<std::string>& variants, const std::string& device);

/// A command line and what it does.
struct NamedCommand {
    QString what;
    QString line;
};

/// The command lines of what the window can do with a picture: compare, run and save one variant, report, explain, facts
/// of the picture, lists.
std::vector<NamedCommand> commandsFor(const QString& input, const ReadChoice& choice, const ParameterState& parameters,
                                      const std::vector<std::string>& variants, const std::string& current,
                                      const std::string& device);

/// As it must be typed: quoted only when it has to be.
QString shellQuoted(const QString& word);

}  // namespace warplens::gui
