// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/origin.hpp"

namespace warplens::gpu {

const char* nameOf(Origin origin) {
    switch (origin) {
        case Origin::measured: return "measured";
        case Origin::counted: return "counted";
        case Origin::modelled: return "modelled";
        case Origin::reported: return "reported";
        case Origin::recorded: return "recorded";
    }
    return "";
}

const char* letterOf(Origin origin) {
    switch (origin) {
        case Origin::measured: return "M";
        case Origin::counted: return "C";
        case Origin::modelled: return "m";
        case Origin::reported: return "R";
        case Origin::recorded: return "r";
    }
    return "";
}

}  // namespace warplens::gpu
