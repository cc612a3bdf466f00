// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/shipped.hpp"

#include "gpu/core/error.hpp"
#include "io/file.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <zlib.h>

namespace warplens::gpu::user {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostBytes = 64 << 20;
constexpr const char* kNone = "; of this instance no listing is shipped";

/// What a gzip file holds. Throws std::runtime_error.
std::string inflated(const std::string& packed) {
    z_stream stream{};
    constexpr int kGzip = 16 + MAX_WBITS;
    if (inflateInit2(&stream, kGzip) != Z_OK) throw std::runtime_error("no room to inflate it");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string text;
    int code = Z_OK;
    while (code == Z_OK && text.size() < kMostBytes) {
        constexpr std::size_t kPiece = 1 << 18;
        const std::size_t before = text.size();
        text.resize(before + kPiece);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + before);
        stream.avail_out = static_cast<uInt>(kPiece);
        code = inflate(&stream, Z_NO_FLUSH);
        text.resize(before + kPiece - stream.avail_out);
    }
    inflateEnd(&stream);
    if (code != Z_STREAM_END) throw std::runtime_error("no gzip file, or one that is cut off");
    return text;
}

/// Source lines, registers alive and instructions, in columns; a GPU's instructions have 16 bytes each.
Listing listingOf(const Json& json) {
    constexpr std::size_t kBytes = 16;
    const Json &lines = json.at("line"), &alive = json.at("alive"), &texts = json.at("sass");
    Listing listing;
    for (std::size_t i = 0; i < texts.size(); ++i)
        listing.instructions.push_back(
            sassInstruction(fmt::format("{:04x}", kBytes * i), texts[i], lines.at(i), alive.at(i)));
    return listing;
}

/// "naive<float,2>", as people may write it.
std::string joined(std::string kernel) {
    std::erase(kernel, ' ');
    return kernel;
}

/// gpu/families/FAMILY/kernels/FILE.cuh
std::string familyOf(const Variant& variant) {
    return std::filesystem::path(variant.source).parent_path().parent_path().filename().string();
}

/// Fills in what was shipped, if there is any; whether there was.
bool fill(Listings& all, const std::filesystem::path& folder, const Variant& variant,
          const std::vector<std::string>& kernels, int capability, std::string why) {
    const ShippedListings shipped = readShipped(folder, familyOf(variant));
    if (shipped.capability != capability) return false;
    for (const std::string& kernel : kernels) {
        const auto found = std::ranges::find_if(shipped.list, [&](const ShippedListing& one) {
            return one.variant == variant.id && joined(one.kernel) == joined(kernel);
        });
        if (found == shipped.list.end()) continue;
        if (all.kernel.empty()) all.kernel = found->kernel;
        all.sass = found->sass;
        if (all.compiler.empty()) all.compiler = shipped.compiler;
        all.disassembler = shipped.disassembler;
        all.whyNoSass.clear();
        all.shipped = "Recorded on " + shipped.date + " with " + shipped.compiler + " and " + shipped.disassembler +
                      " for compute capability " + io::formatNumber(capability / 10.0) +
                      " and shipped with the program, not made here: " + std::move(why);
        return true;
    }
    return false;
}

}  // namespace

ShippedListings readShipped(const std::filesystem::path& folder, const std::string& family) {
    ShippedListings read;
    try {
        const Json json = Json::parse(inflated(io::readText((folder / (family + ".json.gz")).string())));
        for (const Json& one : json.at("listings"))
            read.list.push_back({one.at("variant"), one.at("kernel"), one.at("sha256"), listingOf(one)});
        read.capability = json.at("capability");
        read.compiler = json.at("compiler");
        read.disassembler = json.at("disassembler");
        read.date = json.at("date");
        return read;
    } catch (const std::exception&) {
        return {};
    }
}

VariantListingMaker withShipped(VariantListingMaker maker, std::filesystem::path folder) {
    return [maker = std::move(maker), folder = std::move(folder)](
               const Variant& variant, const std::vector<std::string>& kernels, int capability, std::stop_token stop) {
        Listings all;
        try {
            all = maker(variant, kernels, capability, std::move(stop));
            if (!all.whyNoSass.empty() && !fill(all, folder, variant, {all.kernel}, capability, all.whyNoSass))
                all.whyNoSass += kNone;
        } catch (const Error& error) {
            // What cannot be compiled as C++ is no matter of what is installed.
            if (error.kind() != Error::Kind::unsupported || variant.kind != Variant::Kind::kernel) throw;
            if (!fill(all, folder, variant, kernels, capability, error.what()))
                throw Error(Error::Kind::unsupported, std::string(error.what()) + kNone);
        }
        return all;
    };
}

}  // namespace warplens::gpu::user
