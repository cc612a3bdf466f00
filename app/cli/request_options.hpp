// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/family_options.hpp"
#include "app/cli/inputs.hpp"
#include "gpu/report/recorded.hpp"
#include "gpu/run/runner.hpp"
#include "io/write.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::cli {

/// The options that `run`, `compare` and `explain` share.
class RequestOptions {
public:
    /// `several`: --device may name more than one, and --exchange how they do so.
    explicit RequestOptions(CLI::App& command, bool several = false);

    const gpu::Family& family() const;
    /// Everything but the picture; checked as far as it can be without one. Throws gpu::Error(argument) or
    /// ArgumentError.
    gpu::Request request() const;
    /// With its picture: puts lengths that were given in mm or the like into pixels; what is to be said of it, a line
    /// each. Throws ArgumentError.
    std::string toPixels(gpu::Request& request) const;
    /// The same without a family and what belongs to it, for a recipe's steps; refuses options that a recipe decides.
    gpu::Request base() const;
    /// --recipe, for commands that take steps instead of a family.
    void addRecipe(CLI::App& command);
    /// --kernel, for commands that run kernels of the user's.
    void addKernels(CLI::App& command);
    /// Whether any was named.
    bool hasKernels() const { return !m_kernels.empty(); }
    /// --table, for commands that write results.
    void addTable(CLI::App& command);
    /// The inputs to work on; throws io::Error(unreadable).
    Inputs inputs() const;
    /// The devices that --device names, as deviceIds() gives and refuses them; the first one is the requests' own.
    const std::vector<std::string>& devices() const;
    /// Those that share the pictures: all of them for a batch; for one picture the first, which the others work beside
    /// (Request::beside).
    std::vector<std::string> sharing(const Inputs& inputs) const;
    std::vector<std::string> beside(const Inputs& inputs) const;
    /// Refuses --table where what computes makes no tables.
    void checkTable(const gpu::Family& family) const;
    /// What the call reads, and its reports but for a recipe's, which are one a step; throws ArgumentError when a
    /// report would replace an input, and io::Error when it cannot be written where it is to go.
    CallFiles files(const Inputs& inputs) const;
    /// Writes every --report of an input; in a batch, `stem` goes into the names. Throws io::Error(unwritable).
    void writeReports(const std::string& stem, bool batch, const gpu::Report& report, const gpu::Comparison& comparison,
                      const gpu::RecordedRuns& recorded) const;
    /// A picture beside the input.
    std::shared_ptr<const io::Grid> readParameter(const std::string& name) const;
    /// `quiet`: no progress on a terminal.
    std::shared_ptr<const io::Grid> read(const std::string& name, const std::stop_token& stop,
                                         bool quiet = false) const;

    /// Where pictures go, or empty.
    std::string output;
    /// The table that goes there instead of a picture, by its id, or empty.
    std::string table;
    /// Heads of a table in CSV name the unit of their column.
    bool unitHeads = false;
    /// The file of a recipe, or the recipe itself, which begins with {; empty: a family is given.
    std::string recipe;
    /// The files of --report; their extensions were checked by request().
    std::vector<std::string> reports;
    bool json = false;
    /// Results in NRRD and TIFF are written as they are, rather than compressed.
    bool uncompressed = false;
    /// Of formats that lose by it.
    int quality = io::EncodeOptions::kUsualQuality;
    std::string way;  ///< of those of its format; empty: the usual one
    /// Values that the format of the result cannot hold are brought into those it can.
    bool convert = false;
    /// How a result of that input is written.
    io::WriteOptions writing(const gpu::Result& result, const io::Grid* input, std::stop_token stop = {}) const;

private:
    gpu::Request common() const;
    gpu::TunableValues tunables() const;

    std::vector<std::string> m_positionals;  ///< inputs, then the family
    std::string m_device, m_exchange, m_memoryLimit;
    mutable std::vector<std::string> m_devices;  ///< once they were asked for
    std::vector<std::string> m_settings, m_kernels;
    std::uint64_t m_shuffle = 0;
    ReadChoices m_choices;
    FamilyOptions m_family;
};

/// --kernel FILE.cuh, which may be repeated.
void takesKernels(CLI::App& command, std::vector<std::string>& kernels);
/// The kernels of those names, as worker::loadKernel() has them. Throws ArgumentError where two have one name, or a
/// variant of the family has it.
std::vector<std::shared_ptr<const gpu::UserKernel>> loadKernels(const std::vector<std::string>& names,
                                                                const std::string& family);

/// The runs that --variants names, by their ids: "all" gives an empty list, which means every one; "auto" stays as it
/// is where it may be named. Throws gpu::Error(argument) or ArgumentError.
std::vector<std::string> chosenVariants(const std::string& list, const gpu::Family& family, bool autoAllowed = false);

}  // namespace warplens::cli
