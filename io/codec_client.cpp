// SPDX-License-Identifier: Apache-2.0
#include "io/codec_client.hpp"

#include "io/child_process.hpp"
#include "io/codec_pool.hpp"
#include "io/codec_protocol.hpp"
#include "io/error.hpp"
#include "io/program_path.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <signal.h>
#include <system_error>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace warplens::io {
namespace {

using Transfer = ChildProcess::Transfer;
using std::chrono::seconds;

constexpr std::int64_t kPatience = 30;  // seconds
// Slower than any codec reads its file or writes its pixels, so that large files get the time they need.
constexpr std::int64_t kSlowestBytesASecond = 5'000'000;
constexpr std::size_t kPiece = 1 << 20;

seconds timeFor(std::int64_t bytes) {
    auto patience = kPatience;
    if (const char* text = std::getenv("WARPLENS_CODEC_TIMEOUT")) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
        if (error == std::errc() && *end == '\0' && value > 0 && value <= 86400) patience = value;
    }
    return seconds(patience + bytes / kSlowestBytesASecond);
}

BorrowedCodec startCodec(const std::string& where, Error::Kind kind, seconds patience, const std::stop_token& stop) {
    const auto program = findCodec();
    if (program.empty()) {
        throw Error(kind, where +
                              ": warplens-codec, which handles every format but NPY, was not found: build it with "
                              "-DWARPLENS_CODECS=ON, or set WARPLENS_CODEC to its path");
    }
    try {
        const auto work = kind == Error::Kind::unwritable ? BorrowedCodec::Work::encode : BorrowedCodec::Work::decode;
        return {program.string(), work, ChildProcess::Clock::now() + patience, stop};
    } catch (const std::system_error& error) {
        throw Error(kind, where + ": " + program.string() + " did not start (" + error.code().message() +
                              "): " + startingRemedy(error.code(), "WARPLENS_CODEC"));
    }
}

/// One request, with every way it can go wrong put into words. None of them blames the file: what a file may hold is
/// for the reader to refuse, and when it crashes instead, that is a fault of ours.
class Conversation {
public:
    /// `task` is what the codec does: "reader of PNG files".
    Conversation(const std::string& where, std::string task, Error::Kind kind, seconds patience,
                 const std::stop_token& stop)
        : m_where(where),
          m_task(std::move(task)),
          m_kind(kind),
          m_patience(patience),
          m_stop(stop),
          m_codec(startCodec(where, kind, patience, stop)) {}

    /// Turns errors of the protocol into errors about this file.
    template <class Function>
    auto guarded(Function function) {
        try {
            return function();
        } catch (const Error& error) {
            throw Error(m_kind, m_where + ": " + error.what());
        }
    }

    void ask(protocol::Kind kind, const std::vector<std::byte>& body, std::span<const std::byte> raw = {}) {
        const auto header = protocol::pack(protocol::MessageHeader{kind, body.size()});
        for (const auto part : {std::span<const std::byte>(header), std::span<const std::byte>(body), raw}) {
            const auto state = m_codec->send(part);
            // A codec that has seen enough to refuse stops listening, so a closed input is judged by the reply.
            if (state == Transfer::closed) break;
            if (state != Transfer::complete) fail(state);
        }
    }

    /// The reply's body, after what the codec tells of its progress; throws the failure if the codec reports one.
    std::vector<std::byte> answer(protocol::Kind expected, const std::function<void(double)>& progress) {
        protocol::MessageHeader header;
        std::vector<std::byte> body;
        std::tie(header, body) = message();
        while (header.kind == protocol::Kind::progress || header.kind == protocol::Kind::format) {
            if (header.kind == protocol::Kind::format) {
                m_task = "reader of " + guarded([&] { return protocol::unpackFormat(body); }) + " files";
            } else {
                const auto fraction = guarded([&] { return protocol::unpackProgress(body); });
                if (progress) progress(fraction);
            }
            std::tie(header, body) = message();
        }
        if (header.kind == protocol::Kind::failure) {
            const auto failure = guarded([&] { return protocol::unpackFailure(body); });
            // A batch meets many files that are refused: these must not cost a new process each.
            if (m_codec->waitUntilDone() == Transfer::complete) std::move(m_codec).giveBack();
            throw Error(failure.kind, failure.message);
        }
        if (header.kind != expected)
            throw Error(m_kind, m_where + ": warplens-codec gave the wrong answer: reinstall it");
        return body;
    }

    void receive(std::span<std::byte> buffer) {
        if (const auto state = m_codec->receive(buffer); state != Transfer::complete) fail(state);
    }

    /// Call when all has arrived: the codec must end well, too.
    void finish() {
        const auto done = m_codec->waitUntilDone();
        if (done == Transfer::complete) return std::move(m_codec).giveBack();
        if (done != Transfer::closed) fail(done);
        const auto end = m_codec->wait();
        if (!end.ended || end.signal != 0 || end.status != 0) fail(Transfer::closed);
    }

private:
    std::pair<protocol::MessageHeader, std::vector<std::byte>> message() {
        std::array<std::byte, protocol::kHeaderBytes> bytes{};
        receive(bytes);
        const auto header = guarded([&] { return protocol::unpackHeader(bytes); });
        std::vector<std::byte> body(static_cast<std::size_t>(header.bodyBytes));
        receive(body);
        return {header, std::move(body)};
    }

