// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/user/listing.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gpu::user {

/// SASS of one instance of a variant that came with the program (resources/listings, made by scripts/listings).
struct ShippedListing {
    std::string variant{}, kernel{};
    std::string sha256{};  ///< of the variant's own file that was compiled
    Listing sass{};
};
/// Those of a family, with who made them and for which GPU.
struct ShippedListings {
    int capability = 0;  ///< 10 x major + minor
    std::string compiler{}, disassembler{}, date{};
    std::vector<ShippedListing> list{};
};

/// Reads FAMILY.json.gz of a folder; empty where there is none, or none that can be read.
ShippedListings readShipped(const std::filesystem::path& folder, const std::string& family);

/// The same maker, but where it finds no compiler, or no disassembler, the instance's SASS that was shipped for the
/// same GPU, if there is any; where there is none the error says so as well.
VariantListingMaker withShipped(VariantListingMaker maker, std::filesystem::path folder);

}  // namespace warplens::gpu::user
