// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/trace/film.hpp"
#include "gpu/trace/picture_places.hpp"
#include "gpu/trace/trace_device.hpp"
#include "gpu/trace/warp_trace.hpp"

#include <functional>
#include <memory>
#include <stop_token>

namespace warplens::gpu::trace {

/// Traces variants on one problem. The device and the input on it are kept.
class VariantTracer {
public:
    /// Throws Error(argument) or Error(unsupported) as Family::pose().
    VariantTracer(const Family& family, std::shared_ptr<const io::Grid> input, const ParameterValues& parameters);
    ~VariantTracer();

    /// The record of a kernel with its counters, or unsupported with the reason. A finding makes it wrong. `tunables`
    /// are those of this variant. Throws Error(cancelled).
    RunRecord trace(const Variant& variant, const TunableValues& tunables, const SamplePolicy& policy,
                    std::stop_token stop, std::function<void(double)> progress);

    /// As gpu::Tracer.
    WarpTrace warp(const Variant& variant, const TunableValues& tunables, const WarpQuery& query, std::stop_token stop);
    /// As a FilmMaker.
    Film film(const Variant& variant, const TunableValues& tunables, const FilmQuery& query, std::stop_token stop);
    LoadMap loads(const Variant& variant, const TunableValues& tunables, std::stop_token stop,
                  std::function<void(double)> progress);

private:
    TunableValues prepare(const Variant& variant, const TunableValues& tunables, std::stop_token stop);
    PicturePlaces places(const Variant& variant, const TunableValues& resolved, const io::Shape& shape) const;
    /// What the kernels of the session read, which is prepared.
    const Buffer& input() const;
    std::string refusal(const Variant& variant, const TunableValues& tunables) const;
    void run(const Variant& variant, const SamplePolicy& policy, std::function<void(double)> progress,
             RunRecord& record);

    const Family& m_family;
    std::shared_ptr<const io::Grid> m_input;
    TraceDevice m_device;
    Resident m_resident;
    std::unique_ptr<Problem> m_problem;
    std::unique_ptr<Session> m_session;
};

}  // namespace warplens::gpu::trace
