// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's short vectors for traced kernels: copied whole, so that the compiler's hooks see one wide access and not one
// an element, as a GPU makes it.

namespace warplens::gpu::trace {

using Pair = float __attribute__((vector_size(8), may_alias));
using Quad = float __attribute__((vector_size(16), may_alias));

/// Through a value that the compiler cannot look into, or it would load the elements one by one again.
template <class V>
__attribute__((always_inline)) inline void copyWhole(void* to, const void* from) {
    V value = *static_cast<const V*>(from);
    asm volatile("" : "+x"(value));
    *static_cast<V*>(to) = value;
}

}  // namespace warplens::gpu::trace

struct alignas(8) float2 {
    float x, y;
    float2() = default;
    constexpr float2(float a, float b) : x(a), y(b) {}
    float2(const float2& other) { warplens::gpu::trace::copyWhole<warplens::gpu::trace::Pair>(this, &other); }
    float2& operator=(const float2& other) {
        warplens::gpu::trace::copyWhole<warplens::gpu::trace::Pair>(this, &other);
        return *this;
    }
};

struct alignas(16) float4 {
    float x, y, z, w;
    float4() = default;
    constexpr float4(float a, float b, float c, float d) : x(a), y(b), z(c), w(d) {}
    float4(const float4& other) { warplens::gpu::trace::copyWhole<warplens::gpu::trace::Quad>(this, &other); }
    float4& operator=(const float4& other) {
        warplens::gpu::trace::copyWhole<warplens::gpu::trace::Quad>(this, &other);
        return *this;
    }
};
