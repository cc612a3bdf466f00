// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/read.hpp"

#include <CLI/CLI.hpp>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::cli {

/// What the positional inputs stand for.
struct Inputs {
    std::vector<std::string> names;  ///< files, folders of DICOM files, and gen:, raw: and series: inputs, in order
    bool batch = false;              ///< several, or a folder of files
};

/// The options that say how an input is meant: --axes, --frame, --series, --as.
class ReadChoices {
public:
    ReadChoices() = default;  ///< nothing was chosen
    explicit ReadChoices(CLI::App& command);

    /// io::read() with these choices, its progress shown on a terminal unless `quiet`.
    io::Grid read(const std::string& input, const std::stop_token& stop, bool quiet = false) const;
    /// The same for a picture that a parameter names: --as, and --axes where it fits.
    io::Grid readParameter(const std::string& name) const;

private:
    bool toFloat() const { return !m_as.empty(); }

    std::string m_axes, m_series, m_as;
    int m_frame = 0;
};

/// A folder of DICOM files is one volume; any other stands for the files in it, by name; hidden files, notes and
/// reports (.txt .md .json .csv .html) left out. Throws io::Error(unreadable) for a folder that cannot be listed or
/// holds nothing.
Inputs expandInputs(const std::vector<std::string>& given);

/// Calls `one` for each input and combines the statuses: an input that fails is reported and costs itself alone; Ctrl-C
/// ends the batch.
int forEachInput(const Inputs& inputs, const std::stop_token& stop, const std::function<int(const std::string&)>& one);

/// Names without folder and extension, each made unique by a number: "photo", "photo-2"; the colons of gen: and the
/// like become underscores.
class UniqueNames {
public:
    std::string next(const std::string& input);

private:
    std::set<std::string> m_taken;
};

}  // namespace warplens::cli
