// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/call_files.hpp"
#include "app/cli/inputs.hpp"
#include "gpu/core/family.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace warplens::cli {

/// Every parameter of every family as an option of its id. Which family a call means is known only after parsing, so an
/// option of another family is refused then.
class FamilyOptions {
public:
    explicit FamilyOptions(CLI::App& command);
    /// What was given for this family, parsed and validated; parameters that were not given are absent. One that has no
    /// effect with the others is refused; pictures are read by `choices`. Throws gpu::Error(argument), ArgumentError or
    /// io::Error. `lengths`: of one that was given in mm or the like the default stands there until there is a picture.
    gpu::ParameterValues valuesFor(const gpu::Family& family, const ReadChoices& choices = {},
                                   bool lengths = false) const;
    /// Puts what was given in mm or the like into the pixels of this picture, and says of each what it came to:
    /// "radius 0.2mm is 3.6 pixels: 4 taken". Throws ArgumentError where its pixels have no such length, or the
    /// parameter no such value.
    std::vector<std::string> toPixels(const gpu::Family& family, const io::Grid& picture,
                                      gpu::ParameterValues& values) const;
    /// The name of an option that was given, of whichever family; empty: none was.
    std::string firstGiven() const;
    /// The files among what was given for this family.
    void addFiles(const gpu::Family& family, CallFiles& files) const;

private:
    std::map<std::string, std::string> m_texts;
    std::map<std::string, CLI::Option*> m_options;
};

/// "integer 0..31 px, default 2", "one of zero, replicate, ..., default zero": for help and `list parameters`.
std::string describe(const gpu::Parameter& parameter);

}  // namespace warplens::cli
