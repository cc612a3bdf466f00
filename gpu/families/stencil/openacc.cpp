// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/stencil/openacc.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/stencil/openacc/rows.hpp"

#include <chrono>
#include <utility>

namespace warplens::gpu::stencil {

#if WARPLENS_HAVE_OPENACC

namespace {

class StencilOpenAcc final : public PortableSession {
public:
    StencilOpenAcc(const StencilProblem& problem, AccRow row)
        : m_problem(problem), m_row(row), m_step(plainStepOf(problem)), m_start(startOf(problem)) {}

    std::string runsOn() const override { return accPlace(); }
    Clock clock() const override { return Clock::openacc; }

    double run(const std::stop_token& stop) override {
        std::vector<float> now = m_start, next(m_start.size());
        Steps steps(m_problem.schedule(), stop);
        const auto begin = std::chrono::steady_clock::now();
        const float* const last = m_row(m_step, steps, now.data(), next.data());
        const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
        m_evolution = steps.evolution();
        m_fields = std::move(last == now.data() ? now : next);
        return ms;
    }

    Result result() override { return resultOf(m_problem, m_fields, m_evolution); }

private:
    const StencilProblem& m_problem;
    AccRow m_row;
    PlainStep m_step;
    std::vector<float> m_start, m_fields;
    ConvergenceHistory m_evolution;
};

}  // namespace

std::string openAccRefusal() { return {}; }

std::unique_ptr<PortableSession> openAccSession(const StencilProblem& problem, const Variant& variant) {
    const AccRow row = variant.id == "acc_resident"        ? &resident
                       : variant.id == "acc_cache_blocked" ? &cacheBlocked
                                                           : &copyEveryStep;
    return std::make_unique<StencilOpenAcc>(problem, row);
}

#else

std::string openAccRefusal() { return "this program was compiled without OpenACC: build it with GCC"; }

std::unique_ptr<PortableSession> openAccSession(const StencilProblem&, const Variant&) {
    throw Error(Error::Kind::unsupported, openAccRefusal());
}

#endif

}  // namespace warplens::gpu::stencil
