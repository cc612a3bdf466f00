// SPDX-License-Identifier: Apache-2.0
#include "app/worker/ask.hpp"

#include "app/trace/protocol.hpp"
#include "gpu/core/json_reason.hpp"
#include "gpu/run/user_kernel.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace warplens::worker {

using gpu::Error;

void refuseFor(const Json& answer) {
    const auto kind = answer.at("kind").get<std::string>();
    if (kind == "compile") throw gpu::CompileError(answer.at("errors").get<std::vector<std::string>>());
    if (kind == "failure")
        throw Error(static_cast<Error::Kind>(answer.at("error").get<int>()), answer.at("message").get<std::string>());
}

[[noreturn]] void refuseAnswer(const Json::exception& error) {
    throw Error(Error::Kind::internal,
                "warplens-worker gave no answer that can be read (" + gpu::reasonOf(error) + "): reinstall it");
}

gpu::Film filmOf(const Json& answer) {
    try {
        refuseFor(answer);
        if (answer.at("kind") == "wrong") throw Error(Error::Kind::fault, answer.at("message").get<std::string>());
        return trace_protocol::filmOf(answer.at("film"));
    } catch (const Json::exception& error) {
        refuseAnswer(error);
    } catch (const Error&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw Error(Error::Kind::internal, std::string("warplens-worker gave no film that means anything (") +
                                               error.what() + "): try again, or reinstall it");
    }
}

std::unique_ptr<WorkerProcess> ask(const Job& job, const std::stop_token& stop,
                                   const std::function<void(std::byte*)>& fill) {
    const std::string device = job.listing || !job.header.empty() ? "" : job.device;
    auto worker = takeWorker(device);
    fill(worker->share(job.sharedBytes()));
    if (worker->ask(job, stop)) return worker;
    worker = std::make_unique<WorkerProcess>(device);
    fill(worker->share(job.sharedBytes()));
    if (worker->ask(job, stop)) return worker;
    throw Error(Error::Kind::internal, "warplens-worker ended before it was asked: try again, or reinstall it");
}

}  // namespace warplens::worker
