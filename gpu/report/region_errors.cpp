// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/region_errors.hpp"

#include "gpu/report/figures.hpp"
#include "gpu/report/report.hpp"

namespace warplens::gpu {

std::vector<RegionErrors> regionErrors(const Difference& inUlp) {
    std::vector<RegionErrors> all;
    for (const Region region : kRegions) {
        const DifferenceFigures& f = inUlp.figures[static_cast<std::size_t>(region)];
        if (f.pixels > 0)
            all.push_back({regionName(region), f.pixels, f.mismatching, f.maximum, f.mean, f.rmse, f.worst});
    }
    return all;
}

TextTable errorTable(const Report& report) {
    TextTable table{.title = "Errors against the double reference",
                    .columns = {{"Variant", {}, false},
                                {"Where", {}, false},
                                {"Pixels", Origin::counted, true},
                                {"Largest ulp", Origin::measured, true},
                                {"at x, y", Origin::measured, true},
                                {"Mean ulp", Origin::measured, true},
                                {"RMSE", Origin::measured, true},
                                {"Not nearest", Origin::counted, true}},
                    .rows = {},
                    .notes = {}};
    for (const ReportRun& run : report.runs)
        for (const RegionErrors& e : run.errors) {
            std::string at = "\u2013";
            if (e.worst) at = withCommas(e.worst->x) + ", " + withCommas(e.worst->y);
            if (e.worst && report.input.shape.depth > 1) at += ", " + withCommas(e.worst->z);
            table.rows.push_back({run.record.id(), e.region, withCommas(e.pixels), compact(e.maxUlp), at,
                                  compact(e.meanUlp), compact(e.rmse), withCommas(e.notNearest)});
        }
    if (table.rows.empty()) return {};
    table.notes.push_back(
        "One ulp is the distance between the floats at the exact value, or one step of an integer; not nearest: pixels "
        "with a value that is not the nearest one of its type.");
    return table;
}

}  // namespace warplens::gpu
