// SPDX-License-Identifier: Apache-2.0
#include "app/worker/compile.hpp"

#include "app/sandbox/call_filter.hpp"
#include "app/sandbox/sandbox.hpp"
#include "app/worker/headers.hpp"
#include "app/worker/run.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/fnv.hpp"
#include "gpu/device/text_kernel.hpp"
#include "io/file.hpp"
#include "io/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <optional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens::worker {
namespace {

namespace fs = std::filesystem;
using gpu::Error;

/// What a compiler may take. A kernel of some hundred lines takes a second and a hundredth of the memory.
struct Bounds {
    std::uint64_t cpuSeconds = 15;  ///< of a file in the full form four times as much, which instantiates templates
    std::uint64_t memoryBytes = std::uint64_t{3} << 29;
    std::uint64_t fileBytes = std::uint64_t{64} << 20;
};
/// Of what it says more is read by nobody.
constexpr std::size_t kMostOutput = 256 * 1024;

struct Ended {
    std::string output{};
    int status = 0;  ///< as waitpid() has it
};

/// Runs `work` in a child, which it must end; what it writes to standard output and error comes back.
Ended inChild(const std::function<void()>& work, std::size_t most = kMostOutput) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(Error::Kind::internal, "warplens-worker: no pipe");
    io::UniqueFd ours(ends[0]), theirs(ends[1]);
    const pid_t child = ::fork();
    if (child < 0) throw Error(Error::Kind::internal, "warplens-worker: no process could be started");
    if (child == 0) {
        const io::UniqueFd nothing(::open("/dev/null", O_RDWR));
        ::dup2(nothing.get(), 0);
        ::dup2(theirs.get(), 1);
        ::dup2(theirs.get(), 2);
        work();
        ::_exit(127);
    }
    theirs.reset();
    Ended ended;
    std::array<char, 4096> buffer;
    for (;;) {
        const auto got = ::read(ours.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        if (ended.output.size() < most) ended.output.append(buffer.data(), static_cast<std::size_t>(got));
    }
    while (::waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
    }
    return ended;
}

/// Folders of compilers and of what they are linked to.
std::vector<fs::path> toolchain() {
    return {"/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache"};
}

void jail(const Bounds& bounds, std::vector<fs::path> readable, const fs::path& writable) {
    sandbox::renouncePrivileges();
    sandbox::bound(RLIMIT_CPU, bounds.cpuSeconds);
    sandbox::bound(RLIMIT_FSIZE, bounds.fileBytes);
    if (!sandbox::sanitized()) sandbox::bound(RLIMIT_AS, bounds.memoryBytes);
    const auto tools = toolchain();
    readable.insert(readable.end(), tools.begin(), tools.end());
    sandbox::restrictTo({.read = readable, .write = {writable}, .files = {"/dev/null"}});
    sandbox::filterCompilerCalls();
}

Ended execute(std::vector<std::string> command, const Bounds& bounds, const std::vector<fs::path>& readable,
              const fs::path& writable, std::size_t most = kMostOutput) {
    const auto work = [&] {
        jail(bounds, readable, writable);
        std::vector<char*> arguments;
        for (std::string& one : command) arguments.push_back(one.data());
        arguments.push_back(nullptr);
        std::string path = "PATH=/usr/local/bin:/usr/bin:/bin", language = "LC_ALL=C",
                    temporary = "TMPDIR=" + writable.string();
        std::array<char*, 4> environment{path.data(), language.data(), temporary.data(), nullptr};
        if (::chdir(writable.c_str()) == 0) ::execvpe(arguments[0], arguments.data(), environment.data());
    };
    return inChild(work, most);
}

std::string findCompiler() {
    if (const char* chosen = std::getenv("WARPLENS_CXX"); chosen != nullptr) return chosen;
    for (const char* path : {"/usr/local/bin/g++", "/usr/bin/g++"})
        if (::access(path, X_OK) == 0) return path;
    return {};
}

/// The flags of a kernel: hooks at every access, and lines. Optimised less than ours, as it compiles in a third.
std::vector<std::string> flags(const Job& job) {
    std::vector<std::string> all{"-std=c++20",
                                 "-O1",
                                 "-g1",
                                 "-fPIC",
                                 "-fno-stack-protector",
                                 "-fno-extern-tls-init",
                                 "-fsanitize=thread",
                                 "-fno-diagnostics-show-caret",
                                 "-fdiagnostics-color=never",
                                 "-fmax-errors=40",
                                 "-ftemplate-depth=200",
                                 "-w"};
#if defined(__x86_64__)
    all.emplace_back("-march=x86-64-v3");
#endif
    // A GPU has none; what is compiled with our own headers needs them.
    if (job.full.is_null()) all.emplace_back("-fno-exceptions");
    // A float4 is one access; the trace's own, which copies of ours are counted with, is by itself.
    all.emplace_back(job.counts && !job.full.is_null() ? "-DWARPLENS_VECTORS=\"gpu/trace/vectors.hpp\""
                                                       : "-fno-tree-sra");
    // As the trace's own (warplens_add_trace_unit).
    if (job.counts)
        all.insert(all.end(), {"-DWARPLENS_COUNTED", "-gdwarf-4", "-fsanitize-coverage=trace-pc",
                               "-fno-semantic-interposition", "-fno-var-tracking", "-fno-var-tracking-assignments",
                               "-fno-reorder-blocks", "-fno-thread-jumps", "-fno-optimize-sibling-calls"});
    return all;
}

fs::path cacheFolder() {
    if (const char* folder = std::getenv("XDG_CACHE_HOME"); folder != nullptr && *folder == '/')
        return fs::path(folder) / "warplens";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".cache" / "warplens";
    return {};
}

void write(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file) throw Error(Error::Kind::internal, path.string() + ": cannot be written");
}

