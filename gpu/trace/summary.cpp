// SPDX-License-Identifier: Apache-2.0
#include "gpu/trace/summary.hpp"

#include "gpu/trace/disassembly.hpp"
#include "gpu/trace/image.hpp"
#include "gpu/trace/places.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string_view>
#include <tuple>

namespace warplens::gpu::trace {
namespace {

std::string nameOfKernel(const void* kernel) {
    const auto* function = ProgramImage::traced().functionAt(reinterpret_cast<std::uint64_t>(kernel));
    return function == nullptr ? "?" : kernelName(function->name);
}

/// A tally of doubles, for scaling.
struct Scaled {
    std::map<std::tuple<std::uint32_t, Space, Operation>, std::array<double, 7>> sites;
    std::map<std::tuple<std::uint32_t, Space, Operation>, int> worst;
    std::map<std::uint32_t, std::array<double, 3>>
        branchPlaces;  ///< executions, divergent, lanes apart; by a jump's address
    double barriers = 0, branches = 0, divergent = 0, flops = 0, matrixOperations = 0, laneEvents = 0, warpEvents = 0;
    double atomicFlops = 0;
    std::int64_t contention = 0;
};

constexpr std::int64_t AccessCount::*kFields[] = {
    &AccessCount::requests,    &AccessCount::lanes,      &AccessCount::threadBytes, &AccessCount::sectors,
    &AccessCount::usefulBytes, &AccessCount::wavefronts, &AccessCount::words};

Scaled scale(const KernelRun& run) {
    Scaled sum;
    const auto counts = population(run.grid);
    const auto* function = ProgramImage::traced().functionAt(reinterpret_cast<std::uint64_t>(run.kernel));
    const auto code = function == nullptr ? std::unordered_map<std::uint32_t, BlockCode>() : codeOfBlocks(*function);
    for (int kind = 0; kind < kKinds; ++kind) {
        const Tally& tally = run.tallies[kind];
        if (tally.blocks == 0) continue;
        const double factor = static_cast<double>(counts[kind] * run.launches) / static_cast<double>(tally.blocks);
        for (const auto& [site, count] : tally.sites) {
            const std::tuple key(site.pc, site.space, site.operation);
            auto& fields = sum.sites[key];
            for (std::size_t i = 0; i < fields.size(); ++i)
                fields[i] += factor * static_cast<double>(count.*kFields[i]);
            sum.worst[key] = std::max(sum.worst[key], count.worst);
            sum.laneEvents += factor * static_cast<double>(count.lanes);
            if (site.space != Space::texture) sum.warpEvents += factor * static_cast<double>(count.requests);
        }
        for (const auto& [pc, count] : tally.basicBlocks) {
            const auto found = code.find(pc);
            const BlockCode own = found == code.end() ? BlockCode() : found->second;
            const int each = own.operations;
            if (own.branch != 0 || count.divergent > 0) {
                // A function of its own, called by the kernel, is not disassembled: its block's place stands for the
                // jump's.
                auto& place = sum.branchPlaces[own.branch != 0 ? own.branch : pc];
                place[0] += factor * static_cast<double>(count.warps);
                place[1] += factor * static_cast<double>(count.divergent);
                place[2] += factor * static_cast<double>(count.apart);
            }
            sum.flops += factor * each * static_cast<double>(count.lanes);
            sum.laneEvents += factor * (1 + each) * static_cast<double>(count.lanes);
            sum.warpEvents += factor * (1 + each) * static_cast<double>(count.warps);
        }
        sum.warpEvents += factor * static_cast<double>(tally.fetches);
        sum.matrixOperations += factor * static_cast<double>(tally.matrixOperations);
        sum.atomicFlops += factor * static_cast<double>(tally.atomicOperations);
        sum.barriers += factor * static_cast<double>(tally.barriers);
        sum.branches += factor * static_cast<double>(tally.branches);
        sum.divergent += factor * static_cast<double>(tally.divergentBranches);
        sum.contention = std::max(sum.contention, tally.contention);
    }
    return sum;
}

AccessCount& totalOf(Counters& counters, Space space, Operation operation) {
    if (operation == Operation::atomic) return space == Space::shared ? counters.sharedAtomics : counters.globalAtomics;
    if (space == Space::constant) return counters.constant;
    if (space == Space::texture) return counters.texture;
    if (space == Space::shared) return operation == Operation::load ? counters.sharedLoad : counters.sharedStore;
    return operation == Operation::load ? counters.globalLoad : counters.globalStore;
}

/// Fills in where a line's access or branch is.
template <class Line>
void locate(Line& line, const std::vector<SourceLine>& places) {
    for (const SourceLine& place : places) line.stack.push_back(place.text());
    if (const SourceLine* place = tellingPlace(places)) {
        line.file = place->file;
        line.line = place->line;
    }
}

void addLine(std::vector<CounterLine>& lines, CounterLine line) {
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const CounterLine& l) {
        return l.kernel == line.kernel && l.space == line.space && l.operation == line.operation &&
               l.stack == line.stack;
    });
    if (same == lines.end()) {
        lines.push_back(std::move(line));
    } else {
        add(same->count, line.count);
    }
}

