// SPDX-License-Identifier: Apache-2.0
#include "io/codecs/codec.hpp"
#include "io/codecs/formats.hpp"
#include "io/codecs/meta_header.hpp"
#include "io/codecs/nifti_header.hpp"
#include "io/codecs/nrrd_header.hpp"
#include "io/error.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

namespace warplens::io::codecs {
namespace {

bool isNiftiPair(Bytes head) {
    // Of version 1 at the end of its header, of version 2 near the beginning.
    return head.size() >= kNiftiHeaderBytes &&
           (std::memcmp(&head[kNiftiHeaderBytes - 4], "ni1", 4) == 0 || std::memcmp(&head[4], "ni2", 4) == 0);
}

}  // namespace

bool mayNameFiles(const std::string& path) {
    const auto head = InputFile(path).head(kNiftiHeaderBytes);
    return isNrrd(head) || isMeta(head) || isNiftiPair(head);
}

std::vector<std::string> filesNamedBy(Source source) {
    std::vector<std::string> names;
    const InputFile file(source.path);
    const auto head = file.head(static_cast<std::size_t>(std::min(file.size(), kHeadBytes)));
    source.file = head;
    source.fileBytes = file.size();
    source.named = [&](const std::string& name) { names.push_back(name); };
    try {
        if (isNrrd(head)) {
            parseNrrdHeader(source);
        } else if (isMeta(head)) {
            parseMetaHeader(source);
        } else if (isNiftiPair(head)) {
            parseNiftiHeader(source);
        }
    } catch (const std::exception&) {
        // Who reads the values comes to the same, and reports it.
    }
    return names;
}

}  // namespace warplens::io::codecs
