// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"

#include <exception>
#include <string>
#include <vector>

namespace warplens::cli {

/// What scripts rely on. Of several, the largest wins.
enum ExitStatus : int {
    kFine = 0,
    kWrong = 1,      ///< a kernel variant failed verification
    kArguments = 2,  ///< bad arguments, an unsupported --variant in `run` included
    kFile = 3,       ///< unreadable or unwritable file
    kDevice = 4,     ///< device missing, out of memory or failed
    kInterrupted = 130
};

/// Bad arguments found by the command line itself.
class ArgumentError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The status of the records: library rows never set it, unsupported rows are no error.
int statusOf(const gpu::Comparison& comparison);

/// Why the records give a status: the first kernel that is wrong or failed, and how many are; empty when none is.
std::string whyNotFine(const std::vector<gpu::RunRecord>& runs);

/// One line on stderr, whatever line breaks the message holds.
void printError(const std::string& message);

/// Prints the exception and returns its status. `of`: an input of several, named before what does not name a file
/// itself.
int report(const std::exception_ptr& failure, const std::string& of = {});

}  // namespace warplens::cli
