// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/worker/protocol.hpp"
#include "app/worker/worker_process.hpp"
#include "gpu/core/error.hpp"
#include "gpu/trace/film.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>

namespace warplens::worker {

/// A worker that has this job, the memory filled before. One that was kept ready may have ended meanwhile. Throws
/// gpu::Error.
std::unique_ptr<WorkerProcess> ask(const Job& job, const std::stop_token& stop,
                                   const std::function<void(std::byte*)>& fill);
/// Answers of a worker that say why there is no other. Throws CompileError and Error.
void refuseFor(const Json& answer);
/// The film of an answer. Throws Error(fault) of a kernel that did what it must not, and as refuseFor().
gpu::Film filmOf(const Json& answer);
/// Of an answer that cannot be read. Throws Error(internal).
[[noreturn]] void refuseAnswer(const Json::exception& error);

}  // namespace warplens::worker