/// What the compiler calls in each basic block is the kernel's own, so that its calls are found in its code.
constexpr const char* kBlockHook = R"hook(asm(R"x(.text
.globl __sanitizer_cov_trace_pc
.hidden __sanitizer_cov_trace_pc
.type __sanitizer_cov_trace_pc, @function
__sanitizer_cov_trace_pc: jmp *warplens_basic_block@GOTPCREL(%rip)
.size __sanitizer_cov_trace_pc, .-__sanitizer_cov_trace_pc
)x");
)hook";
/// The trace finds shared memory among what is the kernel's own.
constexpr const char* kOwnDynamicShared = R"(#include "gpu/device/simt/dynamic_shared.hpp"
thread_local float warplens::gpu::dynamicShared[warplens::gpu::simt::kMaxSharedBytes / sizeof(float)];
)";
constexpr const char* kPrologue = "warplens_prologue.hpp";
/// What is precompiled for a job.
const char* environmentOf(const Job& job) {
    return job.full.is_null() ? "gpu/user/environment.hpp" : "gpu/user/full_environment.hpp";
}
Bounds boundsOf(const Job& job) { return {.cpuSeconds = job.full.is_null() ? 15U : 60U}; }

/// Our headers and the precompiled one beside them, made by `compiler` in `folder`.
void prepare(const std::string& compiler, const fs::path& folder, const Job& job) {
    for (const Header& header : headers()) {
        const fs::path path = folder / header.path;
        fs::create_directories(path.parent_path());
        write(path, header.text);
    }
    std::vector<std::string> command{compiler, "-x", "c++-header"};
    for (const std::string& flag : flags(job)) command.push_back(flag);
    const std::string header = (folder / environmentOf(job)).string();
    command.insert(command.end(), {"-I", folder.string(), header, "-o", header + ".gch"});
    const Ended ended = execute(command, {.fileBytes = std::uint64_t{1} << 29}, {}, folder);
    if (ended.status != 0)
        throw Error(Error::Kind::unsupported, "the kernel's environment does not compile with " + compiler + " (" +
                                                  ended.output.substr(0, ended.output.find('\n')) +
                                                  "): install g++ 12 or newer");
}

/// The folder of the precompiled environment: kept between calls, and made where there is none yet.
fs::path environment(const std::string& compiler, const fs::path& scratch, const Job& job) {
    std::string key = compiler + environmentOf(job);
    std::error_code failed;
    key += std::to_string(fs::last_write_time(fs::canonical(compiler, failed), failed).time_since_epoch().count());
    for (const std::string& flag : flags(job)) key += flag + ' ';
    for (const Header& header : headers()) key += header.path + std::string(header.text);
    char name[40];
    std::snprintf(name, sizeof name, "environment-%016llx", static_cast<unsigned long long>(gpu::fnv1a(key)));
    fs::path kept = cacheFolder();
    if (!kept.empty()) kept /= name;
    if (!kept.empty() && fs::exists(kept / (environmentOf(job) + std::string(".gch")), failed)) return kept;
    fs::path made = scratch / name;
    if (!kept.empty()) {
        const fs::path beside = kept.string() + "." + std::to_string(::getpid());
        fs::create_directories(beside, failed);
        if (failed)
            kept.clear();  // where nothing can be kept it is made each time
        else
            made = beside;
    }
    if (kept.empty()) fs::create_directories(made);
    prepare(compiler, made, job);
    if (kept.empty()) return made;
    // Another process may have been faster; its own is as good.
    fs::rename(made, kept, failed);
    if (failed) fs::remove_all(made, failed);
    return kept;
}

