// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"
#include "tests/io/support/files.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Files that end early: each is an error, or shows the very same picture.
namespace warplens::test {

using Files = std::vector<std::pair<std::string, Bytes>>;

/// What becomes of a file that was cut, and is read so.
void checkCut(const std::function<io::Grid()>& reading, const io::Grid& whole, const std::string& what);
/// "NAME cut to SIZE of WHOLE"
std::string cutTo(const std::string& name, std::size_t size, std::size_t whole);

/// Cuts a file to every size where it is small, else to the first and last sizes and some between, about `most` in
/// all. What is read from memory gets copies of just each size, so that a sanitizer sees every step beyond it.
void checkInMemory(const std::string& name, const Bytes& file, const std::function<io::Grid(const Bytes&)>& decode,
                   std::size_t most);
/// The same of pictures, by their codec.
void checkInMemory(const Files& files, std::size_t most);
/// For libraries that open files themselves: cuts one file of the folder, while `input` is read.
void checkFile(const Folder& folder, const std::string& name, const Bytes& file, const std::string& input,
               std::size_t most);
void checkFiles(const Files& files, std::size_t most);

/// A picture no part of which looks like another, and which no zeros can stand for.
io::Grid busyGrid(const io::Shape& shape, io::PixelType type);
Bytes storedValues(const io::Grid& grid);

}  // namespace warplens::test
