// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <exception>
#include <memory>
#include <utility>

namespace warplens::gui {

/// Why a job gave nothing: data, so that it can be shown, counted and tested like any other result.
struct JobFailure {
    enum class Kind { argument, file, device, cancelled, internal };
    Kind kind = Kind::internal;
    QString message;  ///< one line: what, where, what to do
};

/// Sorts an exception of io, gpu or the standard library into a failure.
JobFailure failureOf(const std::exception_ptr& error);

/// What a job delivers: a value, or why there is none.
template <class T>
class JobResult {
public:
    JobResult(T value) : m_value(std::make_unique<T>(std::move(value))) {}
    JobResult(JobFailure failure) : m_failure(std::move(failure)) {}

    explicit operator bool() const { return m_value != nullptr; }
    T& value() { return *m_value; }
    const T& value() const { return *m_value; }
    const JobFailure& failure() const { return m_failure; }
    bool cancelled() const { return m_value == nullptr && m_failure.kind == JobFailure::Kind::cancelled; }

private:
    std::unique_ptr<T> m_value;
    JobFailure m_failure;
};

/// The value of a job that only does something.
struct Done {};

}  // namespace warplens::gui
