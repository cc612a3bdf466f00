// SPDX-License-Identifier: Apache-2.0
// Counters as JSON, and back.
#include "gpu/report/fields.hpp"
#include "gpu/report/reading.hpp"

namespace warplens::gpu::fields {

namespace {

using reading::named;

/// The fields of an access, by their names in a report.
struct Field {
    const char* name;
    std::int64_t AccessCount::*member;
};

constexpr Field kFields[] = {{"requests", &AccessCount::requests},
                             {"lanes", &AccessCount::lanes},
                             {"thread_bytes", &AccessCount::threadBytes},
                             {"sectors", &AccessCount::sectors},
                             {"useful_bytes", &AccessCount::usefulBytes},
                             {"wavefronts", &AccessCount::wavefronts},
                             {"words", &AccessCount::words}};

Json toJson(const AccessCount& count) {
    Json json = Json::object();
    for (const Field& field : kFields) json[field.name] = count.*field.member;
    json["worst"] = count.worst;
    return json;
}

AccessCount accessCount(const Json& json) {
    AccessCount count;
    for (const Field& field : kFields) count.*field.member = json.at(field.name).get<std::int64_t>();
    count.worst = json.at("worst").get<int>();
    return count;
}

Json toJson(const CounterLine& line) {
    return {{"kernel", line.kernel},      {"space", nameOf(line.space)}, {"operation", nameOf(line.operation)},
            {"file", line.file},          {"line", line.line},           {"stack", line.stack},
            {"count", toJson(line.count)}};
}

CounterLine counterLine(const Json& json) {
    return {.kernel = json.at("kernel").get<std::string>(),
            .space = named(json, "space", kSpaces),
            .operation = named(json, "operation", kOperations),
            .file = json.at("file").get<std::string>(),
            .line = json.at("line").get<int>(),
            .stack = json.at("stack").get<std::vector<std::string>>(),
            .count = accessCount(json.at("count"))};
}

Json toJson(const BranchLine& line) {
    return {{"kernel", line.kernel},
            {"file", line.file},
            {"line", line.line},
            {"stack", line.stack},
            {"executions", line.executions},
            {"divergent", line.divergent},
            {"lanes_apart", line.lanesApart}};
}

BranchLine branchLine(const Json& json) {
    return {.kernel = json.at("kernel").get<std::string>(),
            .file = json.at("file").get<std::string>(),
            .line = json.at("line").get<int>(),
            .stack = json.at("stack").get<std::vector<std::string>>(),
            .executions = json.at("executions").get<std::int64_t>(),
            .divergent = json.at("divergent").get<std::int64_t>(),
            .lanesApart = json.at("lanes_apart").get<std::int64_t>()};
}

Json toJson(const KernelCounters& kernel) {
    return {{"kernel", kernel.kernel},     {"grid", kernel.grid},     {"block", kernel.block},
            {"launches", kernel.launches}, {"blocks", kernel.blocks}, {"traced_blocks", kernel.tracedBlocks}};
}

KernelCounters kernelCounters(const Json& json) {
    KernelCounters kernel;
    kernel.kernel = json.at("kernel").get<std::string>();
    json.at("grid").get_to(kernel.grid);
    json.at("block").get_to(kernel.block);
    kernel.launches = json.at("launches").get<std::int64_t>();
    kernel.blocks = json.at("blocks").get<std::int64_t>();
    kernel.tracedBlocks = json.at("traced_blocks").get<std::int64_t>();
    return kernel;
}

Json toJson(const TraceFinding& finding) {
    return {{"check", finding.check},
            {"kernel", finding.kernel},
            {"message", finding.message},
            {"file", textOrNull(finding.file)},
            {"line", finding.line}};
}

TraceFinding traceFinding(const Json& json) {
    const Json& file = json.at("file");
    return {json.at("check").get<std::string>(), json.at("kernel").get<std::string>(),
            json.at("message").get<std::string>(), file.is_null() ? std::string() : file.get<std::string>(),
            json.at("line").get<int>()};
}

template <class T>
Json listed(const std::vector<T>& list) {
    Json json = Json::array();
    for (const T& one : list) json.push_back(toJson(one));
    return json;
}

}  // namespace

Json toJson(const Counters& c) {
    return {{"traced_share", number(c.tracedShare)},
            {"global_load", toJson(c.globalLoad)},
            {"global_store", toJson(c.globalStore)},
            {"shared_load", toJson(c.sharedLoad)},
            {"shared_store", toJson(c.sharedStore)},
            {"constant", toJson(c.constant)},
            {"texture", toJson(c.texture)},
            {"atomics",
             {{"global", toJson(c.globalAtomics)},
              {"shared", toJson(c.sharedAtomics)},
              {"block_contention", c.blockContention}}},
            {"annotated_races", c.annotatedRaces},
            {"flops", number(c.flops)},
            {"atomic_flops", number(c.atomicFlops)},
            {"matrix_operations", number(c.matrixOperations)},
            {"barriers", c.barriers},
            {"active_lanes", number(c.activeLanes)},
            {"branches", c.branches},
            {"divergent_branches", c.divergentBranches},
            {"compulsory_bytes", c.compulsoryBytes},
            {"input_reuse", number(c.inputReuse)},
            {"input_reuse_most", c.inputReuseMost},
            {"operations_per_byte", number(c.operationsPerByte)},
            {"kernels", listed(c.kernels)},
            {"lines", listed(c.lines)},
            {"branch_lines", listed(c.branchLines)},
            {"findings", listed(c.findings)}};
}

Counters countersOf(const Json& json) {
    Counters c;
    c.tracedShare = json.at("traced_share").get<double>();
    c.globalLoad = accessCount(json.at("global_load"));
    c.globalStore = accessCount(json.at("global_store"));
    c.sharedLoad = accessCount(json.at("shared_load"));
    c.sharedStore = accessCount(json.at("shared_store"));
    c.constant = accessCount(json.at("constant"));
    if (const auto texture = json.find("texture"); texture != json.end())  // older reports have none
        c.texture = accessCount(*texture);
    const Json& atomics = json.at("atomics");
    c.globalAtomics = accessCount(atomics.at("global"));
    c.sharedAtomics = accessCount(atomics.at("shared"));
    c.blockContention = atomics.at("block_contention").get<std::int64_t>();
    if (const auto races = json.find("annotated_races"); races != json.end())  // older reports have none
        c.annotatedRaces = races->get<std::int64_t>();
    c.flops = json.at("flops").get<double>();
    c.atomicFlops = reading::real(json, "atomic_flops");  // older reports have neither
    c.matrixOperations = reading::real(json, "matrix_operations");
    c.barriers = json.at("barriers").get<std::int64_t>();
    c.activeLanes = json.at("active_lanes").get<double>();
    c.branches = json.at("branches").get<std::int64_t>();
    c.divergentBranches = json.at("divergent_branches").get<std::int64_t>();
    c.compulsoryBytes = json.at("compulsory_bytes").get<std::int64_t>();
    c.inputReuse = json.at("input_reuse").get<double>();
    c.inputReuseMost = json.at("input_reuse_most").get<std::int64_t>();
    c.operationsPerByte = json.at("operations_per_byte").get<double>();
    for (const Json& one : json.at("kernels")) c.kernels.push_back(kernelCounters(one));
    for (const Json& one : json.at("lines")) c.lines.push_back(counterLine(one));
    if (const auto branches = json.find("branch_lines"); branches != json.end())  // older reports have none
        for (const Json& one : *branches) c.branchLines.push_back(branchLine(one));
    for (const Json& one : json.at("findings")) c.findings.push_back(traceFinding(one));
    return c;
}

}  // namespace warplens::gpu::fields
