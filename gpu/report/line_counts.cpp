// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/line_counts.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace warplens::gpu {

namespace {

constexpr std::int64_t kLanes = 32, kFetchingLanes = 8;

/// Lanes of 8 bytes take two passes, of 16 bytes four.
std::int64_t leastPasses(const AccessCount& count) {
    const std::int64_t size = count.lanes > 0 ? count.threadBytes / count.lanes : 4;
    return count.requests * std::max<std::int64_t>(1, size / 4);
}

}  // namespace

std::int64_t lanesOf(Space space) { return space == Space::texture ? kFetchingLanes : kLanes; }

std::int64_t LineCounts::heat(Heat heat) const {
    std::int64_t sum = heat == Heat::divergence ? branches.lanesApart : 0;
    for (const CounterLine& access : accesses) {
        const AccessCount& c = access.count;
        const bool atomic = access.operation == Operation::atomic;
        switch (heat) {
            case Heat::sectors: sum += isGlobal(access.space) && !atomic ? c.sectors : 0; break;
            case Heat::conflicts:
                if (access.space == Space::shared && !atomic)
                    sum += std::max<std::int64_t>(0, c.wavefronts - leastPasses(c));
                break;
            case Heat::divergence: sum += lanesOf(access.space) * c.requests - c.lanes; break;
            case Heat::atomics: sum += atomic ? c.lanes : 0; break;
        }
    }
    return sum;
}

std::vector<std::string> filesOf(const Counters& counters, const std::string& own) {
    std::set<std::string> others;
    for (const CounterLine& access : counters.lines) {
        for (const std::string& place : access.stack) {
            const std::string file = place.substr(0, place.rfind(':'));
            if (file != own && file.ends_with(".cuh")) others.insert(file);
        }
    }
    for (const TraceFinding& finding : counters.findings)
        if (finding.file != own && finding.file.ends_with(".cuh")) others.insert(finding.file);
    std::vector<std::string> files{own};
    files.insert(files.end(), others.begin(), others.end());
    return files;
}

int lineIn(const std::string& file, const std::vector<std::string>& stack) {
    for (const std::string& place : stack) {
        if (place.size() <= file.size() + 1 || place.compare(0, file.size(), file) != 0 || place[file.size()] != ':')
            continue;
        int line = 0;
        std::from_chars(place.data() + file.size() + 1, place.data() + place.size(), line);
        return line;
    }
    return 0;
}

std::map<int, LineCounts> linesOf(const Counters& counters, const std::string& file) {
    std::map<int, LineCounts> lines;
    for (const CounterLine& access : counters.lines) {
        if (const int line = lineIn(file, access.stack); line > 0) lines[line].accesses.push_back(access);
    }
    return lines;
}

void addBranches(std::map<int, LineCounts>& lines, const Counters& counters, const std::string& file, bool alone) {
    for (const BranchLine& branch : counters.branchLines) {
        const int line = lineIn(file, branch.stack);
        if (line <= 0 || (!alone && !lines.contains(line))) continue;
        BranchLine& sum = lines[line].branches;
        sum.executions += branch.executions;
        sum.divergent += branch.divergent;
        sum.lanesApart += branch.lanesApart;
    }
}

}  // namespace warplens::gpu
