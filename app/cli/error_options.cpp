// SPDX-License-Identifier: Apache-2.0
#include "app/cli/error_options.hpp"

#include "app/cli/call_files.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/option_types.hpp"
#include "app/cli/outputs.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/family.hpp"
#include "gpu/run/reference.hpp"

namespace warplens::cli {

ErrorOptions::ErrorOptions(CLI::App& command) {
    command.add_flag(
        "--errors", m_errors,
        "Say where results differ most from the double reference: in ulp, inside, at the picture's border, "
        "at tile seams and slab seams; the report has it, too");
}

void ErrorOptions::addPicture(CLI::App& command) {
    namesFile(command.add_option("--error-picture", m_picture,
                                 "Write the errors as a picture: result minus double reference in ulp, f32; 0 where "
                                 "nothing is checked"));
}

void ErrorOptions::prepare(gpu::Request& request, const gpu::Family& family, bool batch, CallFiles& files) const {
    if (!any()) return;
    const std::string option = m_picture.empty() ? "--errors" : "--error-picture";
    if (!family.info().makesPicture && !family.info().makesOtherPicture)
        throw ArgumentError(option + ": " + family.id() + " makes no picture; its check says what is wrong");
    request.keepPictures = true;
    if (m_picture.empty()) return;
    if (batch) throw ArgumentError("--error-picture: it is one file; give one input");
    files.writes("--error-picture", m_picture);
    checkFolderOf(m_picture);
}

void ErrorOptions::find(gpu::Runner& runner, const gpu::Request& request, const std::stop_token& stop,
                        Computed& computed) const {
    if (!any()) return;
    try {
        for (std::size_t i = 0; i < computed.comparison.runs.size(); ++i) {
            const gpu::RunRecord& run = computed.comparison.runs[i];
            if (run.result.picture == nullptr || !run.verification) continue;
            const gpu::Difference found =
                gpu::differenceOf(*run.result.picture, gpu::doubleReference(runner, request, run, stop),
                                  gpu::Metric::ulp, gpu::Region::all, gpu::regionsOf(run), stop);
            computed.report.runs[i].errors = gpu::regionErrors(found);
            if (!m_picture.empty()) io::write(*found.picture, m_picture);
        }
    } catch (const gpu::Error& error) {
        if (error.kind() != gpu::Error::Kind::cancelled) throw;
        computed.comparison.interrupted = computed.report.interrupted = true;
    }
}

}  // namespace warplens::cli
