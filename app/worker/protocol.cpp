// SPDX-License-Identifier: Apache-2.0
#include "app/worker/protocol.hpp"

#include "app/trace/protocol.hpp"

#include <cstring>
#include <stdexcept>

namespace warplens::worker {
namespace {

/// No task comes near it.
constexpr std::size_t kMostWords = std::size_t{1} << 31;
constexpr std::size_t kWord = sizeof(std::uint32_t);

}  // namespace

std::int64_t Job::sharedBytes() const {
    std::int64_t words = 0;
    for (const gpu::user::Slot& slot : binding.slots) words += static_cast<std::int64_t>(slot.words.size());
    return wordsAt() + words * static_cast<std::int64_t>(kWord);
}

void putWords(const Job& job, std::byte* shared) {
    shared += job.wordsAt();
    for (const gpu::user::Slot& slot : job.binding.slots) {
        if (!slot.words.empty()) std::memcpy(shared, slot.words.data(), slot.words.size() * kWord);
        shared += slot.words.size() * kWord;
    }
}

void takeWords(Job& job, const std::byte* shared) {
    shared += job.wordsAt();
    for (gpu::user::Slot& slot : job.binding.slots) {
        if (!slot.words.empty()) std::memcpy(slot.words.data(), shared, slot.words.size() * kWord);
        shared += slot.words.size() * kWord;
    }
}

std::string packed(const Json& message) {
    const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string all(kLengthBytes, '\0');
    const std::uint64_t length = text.size();
    std::memcpy(all.data(), &length, kLengthBytes);
    return all + text;
}

std::uint64_t lengthOf(std::span<const std::byte> bytes) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), kLengthBytes);
    if (length > kLongest) throw std::runtime_error("a message of " + std::to_string(length) + " bytes");
    return length;
}

Json toJson(const Job& job) {
    Json slots = Json::array();
    for (const gpu::user::Slot& slot : job.binding.slots) {
        slots.push_back({{"kind", static_cast<int>(slot.kind)}, {"words", slot.words.size()}, {"bits", slot.bits}});
    }
    return {{"file", job.file},
            {"kernel", job.kernel},
            {"prologue", job.prologue},
            {"text", job.text},
            {"caller", job.caller},
            {"device", job.device},
            {"capability", job.capability},
            {"slots", slots},
            {"names", job.names},
            {"grid", job.binding.grid},
            {"block", job.binding.block},
            {"launches", job.binding.launches},
            {"repeated", job.binding.repeated},
            {"listed", job.binding.listed},
            {"input_bytes", job.inputBytes},
            {"output_bytes", job.outputBytes},
            {"planes", job.planes},
            {"output_value_bytes", job.outputValueBytes},
            {"zeroed", job.zeroed},
            {"repeats", job.repeats},
            {"quiet", job.quiet},
            {"most", job.most},
            {"frontier", job.frontier},
            {"warm_ups", job.timing.warmUps},
            {"minimum_samples", job.timing.minimumSamples},
            {"maximum_samples", job.timing.maximumSamples},
            {"relative_interval", job.timing.relativeInterval},
            {"budget_seconds", job.timing.budgetSeconds},
            {"shuffle", job.shuffleSeed},
            {"counts", job.counts},
            {"sample_words", job.sampleWords},
            {"film", job.film ? trace_protocol::toJson(*job.film) : Json()},
            {"shape", {job.shape.width, job.shape.height, job.shape.depth, job.shape.channels}},
            {"held", job.held},
            {"listing", job.listing},
            {"header", job.header},
            {"full", job.full}};
}

Job jobOf(const Json& json) {
    Job job;
    json.at("file").get_to(job.file);
    json.at("kernel").get_to(job.kernel);
    json.at("prologue").get_to(job.prologue);
    json.at("text").get_to(job.text);
    json.at("caller").get_to(job.caller);
    json.at("device").get_to(job.device);
    json.at("capability").get_to(job.capability);
    for (const Json& one : json.at("slots")) {
        const auto words = one.at("words").get<std::size_t>();
        if (words > kMostWords) throw std::runtime_error("a list of " + std::to_string(words) + " words");
        job.binding.slots.push_back({.kind = static_cast<gpu::user::Slot::Kind>(one.at("kind").get<int>()),
                                     .words = std::vector<std::uint32_t>(words),
                                     .bits = one.at("bits").get<std::uint64_t>()});
    }
    json.at("names").get_to(job.names);
    json.at("grid").get_to(job.binding.grid);
    json.at("block").get_to(job.binding.block);
    json.at("launches").get_to(job.binding.launches);
    json.at("repeated").get_to(job.binding.repeated);
    json.at("listed").get_to(job.binding.listed);
    json.at("input_bytes").get_to(job.inputBytes);
    json.at("output_bytes").get_to(job.outputBytes);
    json.at("planes").get_to(job.planes);
    json.at("output_value_bytes").get_to(job.outputValueBytes);
    json.at("zeroed").get_to(job.zeroed);
    json.at("repeats").get_to(job.repeats);
    json.at("quiet").get_to(job.quiet);
    json.at("most").get_to(job.most);
    json.at("frontier").get_to(job.frontier);
    json.at("warm_ups").get_to(job.timing.warmUps);
    json.at("minimum_samples").get_to(job.timing.minimumSamples);
    json.at("maximum_samples").get_to(job.timing.maximumSamples);
    json.at("relative_interval").get_to(job.timing.relativeInterval);
    json.at("budget_seconds").get_to(job.timing.budgetSeconds);
    json.at("shuffle").get_to(job.shuffleSeed);
    json.at("counts").get_to(job.counts);
    json.at("sample_words").get_to(job.sampleWords);
    if (const Json& film = json.at("film"); !film.is_null()) job.film = trace_protocol::filmQueryOf(film);
    const auto shape = json.at("shape").get<std::array<std::int64_t, 4>>();
    job.shape = {shape[0], shape[1], shape[2], static_cast<int>(shape[3])};
    json.at("held").get_to(job.held);
    json.at("listing").get_to(job.listing);
    json.at("header").get_to(job.header);
    job.full = json.at("full");
    return job;
}

}  // namespace warplens::worker
