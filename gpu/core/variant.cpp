// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/variant.hpp"

#include "gpu/core/error.hpp"

#include <algorithm>

namespace warplens::gpu {

const char* nameOf(Idea idea) {
    switch (idea) {
        case Idea::plain: return "plain";
        case Idea::cache: return "a cache does it";
        case Idea::coarsening: return "several a thread";
        case Idea::sharedTile: return "shared tile";
        case Idea::sharedTileRefined: return "shared tile, refined";
        case Idea::loss: return "teaches a loss";
        case Idea::registers: return "registers";
        case Idea::registersAlone: return "registers alone";
        case Idea::streaming: return "rows stream through";
        case Idea::tensorCores: return "tensor cores";
        case Idea::workSaved: return "work saved";
        case Idea::savedAndFused: return "saved and fused";
        case Idea::savedAndStreamed: return "saved and streamed";
        case Idea::savedInRing: return "saved, in a ring";
        case Idea::library: return "library";
    }
    return "";
}

const char* nameOf(Variant::Kind kind) {
    switch (kind) {
        case Variant::Kind::kernel: return "kernel";
        case Variant::Kind::library: return "library";
        case Variant::Kind::portable: return "portable";
    }
    return "";
}

const char* nameOf(Variant::Devices devices) {
    switch (devices) {
        case Variant::Devices::cpu: return "cpu";
        case Variant::Devices::cuda: return "cuda";
        case Variant::Devices::both: return "cpu, cuda";
        case Variant::Devices::opencl: return "opencl";
        case Variant::Devices::openacc: return "openacc";
    }
    return "";
}

TunableValues resolve(const Variant& variant, const TunableValues& chosen) {
    TunableValues values;
    for (const Tunable& tunable : variant.tunables) values[tunable.id] = tunable.fallback;
    for (const auto& [id, value] : chosen) {
        const auto found = std::find_if(variant.tunables.begin(), variant.tunables.end(),
                                        [&](const Tunable& t) { return t.id == id; });
        if (found == variant.tunables.end()) {
            throw Error(Error::Kind::argument, variant.id + " has no tunable '" + id + "'");
        }
        const auto& choices = found->choices;
        const bool allowed = choices.empty() ? value >= found->minimum && value <= found->maximum
                                             : std::find(choices.begin(), choices.end(), value) != choices.end();
        if (!allowed) {
            std::string range = std::to_string(found->minimum) + " to " + std::to_string(found->maximum);
            if (!choices.empty()) {
                range.clear();
                for (const int choice : choices) range += (range.empty() ? "" : ", ") + std::to_string(choice);
            }
            throw Error(Error::Kind::argument,
                        variant.id + ": " + id + " = " + std::to_string(value) + " is not possible: choose " + range);
        }
        values[id] = value;
    }
    return values;
}

}  // namespace warplens::gpu
