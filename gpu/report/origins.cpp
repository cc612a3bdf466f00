// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/report.hpp"

namespace warplens::gpu {

const std::map<std::string, Origin>& origins() {
    static const std::map<std::string, Origin> table{
        {"time", Origin::measured},          {"upload_ms", Origin::measured},
        {"layout_ms", Origin::measured},     {"download_ms", Origin::measured},
        {"display_ms", Origin::measured},    {"total_ms", Origin::measured},
        {"exposed_ms", Origin::measured},    {"errors", Origin::measured},
        {"bandwidth_gbs", Origin::measured}, {"percent_of_limit", Origin::measured},
        {"limits", Origin::measured},        {"verification", Origin::measured},
        {"result", Origin::measured},        {"counters", Origin::counted},
        {"work", Origin::modelled},          {"launch", Origin::reported},
        {"plan", Origin::modelled},          {"slabs", Origin::counted},
        {"device", Origin::reported},        {"environment", Origin::reported},
        {"choice.race", Origin::measured},
    };
    return table;
}

}  // namespace warplens::gpu
