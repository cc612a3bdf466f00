// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/cuda/nvrtc.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/fnv.hpp"
#include "gpu/device/cuda/kernel_sources.hpp"
#include "gpu/device/text_kernel.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <dlfcn.h>
#include <functional>

namespace warplens::gpu::cuda {
namespace {

/// The entry points used; types and values as nvrtc.h has them.
struct Library {
    using Program = void*;
    int (*version)(int*, int*) = nullptr;
    int (*countArchs)(int*) = nullptr;
    int (*archs)(int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*addName)(Program, const char*) = nullptr;
    int (*loweredName)(Program, const char*, const char**) = nullptr;
    int (*run)(Program, int, const char* const*) = nullptr;
    int (*cubinSize)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*ptxSize)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*logSize)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*setFlow)(Program, int (*)(void*, void*), void*) = nullptr;  ///< from version 13 on
    int major = 0, minor = 0;
    std::vector<int> supported{};  ///< capabilities

    bool found() const { return major > 0; }
};

void* open() {
    for (const char* folder : {"", "/usr/local/cuda/lib64/"}) {
        for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12"}) {
            void* const handle = dlopen((std::string(folder) + name).c_str(), RTLD_LAZY | RTLD_LOCAL);
            if (handle != nullptr) return handle;
        }
    }
    return nullptr;
}

Library load() {
    Library l;
    void* const handle = open();  // stays loaded
    if (handle == nullptr) return l;
    bool whole = true;
    const auto take = [&]<class F>(const char* name, F& function, bool needed = true) {
        function = reinterpret_cast<F>(dlsym(handle, name));
        whole = whole && (function != nullptr || !needed);
    };
    take("nvrtcVersion", l.version);
    take("nvrtcGetNumSupportedArchs", l.countArchs);
    take("nvrtcGetSupportedArchs", l.archs);
    take("nvrtcCreateProgram", l.create);
    take("nvrtcDestroyProgram", l.destroy);
    take("nvrtcAddNameExpression", l.addName);
    take("nvrtcGetLoweredName", l.loweredName);
    take("nvrtcCompileProgram", l.run);
    take("nvrtcGetCUBINSize", l.cubinSize);
    take("nvrtcGetCUBIN", l.cubin);
    take("nvrtcGetPTXSize", l.ptxSize);
    take("nvrtcGetPTX", l.ptx);
    take("nvrtcGetProgramLogSize", l.logSize);
    take("nvrtcGetProgramLog", l.log);
    take("nvrtcSetFlowCallback", l.setFlow, false);
    int count = 0;
    if (!whole || l.version(&l.major, &l.minor) != 0 || l.countArchs(&count) != 0) return {};
    l.supported.resize(static_cast<std::size_t>(count));
    if (l.archs(l.supported.data()) != 0) return {};
    return l;
}

const Library& library() {
    static const Library l = load();
    return l;
}

constexpr std::array<const char*, 3> kOptions = {"--std=c++20", "-default-device", "-DWARPLENS_BUILD=cuda_build"};

std::string architecture(int capability) { return "--gpu-architecture=sm_" + std::to_string(capability); }

/// All sources in one number.
std::uint64_t sourcesHash() {
    static const std::uint64_t hash = [] {
        std::string all;
        for (const KernelSource& source : kernelSources()) all += std::string(source.path) + '\0' + source.text + '\0';
        return fnv1a(all);
    }();
    return hash;
}

/// Headers that a student's file may name and NVRTC has no need of.
constexpr std::array<const char*, 6> kNamed = {"cmath", "math.h", "cassert", "assert.h", "cstdio", "stdio.h"};

/// A program of NVRTC's, destroyed with the object.
class Program {
public:
    explicit Program(const std::string& text) {
        std::vector<const char*> texts, paths;
        for (const KernelSource& source : kernelSources()) {
            paths.push_back(source.path);
            texts.push_back(source.text);
        }
        for (const char* name : kNamed) {
            if (std::ranges::find(paths, std::string_view(name)) != paths.end()) continue;
            paths.push_back(name);
            texts.push_back("");
        }
        check(library().create(&m_program, text.c_str(), "kernel.cu", static_cast<int>(paths.size()), texts.data(),
                               paths.data()),
              "a program");
    }
    ~Program() { library().destroy(&m_program); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    operator Library::Program() const { return m_program; }

    void check(int result, const std::string& what) const {
        if (result != 0)
            throw Error(Error::Kind::unsupported, "NVRTC " + nvrtcVersion() + " failed with code " +
                                                      std::to_string(result) + " at " + what +
                                                      ": the general kernel is used");
    }
    std::string lowered(const std::string& expression) const {
        const char* name = nullptr;
        check(library().loweredName(m_program, expression.c_str(), &name), "the name of " + expression);
        return name;
    }
    std::string log() const {
        std::size_t size = 0;
        if (library().logSize(m_program, &size) != 0 || size < 2) return {};
        std::string text(size, '\0');
        library().log(m_program, text.data());
        text.resize(size - 1);
        return text;
    }
    /// The log's first line that is no warning.
    std::string complaint() const {
        const std::string log = this->log();
        const std::size_t size = log.size();
        if (size == 0) return "no reason given";
        const std::size_t at = std::min(log.find("error"), size - 1);
        const std::size_t begin = log.rfind('\n', at) == std::string::npos ? 0 : log.rfind('\n', at) + 1;
        return log.substr(begin, log.find_first_of(std::string_view("\n\0", 2), at) - begin);
    }

private:
    Library::Program m_program = nullptr;
};

/// "0x1p+0f,-0x1.99999ap-4f,...": in hexadecimal floats have all of their bits.
std::string literalsOf(const std::vector<float>& values) {
    std::string text;
    char literal[32];
    for (const float value : values) {
        std::snprintf(literal, sizeof literal, "%s%af", text.empty() ? "" : ",", static_cast<double>(value));
        text += literal;
    }
    return text;
}

}  // namespace