void addBranch(std::vector<BranchLine>& lines, BranchLine line) {
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const BranchLine& l) {
        return l.kernel == line.kernel && l.stack == line.stack;
    });
    if (same == lines.end()) {
        lines.push_back(std::move(line));
        return;
    }
    same->executions += line.executions;
    same->divergent += line.divergent;
    same->lanesApart += line.lanesApart;
}

std::string numbers(uint3 v) {
    return "(" + std::to_string(v.x) + ", " + std::to_string(v.y) + ", " + std::to_string(v.z) + ")";
}

TraceFinding inWords(const Finding& f) {
    TraceFinding told{
        .check = nameOf(f.check), .kernel = nameOfKernel(f.kernel), .message = f.message, .file = {}, .line = 0};
    const auto at = [](std::uint32_t pc) {
        const auto places = symbolise(pc);
        const SourceLine* place = tellingPlace(places);
        return place == nullptr ? SourceLine{"?", 0} : *place;
    };
    if (!told.message.empty()) return told;
    const SourceLine place = at(f.pc);
    told.file = place.file;
    told.line = place.line;
    told.message = "block " + numbers(f.block) + " thread " + numbers(f.thread) + " " + f.what + " at " + place.text();
    switch (f.check) {
        case Finding::Check::outOfBounds: told.message += ", outside of it"; break;
        case Finding::Check::uninitialisedShared: told.message += " that no thread has written"; break;
        case Finding::Check::sharedRace:
            told.message += " that thread " + numbers(f.otherThread) + " " + f.otherWhat + " at " +
                            at(f.otherPc).text() + " since the last barrier";
            break;
        case Finding::Check::globalRace:
            told.message += " that block " + numbers(f.otherBlock) + " " + f.otherWhat + " at " + at(f.otherPc).text() +
                            " in the same launch";
            break;
        case Finding::Check::divergentBarrier:
        case Finding::Check::deadlock: break;
    }
    return told;
}

/// Where threads wait at a barrier its sentence alone says, without the folder: it is that of a file that is accessed.
void placeBySentence(TraceFinding& finding, const std::vector<CounterLine>& lines) {
    static constexpr std::string_view kKernel = ".cuh:";
    const auto end = finding.message.find(kKernel);
    if (!finding.file.empty() || end == std::string::npos) return;
    const auto begin = finding.message.find_last_of(" /", end) + 1;
    finding.file = finding.message.substr(begin, end + kKernel.size() - 1 - begin);
    finding.line = std::atoi(finding.message.c_str() + end + kKernel.size());
    for (const CounterLine& line : lines)
        for (const std::string& place : line.stack) {
            const std::string path = place.substr(0, place.rfind(':'));
            if (!path.ends_with("/" + finding.file)) continue;
            finding.file = path;
            return;
        }
}

}  // namespace

