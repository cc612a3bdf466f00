// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/computation.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace warplens::cli {

class CallFiles;

/// Errors of results against the double reference.
class ErrorOptions {
public:
    /// Adds --errors.
    explicit ErrorOptions(CLI::App& command);
    /// Adds --error-picture, for a command whose result is one.
    void addPicture(CLI::App& command);

    bool any() const { return m_errors || !m_picture.empty(); }
    /// Before anything runs: keeps the pictures that are needed. Throws ArgumentError where there is nothing to
    /// compare, and of several inputs where their errors would go to one file; io::Error when that cannot be written.
    void prepare(gpu::Request& request, const gpu::Family& family, bool batch, CallFiles& files) const;
    /// Adds the errors to the report, region by region, and writes the picture. What is interrupted lacks; throws
    /// io::Error.
    void find(gpu::Runner& runner, const gpu::Request& request, const std::stop_token& stop, Computed& computed) const;

private:
    bool m_errors = false;
    std::string m_picture;
};

}  // namespace warplens::cli
