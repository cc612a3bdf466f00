// SPDX-License-Identifier: Apache-2.0
#include "io/file.hpp"

#include "io/read.hpp"
#include "tests/io/support/files.hpp"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace warplens::test {
namespace {

using Kind = io::Error::Kind;

/// Everything a path can name that is no regular file. Opening or reading some of them would never end.
std::vector<std::string> irregularFiles(const Folder& folder) {
    const auto fifo = (folder.path() / "fifo").string();
    EXPECT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    const auto socketPath = (folder.path() / "socket").string();
    const io::UniqueFd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socketPath.copy(address.sun_path, sizeof(address.sun_path) - 1);
    EXPECT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    std::filesystem::create_symlink(fifo, folder.path() / "link");
    return {fifo, socketPath, (folder.path() / "link").string(), "/dev/zero", "/dev/null", folder.path().string()};
}

TEST(ReadText, GivesTheWholeOfARegularFileUpToTheLimit) {
    const Folder folder;
    const auto path = folder.write("a.json", bytesOf("{}\n"));
    EXPECT_EQ(io::readText(path), "{}\n");
    EXPECT_EQ(io::readText(path, 3), "{}\n");
    EXPECT_TRUE(refuses([&] { io::readText(path, 2); }, Kind::limit, "a.json"));
    EXPECT_EQ(io::readText(folder.write("empty", {})), "");
    // Costs no memory and no time: refused by its size.
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
    EXPECT_TRUE(refuses([&] { io::readText(path); }, Kind::limit, "67108864"));
}

TEST(ReadText, RefusesWhatIsNoRegularFileWithoutWaitingForIt) {
    const Folder folder;
    for (const auto& path : irregularFiles(folder)) {
        EXPECT_TRUE(refuses([&] { io::readText(path); }, Kind::unreadable, path)) << path;
    }
}

TEST(Read, NoInputWaitsForAFileThatIsNotRegular) {
    const Folder folder;
    for (const auto& path : irregularFiles(folder)) {
        // A folder is an input of its own: one of DICOM files.
        if (path == folder.path()) continue;
        for (const std::string& input : {path, "raw:" + path, "raw:" + path + ":4x4:u8"}) {
            EXPECT_TRUE(refuses([&] { io::read(input); }, Kind::unreadable, path)) << input;
        }
    }
    const Folder slices;
    ASSERT_EQ(::mkfifo((slices.path() / "slice-1.npy").c_str(), 0600), 0);
    EXPECT_TRUE(refuses([&] { io::read("series:" + (slices.path() / "slice-#.npy").string()); }, Kind::unreadable));
    EXPECT_TRUE(refuses([&] { io::read(slices.path().string()); }, Kind::unreadable));
}

TEST(ReadText, SaysWhatToDoWhenAFileCannotBeOpened) {
    const Folder folder;
    const auto path = folder.write("a.json", bytesOf("{}"));
    EXPECT_TRUE(refuses([&] { io::readText(path + "x"); }, Kind::unreadable, "check the name"));
    EXPECT_TRUE(refuses([&] { io::readText(path + "/x"); }, Kind::unreadable, "check the name"));
    EXPECT_TRUE(refuses([&] { io::readText(path + std::string(300, 'x')); }, Kind::unreadable, "shorter name"));
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit none{0, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    const auto refused = refuses([&] { io::readText(path); }, Kind::unreadable, "ulimit -n");
    ::setrlimit(RLIMIT_NOFILE, &before);
    EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace warplens::test
