// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every kernel of the family does with the values that it is for.

#include "gpu/families/elementwise/arguments.hpp"
#include "gpu/kernels/view.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::elementwise {
inline namespace WARPLENS_BUILD {

/// Keeps what is no number, as fminf and fmaxf do not.
__device__ inline float clamped(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

/// N values of one channel, whose operation is chosen once for all of them.
template <int N>
__device__ void evaluate(const Formula& f, float gain, const float (&x)[N], const float (&y)[N], float (&to)[N]) {
    const auto each = [&](auto of) {
#pragma unroll
        for (int k = 0; k < N; ++k) to[k] = of(x[k], y[k]) * f.scale;
    };
    using Op = Formula::Op;
    switch (f.op) {
        case Op::curve: return each([&](float v, float) { return clamped(fmaf(gain, v, f.b), f.low, f.high); });
        case Op::power:
            return each([&](float v, float) { return powf(clamped(fmaf(gain, v, f.b), f.low, f.high), f.exponent); });
        case Op::pieces:
            return each([&](float v, float) {
                const float t = clamped(fmaf(gain, v, f.b), f.low, f.high);
                int k = 0;
                while (k + 1 < f.pieces && t >= f.piece[k + 1].from) ++k;
                const auto& p = f.piece[k];
                const float d = t - p.from;
                return fmaf(d, fmaf(d, fmaf(d, p.cubic, p.square), p.slope), p.value);
            });
        case Op::above: return each([&](float v, float) { return v > f.level ? 1.0F : 0.0F; });
        case Op::absolute: return each([](float v, float) { return fabsf(v); });
        case Op::sum: return each([&](float v, float w) { return fmaf(gain, v, f.b * w); });
        case Op::product: return each([&](float v, float w) { return gain * v * w; });
        case Op::quotient:
            return each([&](float v, float w) { return f.zeroByZero && w == 0 ? 0.0F : gain * (v / w); });
        case Op::minimum: return each([](float v, float w) { return v < w || v != v ? v : w; });
        case Op::maximum: return each([](float v, float w) { return v > w || v != v ? v : w; });
        case Op::difference: return each([](float v, float w) { return fabsf(v - w); });
        default: return each([](float v, float) { return v; });  // a mix is of pixels, and what is picked stays
    }
}

/// What a kernel of T works on.
template <class T>
struct Values {
    const T* in;
    const T* with;  ///< null where there is one picture
    void* out;
    Case of;

    __device__ void store(std::size_t i, float value) const {
        switch (of.outputType) {
            case io::PixelType::u8: static_cast<std::uint8_t*>(out)[i] = Target::toByte(value); break;
            case io::PixelType::u16: static_cast<std::uint16_t*>(out)[i] = Target::toWord(value); break;
            default: static_cast<float*>(out)[i] = value; break;
        }
    }
    __device__ bool mixes() const { return of.formula.op == Formula::Op::mix; }
    __device__ bool picks() const { return of.formula.op == Formula::Op::pick; }
    /// The channel that is picked for channel c of the result.
    __device__ const T* plane(int c) const {
        const int from = of.formula.plane[c];
        return from < 4 ? in + from * of.pixels : with + (from - 4) * of.pixels;
    }
    __device__ int channel(std::size_t i) const { return of.alike ? 0 : static_cast<int>(i / of.pixels); }
    /// N values of a channel, an alpha that is kept among them.
    template <int N>
    __device__ void results(int c, const float (&x)[N], const float (&y)[N], float (&to)[N]) const {
        if (c < of.worked) return evaluate(of.formula, of.formula.a[c < 3 ? c : 0], x, y, to);
#pragma unroll
        for (int k = 0; k < N; ++k) to[k] = x[k] * of.formula.keep;
    }
    /// Red, green or blue of a mixed pixel.
    __device__ float mixed(int c, float red, float green, float blue) const {
        const float(&w)[3] = of.formula.weights[c];
        return fmaf(w[0], red, fmaf(w[1], green, w[2] * blue)) * of.formula.scale;
    }

    /// Computes value i, or pixel i of a mix.
    __device__ void compute(std::size_t i) const {
        if (mixes()) {
            const float red = in[i], green = in[of.pixels + i], blue = in[2 * of.pixels + i];
            for (int c = 0; c < of.outputs && c < 3; ++c) store(c * of.pixels + i, mixed(c, red, green, blue));
            if (of.outputs == 4) store(3 * of.pixels + i, in[3 * of.pixels + i] * of.formula.keep);
            return;
        }
        if (picks()) {
            const std::size_t c = i / of.pixels;
            return store(i, static_cast<float>(plane(static_cast<int>(c))[i - c * of.pixels]) * of.formula.keep);
        }
        const float x[1] = {static_cast<float>(in[i])}, y[1] = {with != nullptr ? static_cast<float>(with[i]) : 0};
        float to[1];
        results(channel(i), x, y, to);
        store(i, to[0]);
    }
};

/// Calls f(Values<T>) for the picture's type: three instances a kernel.
template <class F>
void dispatch(LaunchContext& c, const Arguments& a, F f) {
    io::withSampleType(a.type, [&]<class T>(T) {
        f(Values<T>{static_cast<const T*>(c.address(a.input)),
                    a.pair ? static_cast<const T*>(c.address(a.with)) : nullptr, c.address(a.output), a});
    });
}

/// Blocks along the values, so many for each.
inline dim3 blocksFor(std::size_t count, std::size_t aBlock) {
    return dim3(static_cast<unsigned>((count + aBlock - 1) / aBlock));
}
inline dim3 rowOf(const TunableValues& t) { return dim3(static_cast<unsigned>(t.at("block_width"))); }

/// A block whose threads take so many values each, in a row.
inline Footprint alongValues(int threads, int values) {
    return {
        .blockWidth = threads, .blockHeight = 1, .tileWidth = threads * values, .tileHeight = 1, .order = Order::rows};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::elementwise
