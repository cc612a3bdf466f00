// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/runner.hpp"
#include "gpu/trace/film.hpp"
#include "gpu/user/bind.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplens::worker {

/// What goes between us and warplens-worker. A message is the length of its JSON (8 bytes, little-endian) and the JSON.
/// The request is one message; the planes lie in memory that both have mapped: the input, and behind it, each from a
/// multiple of 4,096 bytes on, the output, which begins as what a repeated launch starts from, and the words that
/// pointers lead to, slot by slot. The answer is one message: "done" {run, as in a report}; "film" {film}; "listing"
/// {texts}; "compile" {errors}; "wrong" or "failed" {message}: what the kernel did, in one sentence; or "failure"
/// {error, message}: what could not be tried.

using Json = nlohmann::ordered_json;

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kPageBytes = 4096;
/// No message comes near this.
constexpr std::uint64_t kLongest = 64 << 20;

struct Job {
    std::string file{};  ///< the kernel's, as errors show it
    std::string kernel{}, prologue{}, text{}, caller{};
    std::string device{};
    int capability = 0;  ///< of a GPU, 10 x major + minor
    gpu::user::Binding binding{};
    std::vector<std::string> names{};  ///< of the slots
    std::int64_t inputBytes = 0, outputBytes = 0;
    int planes = 1, outputValueBytes = 4;
    bool zeroed = false;   ///< before each launch the output is
    bool repeats = false;  ///< the output begins as the task says, and launches may follow each other
    int quiet = 1;         ///< as gpu::PlainRepeat has them
    std::int64_t most = 0;
    std::vector<std::int32_t> frontier{};
    gpu::TimingPolicy timing{};
    std::uint64_t shuffleSeed = 0;
    bool counts = false;           ///< it is counted, not timed, and computes only a sample of the output
    std::int64_t sampleWords = 0;  ///< what a launch may cost then, as trace::SamplePolicy has it; 0: every block
    std::optional<gpu::FilmQuery> film{};  ///< it is counted of one block, whose film is the answer
    io::Shape shape{};                     ///< of the picture that a film tells of
    bool listing = false;                  ///< it is not run: the answer is what the compiler made of it
    std::string header{};                  ///< nothing is compiled: the answer is "header" {text}, of this file of ours
    bool held = false;                     ///< once compiled, it waits for a byte before it runs
    /// Of a file in the full form, else null: the task, as warplens-trace is given it, whose run names the row that the
    /// file stands in the place of. The input's bytes are those of its pictures, each from a multiple of 4,096 on; the
    /// output's are what its result may take. "done" then has "result" (result_json.hpp) as well, or the answer is
    /// "types": a launcher asks for samples that the prologue leaves out.
    Json full{};

    std::int64_t outputAt() const { return (inputBytes + 4095) / 4096 * 4096; }
    std::int64_t wordsAt() const { return outputAt() + (outputBytes + 4095) / 4096 * 4096; }
    std::int64_t sharedBytes() const;
};

/// Copies the words of a job's slots to memory that both have mapped, and from there.
void putWords(const Job& job, std::byte* shared);
void takeWords(Job& job, const std::byte* shared);

/// The message, with its length before it.
std::string packed(const Json& message);
/// Throws std::runtime_error when it is longer than any message.
std::uint64_t lengthOf(std::span<const std::byte> bytes);
Json toJson(const Job& job);
/// Its slots have as many words as were sent, which takeWords() fills. Throws Json::exception, and std::runtime_error
/// when they are more than any task has.
Job jobOf(const Json& json);

}  // namespace warplens::worker
