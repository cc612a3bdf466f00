// SPDX-License-Identifier: Apache-2.0
#include "gpu/user/starting_file.hpp"

#include "gpu/core/error.hpp"
#include "gpu/user/bind.hpp"

#include <algorithm>
#include <map>

namespace warplens::gpu::user {
namespace {

constexpr std::size_t kLineEnds = 72;

constexpr const char* kCopy = R"(__global__ void my_kernel(const pixel_t* in, result_t* out, int width,
                          int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = in[y * width + x];
}
)";

/// Where the result has other extents.
constexpr const char* kCopyCorner =
    R"(__global__ void my_kernel(const pixel_t* in, result_t* out, int width,
                          int height, int output_width, int output_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= output_width || y >= output_height) return;
    out[y * output_width + x] = x < width && y < height ? in[y * width + x] : 0;
}
)";

/// Words in comment lines.
std::string wrapped(const std::string& words) {
    std::string text, line = "//";
    std::size_t at = 0;
    while (at < words.size()) {
        const auto end = std::min(words.find(' ', at), words.size());
        if (line.size() + 1 + end - at > kLineEnds) {
            text += line + "\n";
            line = "//";
        }
        line += " " + words.substr(at, end - at);
        at = end + 1;
    }
    return text + line + "\n";
}

/// How launches follow each other.
std::string repeatWords(const PlainRepeat& repeat) {
    std::string words =
        "It is launched until " +
        (repeat.quiet > 1 ? std::to_string(repeat.quiet) + " launches in a row leave"
                          : std::string("a launch leaves")) +
        " *changed at 0, at most " + std::to_string(repeat.most) +
        " times; step counts launches from 1 on. With from, which has what the launch before made, a launch writes all "
        "of out; without it out stays what it was. Without changed there is one launch.";
    if (repeat.frontier)
        words +=
            " With frontier the grid is a row of frontier_size threads: what the launch before wrote to next, *changed "
            "values of it.";
    return words;
}

}  // namespace

const PlainKernels& plainKernelsOf(const Family& family, const Problem& problem) {
    if (const PlainKernels* plain = problem.plainKernels()) return *plain;
    throw Error(
        Error::Kind::unsupported,
        family.id() + " takes no kernels on plain pointers: begin with a copy of one of its variants (kernel --from)");
}

std::string startingFile(const Family& family, const Problem& problem, const ParameterValues& values, Start start) {
    const PlainTask task = plainKernelsOf(family, problem).plainTask();
    if (!task.refusal.empty())
        throw Error(Error::Kind::unsupported, "a kernel on plain pointers cannot do it: " + task.refusal);
    std::string numbers;
    std::map<std::string, std::string> pointers;  // by type
    for (const Offered& one : offeredNames(task, family.parameters(), values)) {
        std::string& names = one.pointer.empty() ? numbers : pointers[one.pointer];
        names += (names.empty() ? "" : ", ") + one.name;
    }
    std::string offered = "numbers: " + numbers;
    for (const auto& [type, names] : pointers) offered += "; " + type + ": " + names;
    const bool plain = start == Start::plain && !task.plain.empty();
    const bool sameSize = task.width == task.outputWidth && task.height == task.outputHeight;
    return std::string(plain ? "// A thread computes one value, from global memory alone.\n"
                             : "// Say here what the idea is.\n") +
           "// tunable block_width = 32 (8, 16, 32, 64)\n"
           "// tunable block_height = 8 (1, 2, 4, 8, 16)\n"
           "//\n" +
           wrapped("A parameter is given by its name. in (const pixel_t*, " +
                   std::string(typeNameOf(task.input->type())) + " here), out (result_t*, " +
                   typeNameOf(task.outputType) + " here); " + offered + ".") +
           (task.repeat ? "//\n" + wrapped(repeatWords(*task.repeat)) : std::string()) + "\n" +
           (plain      ? task.plain
            : sameSize ? kCopy
                       : kCopyCorner);
}

}  // namespace warplens::gpu::user
