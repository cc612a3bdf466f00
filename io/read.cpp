// SPDX-License-Identifier: Apache-2.0
#include "io/read.hpp"

#include "io/codec_client.hpp"
#include "io/error.hpp"
#include "io/file.hpp"
#include "io/generate.hpp"
#include "io/npy.hpp"

#include <new>

namespace warplens::io {

Grid read(const std::string& input, const ReadOptions& options) {
    try {
        if (isGenerated(input)) return generate(input, options.limits, options.stop);
        InputFile file(input);
        if (file.size() == 0) throw Error(Error::Kind::unreadable, input + ": the file is empty: copy it again");
        if (file.size() > options.limits.fileBytes) {
            throw Error(Error::Kind::limit, input + ": the file is over the limit of " +
                                                std::to_string(options.limits.fileBytes) + " bytes: crop it first");
        }
        if (isNpy(file.head(16))) return readNpy(file, options);
        if (!options.axes.empty()) {
            throw Error(Error::Kind::argument, input + ": only an NPY file takes axes: leave --axes out");
        }
        return decodeWithCodec(file, options.limits, options.stop);
    } catch (const std::bad_alloc&) {
        throw Error(Error::Kind::limit, input + ": not enough memory: close other programs, or use a smaller picture");
    }
}

}  // namespace warplens::io
