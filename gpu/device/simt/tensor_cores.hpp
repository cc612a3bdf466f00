// SPDX-License-Identifier: Apache-2.0
#pragma once

// A warp's matrix product on the SIMT device: what the lanes hold is exchanged, then each computes its own four values.
// And f16 by its bits, which not every compiler has as a type.

namespace warplens::gpu::simt {

/// The nearest f16, ties to even, as its bits; infinite from 65,520 on. `value` is no NaN.
inline unsigned toF16(float value) {
    const unsigned bits = static_cast<unsigned>(toBits(value)), sign = bits >> 16 & 0x8000U,
                   magnitude = bits & 0x7fffffffU;
    if (magnitude >= 0x477ff000U) return sign | 0x7c00U;
    if (magnitude < 0x38800000U) return sign | static_cast<unsigned>(std::nearbyint(std::fabs(value) * 0x1p24F));
    return sign | (magnitude + 0xfffU + (magnitude >> 13 & 1U) - 0x38000000U) >> 13;
}

/// A finite f16's value: its exponent is moved by a multiplication, which serves small values as well.
inline float ofF16(unsigned bits) {
    return fromBits<float>((bits & 0x7fffU) << 13) * 0x1p112F * ((bits & 0x8000U) != 0 ? -1.0F : 1.0F);
}

/// A bf16's value.
inline float ofBf16(unsigned bits) { return fromBits<float>(bits << 16); }

/// gpu/kernels/tensor_cores.cuh says who holds what. Products are exact in single precision; they are added in the
/// order of k.
template <float Decode(unsigned)>
WARPLENS_INTRINSIC void multiplyAdd(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2], const float (&c)[4],
                                    const char* file, int line) {
    WARPLENS_UNRECORDED;
    WARPLENS_RECORD_MATRIX_OPERATIONS(16 * 8 * 16 * 2 / 32);
    // Rows g and g + 8, each with its k in order, then a column; of each four lanes one has two neighbours of each
    // half.
    float own[kMatrixValues];
    const auto decode = [&own](unsigned at, unsigned pair) {
        own[at] = Decode(pair & 0xffffU);
        own[at + 1] = Decode(pair >> 16);
    };
    for (unsigned half = 0; half < 2; ++half) {
        for (unsigned row = 0; row < 2; ++row) decode(4 * row + 2 * half, a[2 * half + row]);
        decode(8 + 2 * half, b[half]);
    }
    const Exchange& all = warpExchange(0xffffffffU, own, file, line);
    const unsigned lane = laneOf(), g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < 4; ++i) {
        float sum = c[i];
        for (unsigned half = 0; half < 2; ++half) {
            for (unsigned quad = 0; quad < 4; ++quad) {
                const float* const row = all.matrix[4 * g + quad] + 4 * (i / 2) + 2 * half;
                const float* const column = all.matrix[4 * (2 * t + i % 2) + quad] + 8 + 2 * half;
                sum += row[0] * column[0];
                sum += row[1] * column[1];
            }
        }
        d[i] = sum;
    }
}
WARPLENS_INTRINSIC void multiplyAddBf16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                                        const float (&c)[4], WARPLENS_HERE) {
    multiplyAdd<ofBf16>(d, a, b, c, file, line);
}
WARPLENS_INTRINSIC void multiplyAddF16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                                       const float (&c)[4], WARPLENS_HERE) {
    multiplyAdd<ofF16>(d, a, b, c, file, line);
}

}  // namespace warplens::gpu::simt
