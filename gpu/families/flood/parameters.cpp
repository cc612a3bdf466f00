// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/flood/parameters.hpp"

#include "gpu/core/error.hpp"
#include "gpu/frame/shared_parameters.hpp"
#include "io/text.hpp"

#include <string_view>

namespace warplens::gpu::flood {
namespace {

/// A list that a queue of one block still begins with.
constexpr std::size_t kMostSeeds = 1024;

[[noreturn]] void refuseSeeds(const std::string& what) {
    throw Error(Error::Kind::argument, "seeds: " + what + ": expected places as \"x,y;x,y\", in volumes \"x,y,z\"");
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

Place seedOf(std::string_view text, const io::Shape& shape) {
    const auto parts = io::split(text, ',');
    const std::string quoted = io::inQuotes(text);
    if (text.find_first_not_of(" ,") == std::string_view::npos) refuseSeeds("a place is empty");
    if (parts.size() != 2 && parts.size() != 3) refuseSeeds(quoted + " is not a place");
    Place place{0, 0, 0};
    const std::int64_t extents[] = {shape.width, shape.height, shape.depth};
    for (std::size_t axis = 0; axis < parts.size(); ++axis) {
        const auto number = io::parseNumber<std::int64_t>(trimmed(parts[axis]));
        if (!number) refuseSeeds(quoted + " is not a place");
        if (*number < 0 || *number >= extents[axis])
            throw Error(Error::Kind::argument, "seeds: " + quoted + " lies outside the picture: choose " +
                                                   std::string(1, "xyz"[axis]) + " from 0 to " +
                                                   std::to_string(extents[axis] - 1));
        place[axis] = *number;
    }
    return place;
}

}  // namespace

const BoundParameters<Chosen>& parameters() {
    static const BoundParameters<Chosen> all{
        {{.id = "seeds",
          .title = "Seeds",
          .role = Parameter::Role::seeds,
          .type = Parameter::Type::text,
          .fallback = std::string(),
          .help = "Where regions begin: places as \"x,y;x,y\", in volumes \"x,y,z\"; none is the centre."},
         &Chosen::seeds},
        {{.id = "tolerance",
          .title = "Tolerance",
          .role = Parameter::Role::valueTolerance,
          .type = Parameter::Type::real,
          .fallback = 16.0,
          .minimum = 0,
          .maximum = 1e38,
          .step = 1,
          .help =
              "How far each channel of a pixel, alpha among them, may be from the seed that reached it first, in the "
              "picture's values."},
         &Chosen::tolerance},
        {connectivityParameter("4"), &Chosen::connectivity},
    };
    return all;
}

FloodOptions parseOptions(const ParameterValues& values, const io::Shape& shape) {
    const Chosen chosen = parameters().read(values);
    FloodOptions asked;
    asked.tolerance = chosen.tolerance;
    asked.connectivity = chosen.connectivity != "all" ? static_cast<Connectivity>(std::stoi(chosen.connectivity))
                         : shape.depth > 1            ? Connectivity::all
                                                      : Connectivity::corners;
    if (chosen.seeds.empty()) {
        asked.seeds.push_back({shape.width / 2, shape.height / 2, shape.depth / 2});
        return asked;
    }
    for (const auto part : io::split(chosen.seeds, ';')) asked.seeds.push_back(seedOf(trimmed(part), shape));
    if (asked.seeds.size() > kMostSeeds)
        refuseSeeds(std::to_string(asked.seeds.size()) + " of them, 1,024 are possible");
    return asked;
}

}  // namespace warplens::gpu::flood