/// "my.cuh:12: text" of a line "my.cuh:12:5: error: text" of g++ or "my.cuh(12): error: text" of NVRTC.
std::optional<std::string> errorOf(const std::string& line, const std::string& file) {
    for (const char* mark : {"fatal error: ", "error: ", "Error: ", "error   : "}) {
        const auto at = line.find(mark);
        if (at == std::string::npos) continue;
        const std::string text = line.substr(at + std::string(mark).size());
        if (!line.starts_with(file)) return text;
        const std::string number =
            line.substr(file.size() + 1, line.find_first_not_of("0123456789", file.size() + 1) - file.size() - 1);
        return file + ":" + number + ": " + text;
    }
    return std::nullopt;
}

std::vector<std::string> errorsOf(const Ended& ended, const Job& job, const char* compiler) {
    if (ended.status == 0) return {};
    std::vector<std::string> errors;
    std::string asked;  // "my.cuh:12: ", where the user's file asks for the template of ours that an error is in
    for (const auto one : io::split(ended.output, '\n')) {
        if (errors.size() == kMostErrors) break;
        const std::string line(one);
        if (asked.empty() && line.starts_with(job.file + ":") && line.find("  required from ") != std::string::npos)
            asked = line.substr(0, line.find(':', job.file.size() + 1)) + ": ";
        auto error = errorOf(line, job.file);
        if (!error) continue;
        if (!line.starts_with(job.file)) *error = asked + *error;
        asked.clear();
        if (std::ranges::find(errors, *error) == errors.end()) errors.push_back(std::move(*error));
    }
    const int signal = WIFSIGNALED(ended.status) ? WTERMSIG(ended.status) : 0;
    const auto says = [&](const char* word) { return ended.output.find(word) != std::string::npos; };
    if (signal == SIGKILL || signal == SIGXCPU || says("Killed") || says("CPU time limit"))
        errors = {job.file + ": " + compiler + " did not end within " + std::to_string(boundsOf(job).cpuSeconds) +
                  " s: a template or a constant without end"};
    else if (says("out of memory") || says("memory exhausted") || says("Memory allocation failure") ||
             says("File size limit") || says("file too large") || says("File too large"))
        errors = {job.file + ": " + compiler +
                  " would take more memory than it may, or write more than 64 MiB: too large a constant or a template "
                  "without end"};
    else if (signal != 0)
        errors = {job.file + ": " + compiler + " crashed (signal " + std::to_string(signal) +
                  "): too large a constant, or words that it does not expect"};
    else if (says("__dso_handle"))
        errors = {job.file + ": a global variable has a destructor, which a GPU cannot call"};
    if (errors.empty())
        errors.push_back(job.file + ": " + compiler +
                         " failed: " + ended.output.substr(0, std::min<std::size_t>(ended.output.find('\n'), 300)));
    return errors;
}

std::vector<std::string> compileForCpu(const Job& job, const fs::path& scratch) {
    const std::string compiler = findCompiler();
    if (compiler.empty())
        throw Error(
            Error::Kind::unsupported,
            "g++ was not found, which compiles a kernel of yours for the CPU, and launchers for a GPU: install g++");
    const fs::path ours = environment(compiler, scratch, job);
    // Under its own name, which lines are told by.
    write(scratch / kPrologue,
          job.prologue + (job.counts ? kBlockHook : "") + (job.counts && !job.full.is_null() ? kOwnDynamicShared : ""));
    write(scratch / job.file, job.text + "\n#line 1 \"launch\"\n" + job.caller);
    std::vector<std::string> command{compiler};
    for (const std::string& flag : flags(job)) command.push_back(flag);
    command.insert(command.end(), {"-I", ours.string(), "-include", (ours / environmentOf(job)).string(), "-include",
                                   kPrologue, "-x", "c++", "-c", job.file, "-o", "kernel.o"});
    auto errors = errorsOf(execute(command, boundsOf(job), {ours}, scratch), job, "g++");
    if (!errors.empty()) return errors;
    return errorsOf(
        execute({compiler, "-shared", "-nostdlib", "-Wl,-Bsymbolic", "kernel.o", "-o", kObject}, {}, {}, scratch), job,
        "g++");
}

