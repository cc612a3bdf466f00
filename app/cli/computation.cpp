// SPDX-License-Identifier: Apache-2.0
#include "app/cli/computation.hpp"

#include "app/cli/progress.hpp"
#include "gpu/core/error.hpp"
#include "gpu/run/rows.hpp"

#include <utility>
#include <vector>

namespace warplens::cli {

Computed compute(gpu::Runner& runner, const gpu::Request& request, const std::stop_token& stop) {
    Progress progress(request.inputName);
    std::vector<gpu::ReportRun> runs;
    const gpu::Observer observer{
        .progress = [&](double fraction, const std::string& what) { progress.show(fraction, what); },
        .record = [&](const gpu::RunRecord& record) { runs.push_back(gpu::reduce(record)); }};
    Computed computed{runner.run(request, stop, observer), {}};
    computed.report = gpu::makeReport(computed.comparison, std::move(runs));
    gpu::keepSources(computed.report, request);
    return computed;
}

void verify(gpu::Runner& runner, const gpu::Request& request, gpu::Comparison& comparison,
            const std::stop_token& stop) {
    for (gpu::RunRecord& run : comparison.runs) {
        if (run.status != gpu::Status::ok) continue;
        try {
            run = runner.verify(request, run, stop);
        } catch (const gpu::Error& error) {
            if (error.kind() != gpu::Error::Kind::cancelled) {
                gpu::applyError(run, error);
                continue;
            }
            comparison.interrupted = true;
            comparison.runs.clear();
            return;
        }
    }
}

}  // namespace warplens::cli
