// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/image_verifier.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace warplens::gpu {
namespace {

std::string nineDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

bool sameClass(double got, double exact) {
    if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got);
    return got == exact;  // both infinite, same sign
}

}  // namespace

ImageVerifier::ImageVerifier(const io::Grid& output)
    : m_output(&output), m_told(ReferenceWitness::of(output)), m_integer(output.type() != io::PixelType::f32) {
    io::withType(output.type(), [this]<class T>(T) {
        m_bottom = static_cast<double>(std::numeric_limits<T>::lowest());
        m_top = static_cast<double>(std::numeric_limits<T>::max());
    });
}

void ImageVerifier::kept(const Place& place, int channel, double before) {
    ++m_checked;
    if (m_told != nullptr) m_told->set(place, channel, before);
    const double got = m_output->value(place[0], place[1], place[2], channel);
    if (!sameClass(got, before)) fail(place, channel, got, before);
}

void ImageVerifier::computed(const Place& place, int channel, double exact, double bound) {
    ++m_checked;
    const double got = m_output->value(place[0], place[1], place[2], channel);
    // Saturation is part of the definition; the unrounded value is what an integer must be near.
    const double target = m_integer && std::isfinite(exact) ? std::clamp(exact, m_bottom, m_top) : exact;
    if (m_told != nullptr) m_told->set(place, channel, target);
    if (!std::isfinite(exact)) {
        if (!m_integer && !sameClass(got, exact)) fail(place, channel, got, exact);
        return;
    }
    if (m_integer) bound += 0.5;
    const double error = std::fabs(got - target);
    if (error > m_worst) {
        m_worst = m_found.maxAbsError = error;
        m_found.bound = bound;
    }
    // Written so that NaN fails.
    if (!(error <= bound)) fail(place, channel, got, exact);
}

void ImageVerifier::join(const ImageVerifier& later) {
    m_checked += later.m_checked;
    if (m_found.mismatches == 0) m_found.firstMismatch = later.m_found.firstMismatch;
    m_found.mismatches += later.m_found.mismatches;
    if (later.m_worst <= m_worst) return;
    m_worst = m_found.maxAbsError = later.m_worst;
    m_found.bound = later.m_found.bound;
}

Verification ImageVerifier::result() const {
    Verification result = m_found;
    result.checkedShare = static_cast<double>(m_checked) / static_cast<double>(m_output->shape().values());
    return result;
}

void ImageVerifier::fail(const Place& place, int channel, double got, double exact) {
    if (m_found.mismatches++ > 0) return;
    m_found.firstMismatch = "x " + std::to_string(place[0]) + " y " + std::to_string(place[1]) +
                            (m_output->shape().depth > 1 ? " z " + std::to_string(place[2]) : "") + " channel " +
                            std::to_string(channel) + ": " + nineDigits(got) + " instead of " + nineDigits(exact);
}

}  // namespace warplens::gpu
