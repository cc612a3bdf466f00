// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/film.hpp"
#include "gpu/trace/sampling.hpp"
#include "gpu/trace/tracer.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace warplens {

/// The warplens-trace to run: WARPLENS_TRACE when set, else beside the running program, in ../libexec/warplens, on
/// PATH. Empty when there is none.
std::filesystem::path findTrace();

/// Traces in a process of its own, one a request, which ends with it.
class TraceProgram final : public gpu::Tracer {
public:
    /// What a launch may cost (trace::SamplePolicy); 0: every block is traced, however long it takes.
    /// A process that says nothing for `silence` is taken for stuck: it tells of every block that it has traced.
    explicit TraceProgram(std::int64_t sampleWords = kSampleWords, std::chrono::seconds silence = kSilence)
        : m_sampleWords(sampleWords), m_silence(silence) {}

    /// Throws gpu::Error(unsupported) when there is no warplens-trace, Error(internal) when it crashes, else as
    /// gpu::Tracer.
    gpu::Comparison explain(const gpu::Request& request, std::stop_token stop, const gpu::Observer& observer) override;
    gpu::WarpTrace warp(const gpu::Request& request, const gpu::WarpQuery& query, std::stop_token stop) override;
    gpu::LoadMap loads(const gpu::Request& request, std::stop_token stop, const gpu::Observer& observer) override;
    /// As a gpu::FilmMaker: a kernel of the user's is filmed by whoever has a process for it.
    gpu::Film film(const gpu::Request& request, const gpu::FilmQuery& query, std::stop_token stop) const;

    static constexpr std::int64_t kSampleWords = gpu::trace::SamplePolicy().words;
    static constexpr std::chrono::seconds kSilence{300};

private:
    std::int64_t m_sampleWords;
    std::chrono::seconds m_silence;
};

}  // namespace warplens
