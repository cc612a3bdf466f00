// SPDX-License-Identifier: Apache-2.0
#include "app/cli/exit_status.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/run/user_kernel.hpp"
#include "gpu/user/problem.hpp"
#include "io/error.hpp"
#include "io/printable.hpp"

#include <algorithm>
#include <iostream>
#include <new>
#include <stdexcept>

namespace warplens::cli {

namespace {

int statusOfKind(gpu::Error::Kind kind) {
    switch (kind) {
        case gpu::Error::Kind::argument:
        case gpu::Error::Kind::unsupported: return kArguments;
        case gpu::Error::Kind::cancelled: return kInterrupted;
        default: return kDevice;
    }
}

int statusOfKind(io::Error::Kind kind) {
    switch (kind) {
        case io::Error::Kind::argument: return kArguments;
        case io::Error::Kind::cancelled: return kInterrupted;
        default: return kFile;
    }
}

/// Kernels do. Of a portable row, whose definition is the kernels' own, a wrong result does; what its driver does not
/// manage is no failure of this program.
bool counts(const gpu::RunRecord& run) {
    return run.kind == gpu::Variant::Kind::kernel ||
           (run.kind == gpu::Variant::Kind::portable && run.status == gpu::Status::wrong);
}

}  // namespace

int statusOf(const gpu::Comparison& comparison) {
    int status = comparison.interrupted ? kInterrupted : kFine;
    for (const gpu::RunRecord& run : comparison.runs) {
        if (!counts(run)) continue;
        if (run.status == gpu::Status::wrong) status = std::max<int>(status, kWrong);
        if (run.status == gpu::Status::failed) status = std::max<int>(status, kDevice);
    }
    return status;
}

std::string whyNotFine(const std::vector<gpu::RunRecord>& runs) {
    std::string first;
    int count = 0;
    for (const gpu::RunRecord& run : runs) {
        const bool bad = run.status == gpu::Status::wrong || run.status == gpu::Status::failed;
        if (!counts(run) || !bad) continue;
        if (count++ > 0) continue;
        first = run.id() + ": " + gpu::nameOf(run.status) + (isIntentionallyWrong(run) ? ", on purpose: " : ": ") +
                run.reason;
    }
    return first + (count > 1 ? "; and " + std::to_string(count - 1) + " more" : "");
}

void printError(const std::string& message) {
    std::string line = message;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    std::cout.flush();
    std::cerr << "warplens-cli: " << io::printableLines(line) << '\n';
}

int report(const std::exception_ptr& failure, const std::string& of) {
    const std::string where = of.empty() ? "" : of + ": ";
    try {
        std::rethrow_exception(failure);
    } catch (const ArgumentError& error) {
        printError(where + error.what());
        return kArguments;
    } catch (const gpu::CompileError& error) {
        for (const std::string& line : error.errors()) {
            const std::string means = gpu::user::explanationOf(line);
            printError(means.empty() ? line : line + ": " + means);
        }
        return kArguments;
    } catch (const gpu::Error& error) {
        const int status = statusOfKind(error.kind());
        printError(status == kInterrupted ? "interrupted" : where + error.what());
        return status;
    } catch (const io::Error& error) {
        const int status = statusOfKind(error.kind());
        printError(status == kInterrupted ? "interrupted" : error.what());
        return status;
    } catch (const std::bad_alloc&) {
        printError(where + "not enough memory: use a smaller picture or close other programs");
        return kDevice;
    } catch (const std::exception& error) {
        printError(where + error.what());
        return kDevice;
    }
}

}  // namespace warplens::cli