std::string CompileRequest::source() const {
    const std::string define = weights.empty() ? "" : "#define WARPLENS_FILTER " + literalsOf(weights) + '\n';
    return define + "#include \"gpu/device/cuda/run_time_environment.cuh\"\n#include \"" + file + "\"\n";
}

std::string CompileRequest::key() const {
    std::string text = "nvrtc " + nvrtcVersion() + '\n' + architecture(capability) + '\n';
    for (const char* option : kOptions) text += std::string(option) + ' ';
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(sourcesHash()));
    text += std::string("\nsources ") + hash + '\n' + file + '\n' + expression + '\n';
    for (const std::string& name : constants) text += name + '\n';
    if (!weights.empty()) text += "weights " + literalsOf(weights) + '\n';
    return text;
}

std::string nvrtcVersion() {
    const Library& l = library();
    return l.found() ? std::to_string(l.major) + "." + std::to_string(l.minor) : std::string();
}

std::string nvrtcRefusal(int capability) {
    const Library& l = library();
    if (!l.found())
        return "NVRTC was not found: install it (package cuda-nvrtc of NVIDIA's CUDA toolkit 12 or 13, or Debian's "
               "libnvrtc12), or set LD_LIBRARY_PATH";
    if (capability == 0 || std::ranges::find(l.supported, capability) != l.supported.end()) return {};
    return "NVRTC " + nvrtcVersion() + " does not support compute capability " + std::to_string(capability / 10) + "." +
           std::to_string(capability % 10) + ": install a newer one";
}

CompiledKernel compile(const CompileRequest& request, std::stop_token stop) {
    if (const std::string why = nvrtcRefusal(request.capability); !why.empty())
        throw Error(Error::Kind::unsupported, why);
    const Library& l = library();
    const auto start = std::chrono::steady_clock::now();
    const Program program(request.source());
    program.check(l.addName(program, request.expression.c_str()), request.expression);
    for (const std::string& name : request.constants) program.check(l.addName(program, ('&' + name).c_str()), name);
    if (l.setFlow != nullptr)
        l.setFlow(
            program,
            [](void* token, void*) { return static_cast<const std::stop_token*>(token)->stop_requested() ? 1 : 0; },
            &stop);
    const std::string target = architecture(request.capability);
    std::vector<const char*> options(kOptions.begin(), kOptions.end());
    options.push_back(target.c_str());
    const int result = l.run(program, static_cast<int>(options.size()), options.data());
    if (stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
    if (result != 0) throw Error(Error::Kind::unsupported, "NVRTC " + nvrtcVersion() + ": " + program.complaint());

    CompiledKernel made;
    std::size_t size = 0;
    program.check(l.cubinSize(program, &size), "the size of the cubin");
    made.cubin.resize(size);
    program.check(l.cubin(program, made.cubin.data()), "the cubin");
    made.function = program.lowered(request.expression);
    for (const std::string& name : request.constants) made.constants.push_back(program.lowered('&' + name));
    made.compileMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return made;
}

}  // namespace warplens::gpu::cuda

namespace warplens::gpu {

std::string textRefusal(int capability) { return cuda::nvrtcRefusal(capability); }

void loadTextCompiler() {
    // The compiler would look for its second library by itself, and not find it then.
    Dl_info place{};
    if (cuda::library().found() && dladdr(reinterpret_cast<void*>(cuda::library().version), &place) != 0) {
        const std::string file = place.dli_fname;
        dlopen((file.substr(0, file.rfind('/') + 1) + "libnvrtc-builtins.so." + cuda::nvrtcVersion()).c_str(),
               RTLD_NOW | RTLD_LOCAL);
    }
}

CompiledText compileText(const std::string& text, const std::string& kernel, int capability,
                         const std::vector<std::string>& constants) {
    using namespace cuda;
    if (const std::string why = nvrtcRefusal(capability); !why.empty()) throw Error(Error::Kind::unsupported, why);
    const Library& l = library();
    const Program program(
        "#include \"gpu/device/cuda/run_time_environment.cuh\"\n"
        "#undef assert\n"
        "#define assert(condition) ((condition) ? void() : __trap())\n" +
        text);
    program.check(l.addName(program, kernel.c_str()), kernel);
    for (const std::string& name : constants) program.check(l.addName(program, ('&' + name).c_str()), name);
    const std::string target = architecture(capability);
    std::vector<const char*> options(kOptions.begin(), kOptions.end());
    options.insert(options.end(), {target.c_str(), "-lineinfo"});
    if (l.run(program, static_cast<int>(options.size()), options.data()) != 0)
        throw Error(Error::Kind::argument, program.log());
    CompiledText made;
    std::size_t size = 0;
    program.check(l.cubinSize(program, &size), "the size of the cubin");
    made.code.resize(size);
    program.check(l.cubin(program, made.code.data()), "the cubin");
    program.check(l.ptxSize(program, &size), "the size of the PTX");
    made.ptx.resize(size);
    program.check(l.ptx(program, made.ptx.data()), "the PTX");
    made.ptx.resize(made.ptx.find_last_not_of('\0') + 1);
    made.function = program.lowered(kernel);
    for (const std::string& name : constants) made.constants.push_back(program.lowered('&' + name));
    return made;
}

}  // namespace warplens::gpu
