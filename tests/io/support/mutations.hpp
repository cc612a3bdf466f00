// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/io/support/files.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Damaged headers: every field of a small good file, and pairs of fields, set to what breaks parsers.
namespace warplens::test {

/// A place in a file that means something to its reader.
struct Field {
    std::size_t at = 0, size = 0;
    bool text = false;  ///< decimal text, to be replaced by text of any length; else a number of so many bytes
};

struct MutationSeed {
    std::string name;  ///< file to write
    Bytes file;
    std::vector<Field> fields;
    bool bigEndian = false;
    bool packed = false;  ///< written as gzip after the change
};

/// NRRD, MetaImage, NIfTI, DICOM and TIFF, attached and detached; `folder` gets the data files of the detached ones.
std::vector<MutationSeed> mutationSeeds(const Folder& folder);

/// How many different changes of one field there are over all seeds: each field to each of the values 0, -1, 2^31,
/// 2^63-1, NaN, empty and 1 MB long.
std::size_t singleMutations(const std::vector<MutationSeed>& seeds);

struct Mutated {
    std::string name;
    Bytes file;
    std::string what;  ///< which seed, field and value
};
/// The change of this number: below singleMutations() each of them in turn, beyond it two fields at once by chance.
Mutated mutate(const std::vector<MutationSeed>& seeds, std::size_t number);

}  // namespace warplens::test
