// SPDX-License-Identifier: Apache-2.0
// Writes the seeds into CORPUS/<codec>/seeds.
#include "io/codecs/codec.hpp"
#include "io/raw.hpp"
#include "tests/io/support/fixtures.hpp"

#include <cstdio>
#include <filesystem>

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::span<const std::byte> bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
    using namespace warplens;
    if (argc != 2) {
        std::fputs("usage: warplens_fuzz_seeds CORPUS\n", stderr);
        return 2;
    }
    const fs::path corpus = argv[1];
    for (const auto& [name, file] : test::smallFiles()) {
        const auto* codec = io::codecs::identify(file);
        if (codec == nullptr) {
            std::fprintf(stderr, "%s: no codec knows this seed\n", name.c_str());
            return 1;
        }
        write(corpus / codec->id / "seeds" / name, file);
    }
    const char* dtypes[] = {"|u1", "<u2", ">i2", "<f4"};
    for (const auto* dtype : dtypes) {
        const std::string text =
            std::string("{'descr': '") + dtype + "', 'fortran_order': True, 'shape': (2, 3, 4), }\n";
        const auto file = test::join({test::bytesOf("\x93NUMPY"), test::little(1, 2), test::little(text.size(), 2),
                                      test::bytesOf(text), test::Bytes(96)});
        write(corpus / "npy" / "seeds" / (std::string(dtype + 1) + ".npy"), file);
    }
    const char* raws[] = {"3x2:u8", "2x2x3:i16:order=big", "2x1:f32:c=3:skip=4", "4x4:u16:spacing=0.5,1,2"};
    for (const auto* text : raws) {
        const auto description = io::parseRaw(std::string("raw:f:") + text);
        write(corpus / "raw" / "seeds" / std::string(text).substr(0, 4),
              test::join({test::bytesOf(text), test::Bytes(1),
                          test::Bytes(static_cast<std::size_t>(description.bytesNeeded()))}));
    }
    const char* descriptions[] = {
        "noise:8x8:u8:seed=1",     "gradient:8x8x2:u16:axis=y", "checkerboard:8x8:f32:cell=2:c=3",
        "zoneplate:8x8:u8:c=4",    "impulse:8x8:f32:x=1:y=2",   "constant:8x8:u8:value=7",
        "gaussian:8x8:f32:sigma=2"};
    for (const auto* text : descriptions)
        write(corpus / "generate" / "seeds" / std::string(text).substr(0, 4), test::bytesOf(text));
    return 0;
}
