// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"
#include "gpu/run/runner.hpp"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

struct Film;
struct FilmQuery;

/// What a kernel of the user's is run on.
struct UserKernelTask {
    const Problem& problem;
    const Request& request;
    const DeviceInfo& device;
};

/// A kernel that does not compile, with all that is told of it: "my.cuh:12: ..." each.
class CompileError : public Error {
public:
    explicit CompileError(std::vector<std::string> errors)
        : Error(Kind::argument, errors.front()), m_errors(std::move(errors)) {}
    const std::vector<std::string>& errors() const { return m_errors; }

private:
    std::vector<std::string> m_errors;
};

/// A kernel of the user's. Its code is never part of this process: whoever implements this has a process for it.
class UserKernel {
public:
    virtual ~UserKernel() = default;
    /// Of its id, sentence and tunables; no row of any family.
    virtual const Variant& variant() const = 0;
    /// Its text.
    virtual const std::string& source() const = 0;
    /// Tunables chosen where it was named, as those of a RunKey.
    virtual const TunableValues& chosen() const {
        static const TunableValues none;
        return none;
    }
    std::string id() const { return RunKey{variant().id, chosen()}.id(); }
    /// Fills in result, launch and times, as the request's policy wants them. Of a kernel that does what it must not
    /// the record says so. Throws Error: what could not be tried, and Error(cancelled).
    virtual void run(const UserKernelTask& task, RunRecord& record, const std::stop_token& stop) const = 0;
    /// Fills in counters and launch, as a Tracer does for our own variants; `sampleWords` is what a launch may cost
    /// (trace::SamplePolicy), 0 has every block counted. Throws as run().
    virtual void count(const UserKernelTask& task, std::int64_t sampleWords, RunRecord& record,
                       const std::stop_token& stop) const = 0;
    /// Fills in the film of a block (gpu/trace/film.hpp) with the record's tunables, as a FilmMaker does for our own
    /// variants. Throws as that and as run(), and Error(fault) where the kernel does what it must not.
    virtual void film(const UserKernelTask& task, const RunRecord& record, const FilmQuery& query, Film& film,
                      const std::stop_token& stop) const = 0;
};

/// The same kernel with tunables of its own. Throws Error(argument): it has no such tunable, or not that value.
std::shared_ptr<const UserKernel> withTunables(std::shared_ptr<const UserKernel> kernel, TunableValues chosen);

/// Makes a kernel of a text, which need not be saved; `path` names it. Throws Error(argument) where the text holds no
/// kernel. Whoever has a process for kernels (app/worker/client.hpp) hands this to the window.
using KernelMaker = std::function<std::shared_ptr<const UserKernel>(const std::string& path, const std::string& text)>;

}  // namespace warplens::gpu
