// SPDX-License-Identifier: Apache-2.0
#include "app/worker/serve.hpp"

#include "app/sandbox/sandbox.hpp"
#include "app/worker/apart.hpp"
#include "app/worker/compile.hpp"
#include "app/worker/count.hpp"
#include "app/worker/headers.hpp"
#include "app/worker/run.hpp"
#include "gpu/core/error.hpp"
#include "gpu/device/specialisation.hpp"
#include "gpu/device/text_kernel.hpp"
#include "io/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace warplens::worker {
namespace {

namespace fs = std::filesystem;
using gpu::Error;

/// How long one waits for a job. A GPU's context holds memory of the GPU.
constexpr std::chrono::minutes kSpareLife{5};

void receive(std::span<std::byte> buffer) {
    while (!buffer.empty()) {
        const auto got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw std::runtime_error("the request ended early");
        buffer = buffer.subspan(static_cast<std::size_t>(got));
    }
}

void send(const Json& message) {
    const std::string bytes = packed(message);
    for (std::size_t at = 0; at < bytes.size();) {
        const auto sent = ::write(STDOUT_FILENO, bytes.data() + at, bytes.size() - at);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) throw std::runtime_error("the answer cannot be delivered");
        at += static_cast<std::size_t>(sent);
    }
}

/// A folder that goes with the object.
class Scratch {
public:
    Scratch() {
        const char* folder = std::getenv("TMPDIR");
        std::string name =
            std::string(folder != nullptr && *folder == '/' ? folder : "/tmp") + "/warplens-kernel-XXXXXX";
        if (::mkdtemp(name.data()) == nullptr)
            throw Error(Error::Kind::internal,
                        "no scratch folder could be made: set TMPDIR to one that can be written");
        m_path = name;
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::string inParentheses(const Json& three) {
    return "(" + std::to_string(three.at(0).get<unsigned>()) + ", " + std::to_string(three.at(1).get<unsigned>()) +
           ", " + std::to_string(three.at(2).get<unsigned>()) + ")";
}

/// One sentence: which kernel, what it did, where.
std::string sentenceOf(const Json& incident, const Job& job, const fs::path& scratch) {
    const auto lines = linesOf(
        job, {incident.at("place").get<std::uint64_t>(), incident.at("other_place").get<std::uint64_t>()}, scratch);
    // What the device says by itself is a sentence already.
    const auto kind = incident.at("kind").get<std::string>(), what = incident.at("what").get<std::string>();
    std::string text = kind.empty() ? job.kernel + ": " + what : kind + ": " + job.kernel + " " + what;
    if (!lines[0].empty()) text += " at " + lines[0];
    if (incident.contains("block"))
        text +=
            ", in block " + inParentheses(incident.at("block")) + ", thread " + inParentheses(incident.at("thread"));
    if (const auto other = incident.at("other").get<std::string>(); !other.empty())
        text += "; " + other + (lines[1].empty() ? "" : " at " + lines[1]) + ", with no barrier between them";
    if (const auto phase = incident.at("phase").get<std::string>(); !phase.empty()) text += ", " + phase;
    return text;
}

std::string sentenceOf(const Apart::Run& run, const Job& job) {
    const std::string does = job.kernel + " ";
    const auto seconds = [](std::chrono::seconds patience) { return std::to_string(patience.count()) + " s"; };
    if (run.late && run.launched)
        return "endless loop: " + does + "had not ended " + seconds(Apart::kLaunchPatience) +
               " after its launch on the GPU: one without end, or more work than fits; where it was is not known";
    if (run.late && job.device == "cpu")
        return "endless loop: " + does + "had not ended after " + seconds(Apart::kCpuPatience);
    if (run.late && !job.full.is_null())
        return "deadline: " + does + "could not be compiled by NVRTC, or its launcher did not end, within " +
               seconds(Apart::kPreparePatience);
    if (run.late) return "deadline: " + does + "could not be launched within " + seconds(Apart::kStartPatience);
    if (WIFSIGNALED(run.status)) {
        const int signal = WTERMSIG(run.status);
        if (signal == SIGKILL)
            return "out of memory: " + does + "was ended by the system, which has no memory left for it";
        return "signal: " + does + "ended its process by signal " + std::to_string(signal);
    }
    return "exit: " + does + "ended its process with status " + std::to_string(WEXITSTATUS(run.status));
}

/// Its scratch folder is gone before who asked, and may end this process, hears of it.
Json answerOf(const Job& job, std::optional<Apart>& apart) {
    if (!job.header.empty()) {
        const auto found = std::ranges::find_if(headers(), [&](const Header& one) { return one.path == job.header; });
        if (found == headers().end()) throw Error(Error::Kind::argument, job.header + ": no file of ours");
        return {{"kind", "header"}, {"text", found->text}};
    }
    if (const std::string why = job.counts ? whyNoCounts() : std::string(); !why.empty())
        throw Error(Error::Kind::unsupported, why);
    const Scratch scratch;
    if (const auto errors = compile(job, scratch.path()); !errors.empty())
        return {{"kind", "compile"}, {"errors", errors}};
    if (job.listing) {
        const Disassembly made = disassemble(scratch.path());
        const auto read = [&](const char* name) {
            return io::readText((scratch.path() / name).string(), kLongest / 4);
        };
        return {{"kind", "listing"},
                {"function", read(kFunction)},
                {"ptx", read(kPtx)},
                {"sass", made.sass},
                {"registers", made.registers},
                {"compiler", gpu::specialisingState().compiler},
                {"disassembler", made.program},
                {"why", made.why}};
    }
    if (job.held) {
        std::byte go{};
        receive({&go, 1});
    }
    if (!apart) throw Error(Error::Kind::internal, "this worker was started for no device");
    const Apart::Run run = apart->run(job, scratch.path());
    // What a kernel may have written is no message.
    const Json said = Json::parse(run.answer, nullptr, false);
    if (said.is_object() && said.contains("run") && WIFEXITED(run.status) && WEXITSTATUS(run.status) == 0)
        return {{"kind", "done"}, {"run", said.at("run")}, {"result", said.value("result", Json())}};
    if (job.film && said.is_object() && said.contains("film")) return {{"kind", "film"}, {"film", said.at("film")}};
    if (said.is_object() && said.contains("errors")) return {{"kind", "compile"}, {"errors", said.at("errors")}};
    if (said.is_object() && said.contains("types")) return Json::object({{"kind", "types"}});
    if (said.is_object() && said.contains("failure"))
        return {{"kind", "failure"}, {"error", said.at("failure")}, {"message", said.at("message")}};
    const bool known = said.is_object() && said.contains("incident");
    return {{"kind", "wrong"},
            {"message", known ? sentenceOf(said.at("incident"), job, scratch.path()) : sentenceOf(run, job)}};
}

}  // namespace

int serve(const std::string& device) {
    sandbox::renouncePrivileges();
    try {
        try {
            std::optional<Apart> apart;
            if (!device.empty()) {
                apart.emplace(device);
                if (device != "cpu") gpu::loadTextCompiler();
                pollfd asked{STDIN_FILENO, POLLIN, 0};
                if (::poll(&asked, 1, static_cast<int>(std::chrono::milliseconds(kSpareLife).count())) == 0) return 0;
            }
            std::array<std::byte, kLengthBytes> length{};
            receive(length);
            std::string text(lengthOf(length), '\0');
            receive(std::as_writable_bytes(std::span(text)));
            send(answerOf(jobOf(Json::parse(text)), apart));
        } catch (const gpu::Error& error) {
            send({{"kind", "failure"}, {"error", static_cast<int>(error.kind())}, {"message", error.what()}});
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "warplens-worker: %s\n", error.what());
        return 4;
    }
}

}  // namespace warplens::worker