Counters summarise(const std::vector<KernelRun>& runs, const std::vector<Finding>& findings,
                   const std::vector<const Allocation*>& allocations, const Allocation* input) {
    Counters counters;
    double lanes = 0, warps = 0;
    std::int64_t blocks = 0, traced = 0;
    for (const KernelRun& run : runs) {
        const Scaled sum = scale(run);
        const std::string name = nameOfKernel(run.kernel);
        counters.kernels.push_back({.kernel = name,
                                    .grid = {run.grid.x, run.grid.y, run.grid.z},
                                    .block = {run.block.x, run.block.y, run.block.z},
                                    .launches = run.launches,
                                    .blocks = run.blocks(),
                                    .tracedBlocks = run.tracedBlocks()});
        blocks += run.blocks();
        traced += run.tracedBlocks();
        for (const auto& [key, fields] : sum.sites) {
            const auto& [pc, space, operation] = key;
            CounterLine line{
                .kernel = name, .space = space, .operation = operation, .file = {}, .stack = {}, .count = {}};
            for (std::size_t i = 0; i < fields.size(); ++i) line.count.*kFields[i] = std::llround(fields[i]);
            line.count.worst = sum.worst.at(key);
            locate(line, symbolise(pc));
            add(totalOf(counters, space, operation), line.count);
            addLine(counters.lines, std::move(line));
        }
        for (const auto& [jump, counts] : sum.branchPlaces) {
            BranchLine line{.kernel = name,
                            .file = {},
                            .stack = {},
                            .executions = std::llround(counts[0]),
                            .divergent = std::llround(counts[1]),
                            .lanesApart = std::llround(counts[2])};
            locate(line, symbolise(jump + 1));  // the address after the first byte of the jump
            addBranch(counters.branchLines, std::move(line));
        }
        counters.flops += sum.flops + sum.atomicFlops;
        counters.atomicFlops += sum.atomicFlops;
        counters.matrixOperations += sum.matrixOperations;
        counters.barriers += std::llround(sum.barriers);
        for (const Tally& tally : run.tallies) counters.annotatedRaces += tally.annotatedRaces;
        counters.branches += std::llround(sum.branches);
        counters.divergentBranches += std::llround(sum.divergent);
        counters.blockContention = std::max(counters.blockContention, sum.contention);
        lanes += sum.laneEvents;
        warps += sum.warpEvents;
    }
    counters.tracedShare = blocks == 0 ? 0 : static_cast<double>(traced) / static_cast<double>(blocks);
    counters.activeLanes = warps > 0 ? lanes / warps : 0;
    for (const Allocation* allocation : allocations) {
        // A sample sees its own part of a buffer, halos of neighbours included: no more than all of it is compulsory.
        const auto most = 2 * static_cast<double>(allocation->bytes());
        const auto seen = static_cast<double>(allocation->distinctBytes());
        counters.compulsoryBytes += std::llround(traced == blocks ? seen : std::min(most, seen / counters.tracedShare));
    }
    if (input != nullptr) {
        std::int64_t loads = 0, elements = 0;
        for (const auto n : input->loads()) {
            loads += n;
            elements += n > 0;
            counters.inputReuseMost = std::max<std::int64_t>(counters.inputReuseMost, n);
        }
        counters.inputReuse = elements == 0 ? 0 : static_cast<double>(loads) / static_cast<double>(elements);
    }
    if (const auto loaded = counters.globalLoad.threadBytes + counters.texture.threadBytes; loaded > 0)
        counters.operationsPerByte = (counters.flops + counters.matrixOperations) / static_cast<double>(loaded);
    std::stable_sort(counters.lines.begin(), counters.lines.end(), [](const CounterLine& a, const CounterLine& b) {
        return std::tie(a.kernel, a.file, a.line, a.space, a.operation) <
               std::tie(b.kernel, b.file, b.line, b.space, b.operation);
    });
    std::stable_sort(counters.branchLines.begin(), counters.branchLines.end(),
                     [](const BranchLine& a, const BranchLine& b) {
                         return std::tie(a.kernel, a.file, a.line) < std::tie(b.kernel, b.file, b.line);
                     });
    for (const Finding& finding : findings) {
        counters.findings.push_back(inWords(finding));
        placeBySentence(counters.findings.back(), counters.lines);
    }
    return counters;
}

}  // namespace warplens::gpu::trace
