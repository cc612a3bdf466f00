// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::cli {

/// What the positional inputs stand for.
struct Inputs {
    std::vector<std::string> names;  ///< files and gen: inputs, in order
    bool batch = false;              ///< several, or a folder
};

/// A folder stands for the files in it, by name; hidden files, notes and reports (.txt .md .json .csv .html) left out.
/// Throws io::Error(unreadable) for a folder that cannot be listed or holds nothing.
Inputs expandInputs(const std::vector<std::string>& given);

/// Calls `one` for each input and combines the statuses: an input that fails is reported and costs itself alone; Ctrl-C
/// ends the batch.
int overInputs(const Inputs& inputs, const std::stop_token& stop, const std::function<int(const std::string&)>& one);

/// Names without folder and extension, each made unique by a number: "photo", "photo-2"; a gen: input's colons become
/// underscores.
class Stems {
public:
    std::string next(const std::string& input);

private:
    std::set<std::string> m_taken;
};

}  // namespace warplens::cli
