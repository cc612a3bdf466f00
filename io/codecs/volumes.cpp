// SPDX-License-Identifier: Apache-2.0
// NRRD, MetaImage and NIfTI: a strict look at the header, then the values that it promises.
#include "io/codecs/formats.hpp"
#include "io/codecs/meta_header.hpp"
#include "io/codecs/nifti_header.hpp"
#include "io/codecs/nrrd_header.hpp"
#include "io/codecs/volume_values.hpp"

#include <algorithm>
#include <string_view>

namespace warplens::io::codecs {
namespace {

std::string_view textOf(Bytes head, std::size_t count) {
    return {reinterpret_cast<const char*>(head.data()), std::min(head.size(), count)};
}

}  // namespace

bool isNrrd(Bytes head) {
    const auto text = textOf(head, 8);
    return text.size() == 8 && text.starts_with("NRRD000") && text[7] >= '1' && text[7] <= '5';
}

Grid decodeNrrd(const Source& source) { return readVolume(parseNrrdHeader(source), "NRRD", source); }

bool isMeta(Bytes head) {
    // A text of fields, among them, early on, those that no other such text has.
    const auto text = textOf(head, 512);
    return (text.starts_with("ObjectType") || text.starts_with("NDims") || text.starts_with("Comment")) &&
           text.find("NDims") != std::string_view::npos;
}

Grid decodeMeta(const Source& source) { return readVolume(parseMetaHeader(source), "MetaImage", source); }

bool isNifti(Bytes file) { return niftiVersion(file) != 0; }

Grid decodeNifti(const Source& source) { return readVolume(parseNiftiHeader(source), "NIfTI", source); }

}  // namespace warplens::io::codecs
