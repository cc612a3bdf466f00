// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/attempt.hpp"

#include "gpu/core/error.hpp"
#include "io/crop.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

namespace warplens::gpu::user {

std::shared_ptr<const io::Grid> partForCpu(const std::shared_ptr<const io::Grid>& input) {
    const io::Shape& shape = input->shape();
    if (shape.width <= kCpuSide && shape.height <= kCpuSide) return input;
    return std::make_shared<const io::Grid>(
        io::crop(*input, 0, 0, std::min(shape.width, kCpuSide), std::min(shape.height, kCpuSide)));
}

std::optional<Attempt::Wrong> Attempt::wrong() const {
    if (!record || record->status != Status::wrong || !record->verification) return std::nullopt;
    static const std::regex kPlace(R"(^x (\d{1,9}) y (\d{1,9}).*?: (.*)$)");
    std::smatch found;
    if (!std::regex_match(record->verification->firstMismatch, found, kPlace)) return std::nullopt;
    return Wrong{{std::stoi(found[1]), std::stoi(found[2])}, found[3]};
}

const char* Attempt::state() const {
    if (!record || !refusal.empty()) return "";
    return record->status == Status::ok ? "verified" : record->verification ? "wrong" : "fault";
}

Attempt attempt(Request request, const KernelMaker& maker, const std::string& path, const std::string& text,
                Runner& runner, const std::stop_token& stop) {
    Attempt tried{.text = text, .onCpu = request.device == "cpu"};
    const auto wrong = [&, file = std::filesystem::path(path).filename().string()](const std::string& sentence,
                                                                                   bool error) {
        tried.problems.push_back(problemOf(sentence, file, error));
    };
    try {
        if (tried.onCpu) {
            request.input = partForCpu(request.input);
            request.timing = TimingPolicy::once();
        }
        tried.input = request.input;
        request.kernels = {maker(path, text)};
        request.kernelsAlone = true;
        const Comparison comparison = runner.run(request, stop);
        if (comparison.runs.empty()) throw Error(Error::Kind::cancelled, "stopped");
        tried.record = comparison.runs.front();
        const RunRecord& record = *tried.record;
        if (record.status == Status::wrong && !record.verification) wrong(record.reason, false);
        if (record.status == Status::unsupported || record.status == Status::failed) tried.refusal = record.reason;
    } catch (const CompileError& error) {
        for (const std::string& one : error.errors()) wrong(one, true);
    } catch (const Error& error) {
        if (error.kind() != Error::Kind::argument) throw;
        wrong(error.what(), true);
    }
    return tried;
}

}  // namespace warplens::gpu::user