std::vector<std::string> compileForGpu(const Job& job, const fs::path& scratch) {
    if (const std::string why = gpu::textRefusal(job.capability); !why.empty())
        throw Error(Error::Kind::unsupported, why);
    gpu::loadTextCompiler();
    const Ended ended = inChild([&] {
        // NVRTC maps more than g++ does, as it holds a code generator.
        jail({.memoryBytes = std::uint64_t{4} << 30}, {"/opt"}, scratch);
        try {
            const auto made = gpu::compileText(job.prologue + "#line 1 \"" + job.file + "\"\n" + job.text, job.kernel,
                                               job.capability);
            write(scratch / kCubin, made.code);
            write(scratch / kFunction, made.function);
            write(scratch / kPtx, made.ptx);
            ::_exit(0);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            std::fflush(stderr);
            ::_exit(1);
        }
    });
    return errorsOf(ended, job, "NVRTC");
}

/// WARPLENS_NVDISASM, on PATH, or where the toolkit puts it.
fs::path findDisassembler() {
    if (const char* chosen = std::getenv("WARPLENS_NVDISASM"); chosen != nullptr) return chosen;
    const char* path = std::getenv("PATH");
    const std::string folders = std::string(path == nullptr ? "" : path) + ":/usr/local/cuda/bin:/opt/cuda/bin";
    for (const auto folder : io::split(folders, ':')) {
        fs::path program = fs::path(std::string(folder)) / "nvdisasm";
        if (program.is_absolute() && ::access(program.c_str(), X_OK) == 0) return program;
    }
    return {};
}

}  // namespace

Disassembly disassemble(const fs::path& scratch) {
    constexpr std::size_t kMost = 16 << 20;
    const fs::path program = findDisassembler();
    if (program.empty() || ::access(program.c_str(), X_OK) != 0)
        return {.why =
                    "nvdisasm was not found, which writes SASS: install it (package cuda-nvdisasm of NVIDIA's CUDA "
                    "toolkit), or set WARPLENS_NVDISASM"};
    const auto ask = [&](std::vector<std::string> options) {
        options.insert(options.begin(), program.string());
        return execute(std::move(options), {.memoryBytes = std::uint64_t{4} << 30}, {program.parent_path()}, scratch,
                       kMost);
    };
    const Ended code = ask({"-gi", "-c", kCubin});
    if (code.status != 0)
        return {.why = program.string() + " failed (" + code.output.substr(0, code.output.find('\n')) +
                       "): install the nvdisasm of NVRTC's own version"};
    Disassembly made{.sass = code.output, .program = "nvdisasm"};
    if (const Ended counted = ask({"-c", "-lrm", "count", kCubin}); counted.status == 0)
        made.registers = counted.output;
    const std::string version = ask({"--version"}).output, mark = "release ";
    if (const auto at = version.find(mark); at != std::string::npos)
        made.program += ' ' + version.substr(at + mark.size(), version.find_first_of(",\n", at) - at - mark.size());
    return made;
}

std::vector<std::string> compile(const Job& job, const fs::path& scratch) {
    if (job.device == "cpu") return compileForCpu(job, scratch);
    if (job.full.is_null()) return compileForGpu(job, scratch);
    // Of a file in the full form these are the launchers; NVRTC compiles what they launch.
    if (const std::string why = gpu::textRefusal(job.capability); !why.empty())
        throw Error(Error::Kind::unsupported, why);
    return compileForCpu(job, scratch);
}

std::vector<std::string> errorsIn(const std::string& said, const Job& job, const char* compiler) {
    return errorsOf({said, 1}, job, compiler);
}

std::vector<std::string> linesOf(const Job& job, const std::vector<std::uint64_t>& places, const fs::path& scratch) {
    std::vector<std::string> lines;
    for (const std::uint64_t place : places) {
        lines.emplace_back();
        if (place == 0) continue;
        char address[24];
        std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(place));
        const Ended ended = execute({"addr2line", "-i", "-e", kObject, address}, {}, {}, scratch);
        // From what was inlined outwards to the kernel: the first one in its own file, or else in one of ours.
        std::string ours;
        for (const auto one : io::split(ended.output, '\n')) {
            const std::string whole(one.substr(0, one.find(' ')));
            if (whole.ends_with("?")) continue;
            if (const auto gpu = whole.find("/gpu/"); ours.empty() && gpu != std::string::npos)
                ours = whole.substr(gpu + 1);
            std::string text = fs::path(whole).filename().string();
            if (!text.starts_with(job.file + ":")) continue;
            lines.back() = std::move(text);
            break;
        }
        if (lines.back().empty()) lines.back() = ours;
    }
    return lines;
}

}  // namespace warplens::worker
