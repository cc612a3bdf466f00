// SPDX-License-Identifier: Apache-2.0
// What a decoder that a file has taken over can reach, and that decoding needs no more.
#include "io/codec_client.hpp"
#include "io/codec_pool.hpp"
#include "io/codecs/codec.hpp"
#include "io/codecs/common.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/io/support/files.hpp"
#include "tests/io/support/fixtures.hpp"
#include "tests/io/support/volume_files.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <map>
#include <memory>
#include <poll.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace warplens::test {
namespace {

/// What the codec says of the sandbox here.
std::string sandboxStatus() {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
        ::popen(("'" + io::findCodec().string() + "' --sandbox-status").c_str(), "r"), ::pclose);
    std::string text;
    for (int c = 0; pipe && (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
    return text;
}

class Jail : public ::testing::Test {
protected:
    void SetUp() override {
        const auto status = sandboxStatus();
        if (status.find("built with a sanitizer") != std::string::npos) GTEST_SKIP() << status;
        m_landlock = status.find("Landlock, version") != std::string::npos;
        m_seccomp = status.find("seccomp, those") != std::string::npos;
        m_picture = m_folder.write("a.png", io::encode(m_grid, "png"));
        m_folder.write("neighbour.txt", bytesOf("neighbour"));
        std::filesystem::create_directory(m_folder.path() / "below");
        m_folder.write("below/secret.txt", bytesOf("secret"));
    }
    void TearDown() override {
        ::unsetenv("WARPLENS_CODEC");
        ::unsetenv("WARPLENS_JAIL_FOLDER");
        io::endWaitingCodecs();
    }

    /// What became of each way out, by its name, with the probe preloaded into the codec that `work` runs.
    std::map<std::string, std::string> probed(const std::function<void()>& work) {
        const auto codec = io::findCodec().string();
        const auto said = (m_folder.path() / "said").string();
        EXPECT_EQ(::mkfifo(said.c_str(), 0600), 0);
        // Held open for writing as well, so that it has an end only when we say so.
        const int fifo = ::open(said.c_str(), O_RDWR | O_CLOEXEC);
        const auto script = m_folder.write("codec", bytesOf("#!/bin/sh\nLD_PRELOAD='" WARPLENS_JAIL_PROBE "' exec '" +
                                                            codec + "' \"$@\" 2> '" + said + "'\n"));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        ::setenv("WARPLENS_JAIL_FOLDER", m_folder.path().c_str(), 1);
        ::setenv("WARPLENS_CODEC", script.c_str(), 1);
        std::string text;
        std::jthread reader([&](const std::stop_token& stop) {
            pollfd ready{fifo, POLLIN, 0};
            while (::poll(&ready, 1, 20) > 0 || !stop.stop_requested()) {
                if ((ready.revents & POLLIN) == 0) continue;
                char buffer[4096];
                const auto got = ::read(fifo, buffer, sizeof(buffer));
                if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
            }
        });
        work();
        reader.request_stop();
        reader.join();
        ::close(fifo);
        std::filesystem::remove(said);
        return parsed(text);
    }

    void expectNoWayOut(const std::map<std::string, std::string>& found) const {
        ASSERT_TRUE(found.contains("the end")) << "the probe did not come to its end";
        ASSERT_GT(found.size(), 100U);
        for (const auto& [name, outcome] : found) {
            if (name == "the end") continue;
            // By the jail, not by chance: EPERM of seccomp, EACCES of Landlock, ENOMEM of the limit.
            const bool byLandlock = outcome == "refused (13)";
            const bool isOpening = name.starts_with("open ") || name.starts_with("list ");
            const bool byLimit = name == "map 64 GB" && outcome == "refused (12)";
            if (!m_landlock && isOpening) continue;
            if (!m_seccomp && !byLandlock) continue;
            EXPECT_TRUE(outcome == "refused (1)" || (byLandlock && isOpening) || byLimit) << name << ": " << outcome;
        }
        if (!m_landlock) std::puts("this kernel has no Landlock: opening files was left out");
        if (!m_seccomp) std::puts("this kernel has no seccomp: system calls were left out");
    }

    const io::Grid m_grid = randomGrid({40, 30, 1, 3}, io::PixelType::u8);
    Folder m_folder;
    std::string m_picture;
    bool m_landlock = false;
    bool m_seccomp = false;

private:
    static std::map<std::string, std::string> parsed(const std::string& text) {
        std::map<std::string, std::string> found;
        for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
            const auto line = text.substr(at, end - at);
            if (const auto tab = line.find('\t'); tab != std::string::npos)
                found[line.substr(0, tab)] = line.substr(tab + 1);
        }
        return found;
    }
};

TEST_F(Jail, ADecoderThatIsTakenOverHasNoWayOutAndDecodes) {
    io::Grid read;
    expectNoWayOut(probed([&] { read = io::read(m_picture); }));
    EXPECT_TRUE(sameValues(read, m_grid));
    EXPECT_EQ(readFile(m_folder.path() / "neighbour.txt"), bytesOf("neighbour"));
}

TEST_F(Jail, AnEncoderThatIsTakenOverHasNoWayOutAndEncodes) {
    Bytes file;
    expectNoWayOut(probed([&] { file = io::encode(m_grid, "png"); }));
    EXPECT_EQ(file, readFile(m_picture));
}

TEST_F(Jail, ACrashInItCostsOneRequestAndIsTold) {
    const auto script = m_folder.write(
        "codec", bytesOf("#!/bin/sh\n[ ! -e '" + (m_folder.path() / "crash").string() +
                         "' ] || export WARPLENS_JAIL_CRASH=1\nLD_PRELOAD='" WARPLENS_JAIL_PROBE "' exec '" +
                         io::findCodec().string() + "' \"$@\" 2> /dev/null\n"));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    ::setenv("WARPLENS_JAIL_FOLDER", m_folder.path().c_str(), 1);
    ::setenv("WARPLENS_CODEC", script.c_str(), 1);
    const auto mark = m_folder.write("crash", bytesOf("now"));
    for (int i = 0; i < 2; ++i) {
        EXPECT_TRUE(refuses([&] { io::read(m_picture); }, io::Error::Kind::unreadable,
                            "Warplens's reader of PNG files failed (signal 6), which is a fault of Warplens"));
    }
    std::filesystem::remove(mark);
    EXPECT_TRUE(sameValues(io::read(m_picture), m_grid));
}

TEST_F(Jail, ALibraryThatIsRefusedMemoryDoesNotBlameTheFile) {
    for (const char* words : {"insufficient memory", "Insufficient memory (case 4)", "Out of memory",
                              "Failed to allocate memory for strip", "No space for data buffer"}) {
        const auto error = errorOf([&] { io::codecs::damaged("a.png", "PNG", words); });
        ASSERT_TRUE(error);
        EXPECT_EQ(error->kind(), io::Error::Kind::limit);
        EXPECT_EQ(std::string(error->what()).find("damaged"), std::string::npos) << error->what();
    }
    EXPECT_TRUE(refuses([&] { io::codecs::damaged("a.png", "PNG", "bad checksum"); }, io::Error::Kind::unreadable,
                        "damaged PNG (bad checksum)"));
}

/// The same by way of the sandbox and in this process, values and notes alike.
void expectReadAlike(const std::string& path) {
    std::optional<io::Grid> here;
    std::optional<io::Grid> there;
    const auto errorHere = errorOf([&] { here = decodeFile(path); });
    const auto errorThere = errorOf([&] { there = io::read(path); });
    ASSERT_EQ(errorHere.has_value(), errorThere.has_value())
        << path << ": " << (errorHere ? errorHere : errorThere)->what();
    if (errorHere) {
        EXPECT_STREQ(errorHere->what(), errorThere->what());
        return;
    }
    EXPECT_TRUE(sameValues(*here, *there)) << path;
    EXPECT_EQ(here->metadata.notes, there->metadata.notes) << path;
}

TEST_F(Jail, EveryFormatIsReadInIt) {
    for (const auto& [name, content] : smallFiles()) expectReadAlike(m_folder.write(name, content));
}

TEST_F(Jail, EveryFormatIsWrittenInIt) {
    for (const auto& codec : io::codecs::all()) {
        for (const auto type : codec.writes) {
            const auto grid = randomGrid({7, 5, codec.volumes ? 3 : 1, 1}, type);
            EXPECT_EQ(io::encode(grid, codec.id), io::codecs::encode(grid, codec.id, codec.id)) << codec.id;
        }
    }
}

TEST_F(Jail, AHeaderOpensTheFilesThatItNamesAndNoOthers) {
    const auto values = randomGrid({4, 2, 1, 1}, io::PixelType::u8);
    const Bytes bytes(values.data(), values.data() + values.bytes());
    m_folder.write("x.raw", bytes);
    m_folder.write("first half.raw", Bytes(bytes.begin(), bytes.begin() + 4));
    m_folder.write("s2.raw", Bytes(bytes.begin() + 4, bytes.end()));
    m_folder.write("s1.raw", Bytes(bytes.begin(), bytes.begin() + 4));
    m_folder.write("x.txt", bytesOf("1 2 3 4 5 6 7 8\n"));
    m_folder.write("x.img", bytes);
    const std::string nrrd = "NRRD0004\ntype: uchar\ndimension: 2\nsizes: 4 2\nencoding: ";
    const std::string meta =
        "ObjectType = Image\nNDims = 2\nDimSize = 4 2\nElementType = MET_UCHAR\nElementDataFile = ";
    for (const auto& [name, header] :
         std::map<std::string, std::string>{{"one.nhdr", nrrd + "raw\ndata file: x.raw\n"},
                                            {"list.nhdr", nrrd + "raw\ndata file: LIST\nfirst half.raw\ns2.raw\n"},
                                            {"pattern.nhdr", nrrd + "raw\ndata file: s%d.raw 1 2 1\n"},
                                            {"text.nhdr", nrrd + "text\ndata file: x.txt\n"},
                                            {"one.mhd", meta + "x.raw\n"},
                                            {"list.mhd", meta + "LIST\ns1.raw\ns2.raw\n"},
                                            {"pattern.mhd", meta + "s%d.raw 1 2 1\n"}}) {
        const auto path = m_folder.write(name, bytesOf(header));
        expectReadAlike(path);
        EXPECT_NO_THROW(io::read(path)) << name;
    }
    auto header = makeNifti({.sizes = {4, 2, 1}, .magic = "ni1"}, {});
    std::fill_n(header.begin() + 108, 4, std::byte{});  // the values begin where the other file does
    const auto pair = m_folder.write("x.hdr", header);
    expectReadAlike(pair);
    EXPECT_NO_THROW(io::read(pair));

    // Neither a link nor a folder is opened, nor a file elsewhere.
    std::filesystem::create_symlink(m_folder.path() / "below" / "secret.txt", m_folder.path() / "link.raw");
    for (const char* name : {"link.raw", "below", "below/secret.txt", "../a", "/etc/passwd", "."}) {
        const auto path = m_folder.write("out.nhdr", bytesOf(nrrd + "raw\ndata file: " + name + "\n"));
        EXPECT_TRUE(errorOf([&] { io::read(path); })) << name;
    }
}

TEST_F(Jail, AFolderOfDicomIsReadInIt) {
    std::filesystem::create_directory(m_folder.path() / "series");
    for (int slice = 0; slice < 20; ++slice) {
        const auto file = makeDicom({.width = 2, .height = 2, .instance = slice, .position = {0, 0, 1.0 * slice}},
                                    {1, 2, 3, static_cast<std::int16_t>(slice)});
        m_folder.write("series/" + std::to_string(slice) + ".dcm", file);
    }
    expectReadAlike((m_folder.path() / "series").string());
}

}  // namespace
}  // namespace warplens::test
