// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/trace/film.hpp"
#include "gpu/trace/warp_trace.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace warplens::trace_protocol {

/// What goes between us and warplens-trace. A message is the length of its JSON (8 bytes, little-endian) and the JSON.
/// The request is one message, then the pixels of each of its pictures. The answers are messages with a "kind":
/// "progress" {fraction, what}; "run" {run, as in a report} of each variant; or "warp" {warp}; or "film" {film}; or
/// "loads" {shape, launches} and then the map's pixels; at the end "done", or "failure" {error, message}.

using Json = nlohmann::ordered_json;

constexpr std::size_t kLengthBytes = 8;
/// No message of ours comes near this; the pixels are not in it.
constexpr std::uint64_t kLongest = 256 << 20;

/// Counts of all variants, one warp of the first, a map of the first one's loads, or the film of a block of it.
enum class Question { counters, warp, loads, film };

/// What to trace. Pictures: the input, then those among the parameters.
struct Job {
    Question question = Question::counters;
    gpu::WarpQuery query{};  ///< of a warp
    gpu::FilmQuery block{};  ///< of a film
    std::string family{};
    gpu::ParameterValues parameters{};
    std::shared_ptr<const io::Grid> input{};
    std::vector<std::pair<std::string, gpu::TunableValues>> runs{};  ///< their ids and all that is set for each
    std::int64_t sampleWords = 0;  ///< what a launch may cost, as trace::SamplePolicy has it; 0: every block
};

/// The message, with its length before it.
std::string packed(const Json& message);
/// Throws std::runtime_error when it is longer than any message.
std::uint64_t lengthOf(std::span<const std::byte> bytes);

Json toJson(const Job& job);
Json toJson(const gpu::WarpTrace& warp);
/// Throws Json::exception or std::runtime_error.
gpu::WarpTrace warpOf(const Json& json);
Json toJson(const gpu::FilmQuery& query);
gpu::FilmQuery filmQueryOf(const Json& json);
Json toJson(const gpu::Film& film);
/// One that holds together, whoever wrote it: every number of it can be gone by. Throws as warpOf().
gpu::Film filmOf(const Json& json);
/// What is sent of a picture before its pixels, and a picture of that shape still to be filled. Throws as jobOf().
Json shapeOf(const io::Grid& grid);
std::shared_ptr<io::Grid> emptyGrid(const Json& shape);
/// The pictures of a job whose pixels follow its message, in order.
std::vector<const io::Grid*> picturesOf(const Job& job);
/// Makes the job with its pictures still to be filled; `pictures` are those, in order. Throws Json::exception,
/// std::runtime_error or io::Error.
Job jobOf(const Json& json, std::vector<std::shared_ptr<io::Grid>>& pictures);

}  // namespace warplens::trace_protocol
