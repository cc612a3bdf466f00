// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warplens::gpu::bench {

/// How a parameter is drawn where its declaration allows more than people do, or says too little.
struct DrawRule {
    enum class Kind {
        fallback,     ///< "default": never drawn
        range,        ///< {"least": a, "most": b}: an integer or a real number between them
        ofFullScale,  ///< {"of_full_scale": [a, b]}: so much of the picture's full scale, which f32 has at 1
        oneOf,        ///< {"one_of": [...]}: texts, with words of the task in braces, see draw.hpp
        numbers  ///< {"columns": [a, b], "rows": [a, b], "least": l, "most": m}: a matrix with odd sides, "1,2;3,4"
    };
    Kind kind = Kind::fallback;
    double least = 0, most = 0;
    std::vector<std::string> texts{};
    std::int64_t columns[2] = {1, 1}, rows[2] = {1, 1};
};

/// One kind of task of a family, as an entry of the list "random" in its suite.json says.
struct DrawEntry {
    int weight = 1;  ///< an entry is drawn so many times as often as one of weight 1
    /// "picture", "any", "thin", "volume"; several times the same is drawn more often.
    std::vector<std::string> shapes{"picture", "picture", "picture", "any", "any", "thin", "volume", "volume"};
    std::vector<std::string> types{"u8", "u16", "f32"};
    std::vector<int> channels{1, 1, 3, 4};
    /// Kinds of generated pictures with their keys: "blobs:cell=4".
    std::vector<std::string> inputs{"noise",        "noise",    "noise", "normal", "gradient:axis=xy",
                                    "checkerboard", "constant", "blobs", "coins"};
    std::int64_t mostPixels = 0;  ///< 0: as many as fit the byte budget
    std::map<std::string, DrawRule> parameters{};
};

struct FamilyDraws {
    const Family* family = nullptr;
    std::vector<DrawEntry> entries{};  ///< one at least
};

/// Of every family, in the registry's order; one without the list "random" has one entry, all at its defaults. Throws
/// Error(argument) that names the file and what is wrong.
std::vector<FamilyDraws> loadDraws(const std::filesystem::path& families);

}  // namespace warplens::gpu::bench