    [[noreturn]] void fail(Transfer state) {
        if (state == Transfer::stopped || state == Transfer::timedOut) tooLong();
        const auto end = m_codec->wait();
        if (!end.ended) tooLong();
        if (end.signal == 0) {
            const auto complaint = protocol::oneLine(m_codec->complaint());
            throw Error(m_kind, m_where + ": warplens-codec ended early, with status " + std::to_string(end.status) +
                                    (complaint.empty() ? "" : " (" + complaint + ")") +
                                    ": reinstall Warplens; if that does not help, please report it");
        }
        // What a library says before it crashes means nothing to who opened the file.
        const auto signal = "signal " + std::to_string(end.signal);
        switch (end.signal) {
            case SIGXCPU:
                throw Error(m_kind, m_where + ": Warplens's " + m_task +
                                        " used up the processor time that a picture of this size may take: set "
                                        "WARPLENS_CODEC_TIMEOUT to more seconds");
            case SIGKILL:
                throw Error(m_kind, m_where +
                                        ": the codec was killed, perhaps for want of memory: close other "
                                        "programs, or use a smaller picture");
            case SIGABRT:
            case SIGBUS:
            case SIGFPE:
            case SIGILL:
            case SIGSEGV:
            case SIGSYS:
            case SIGTRAP:
                throw Error(m_kind, m_where + ": Warplens's " + m_task + " failed (" + signal +
                                        "), which is a fault of Warplens: please report it");
            default: throw Error(m_kind, m_where + ": the codec was ended from outside (" + signal + "): try again");
        }
    }

    [[noreturn]] void tooLong() const {
        if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, m_where + ": cancelled");
        throw Error(m_kind, m_where + ": Warplens's " + m_task + " took longer than " +
                                std::to_string(m_patience.count()) +
                                " s and was stopped: set WARPLENS_CODEC_TIMEOUT to more seconds");
    }

    std::string m_where;
    std::string m_task;
    Error::Kind m_kind;
    seconds m_patience;
    std::stop_token m_stop;
    BorrowedCodec m_codec;
};

}  // namespace

std::filesystem::path findCodec() { return findProgram("warplens-codec", "WARPLENS_CODEC"); }

Grid decodeWithCodec(const std::string& path, std::int64_t bytes, const ReadOptions& options) {
    const auto& limits = options.limits;
    const auto patience = timeFor(bytes);
    // Until the codec says which format it is.
    const auto ending = protocol::oneLine(std::filesystem::path(path).extension().string(), 20);
    Conversation codec(path, "reader of " + (ending.empty() ? "such" : ending) + " files", Error::Kind::unreadable,
                       patience, options.stop);
    codec.ask(protocol::Kind::decode,
              protocol::pack(protocol::DecodeRequest{path, options.frame, options.series, limits,
                                                     static_cast<std::uint64_t>(patience.count())}));
    const auto body = codec.answer(protocol::Kind::picture, options.progress);
    auto header = codec.guarded([&] { return protocol::unpackPictureHeader(body); });
    limits.check(header.shape, header.type, path);
    if (static_cast<std::int64_t>(header.metadata.iccProfile.size()) > limits.metadataBytes) {
        throw Error(Error::Kind::limit, path + ": the colour profile is over the limit of " +
                                            std::to_string(limits.metadataBytes) + " bytes: save the file without it");
    }
    Grid grid(header.shape, header.type);
    codec.receive({grid.data(), grid.bytes()});
    codec.finish();
    grid.geometry = header.geometry;
    grid.metadata = std::move(header.metadata);
    return grid;
}

void encodeWithCodec(const Grid& grid, const std::string& format, const std::string& where,
                     const EncodeOptions& options, const std::function<void(std::span<const std::byte>)>& sink,
                     const std::stop_token& stop) {
    const Limits limits;
    const auto patience = timeFor(static_cast<std::int64_t>(grid.bytes()));
    Conversation codec(where, "writer of ." + format + " files", Error::Kind::unwritable, patience, stop);
    codec.ask(
        protocol::Kind::encode,
        protocol::pack(protocol::EncodeRequest{format, where, options, limits,
                                               static_cast<std::uint64_t>(patience.count()), protocol::headerOf(grid)}),
        {grid.data(), grid.bytes()});
    const auto body = codec.answer(protocol::Kind::file, {});
    auto left = codec.guarded([&] { return protocol::unpackSize(body); });
    // No format of ours more than doubles the values it is given, but a header costs something.
    if (left > 2 * grid.bytes() + (std::uint64_t{64} << 20)) {
        throw Error(Error::Kind::unwritable, where + ": warplens-codec announced too large a file: reinstall it");
    }
    std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(left, kPiece)));
    while (left > 0) {
        const auto part = std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size())));
        codec.receive(part);
        sink(part);
        left -= part.size();
    }
    codec.finish();
}

}  // namespace warplens::io
