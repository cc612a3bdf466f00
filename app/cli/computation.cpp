// SPDX-License-Identifier: Apache-2.0
#include "app/cli/computation.hpp"

#include "app/cli/progress.hpp"

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
    return computed;
}

}  // namespace warplens::cli
