// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/derived.hpp"

#include "gpu/core/error.hpp"

#include <QTest>
#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <thread>

namespace warplens::gui {
namespace {

/// Counts how often it was told of a change, and how often a job ran.
class DerivedTest : public testing::Test {
protected:
    using Text = Derived<int, std::string>;

    bool ask(int key) {
        return m_text->ask(key, [this, key](const JobContext&) {
            ++m_ran;
            return std::to_string(key);
        });
    }
    /// Its job works until it is asked to stop, and gives a value all the same.
    void askEndless(int key) {
        m_text->ask(key, [this](const JobContext& context) {
            m_entered = true;
            while (!context.stop().stop_requested()) std::this_thread::yield();
            m_ended = true;
            return std::string("too late");
        });
        ASSERT_TRUE(QTest::qWaitFor([this] { return m_entered.load(); }));
    }
    bool settle() {
        return QTest::qWaitFor([this] { return !m_text->busy(); });
    }
    std::string value() const { return m_text->value() == nullptr ? "none" : *m_text->value(); }

    int m_changes = 0;
    std::atomic<int> m_ran = 0;
    std::atomic<bool> m_entered = false, m_ended = false, m_go = false;
    std::unique_ptr<Text> m_text = std::make_unique<Text>([this] { ++m_changes; }, 2);
};

TEST_F(DerivedTest, AKeyIsAskedForOnce) {
    EXPECT_TRUE(ask(1));
    EXPECT_TRUE(m_text->busy());
    EXPECT_EQ(value(), "none");
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "1");
    EXPECT_EQ(m_changes, 1);
    EXPECT_FALSE(ask(1));
    EXPECT_FALSE(m_text->busy());
    EXPECT_EQ(m_ran, 1);
}

TEST_F(DerivedTest, WhatComesForAnEarlierKeyIsDropped) {
    askEndless(1);
    EXPECT_TRUE(ask(2));
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "2");
    EXPECT_EQ(m_changes, 1) << "the first job's result was taken as well";
    EXPECT_TRUE(ask(1)) << "a value that was dropped is not known";
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "1");
}

TEST_F(DerivedTest, TheLatestValueStaysWhileAnotherIsFound) {
    ask(1);
    ASSERT_TRUE(settle());
    askEndless(2);
    EXPECT_EQ(value(), "none");
    ASSERT_NE(m_text->latest(), nullptr);
    EXPECT_EQ(*m_text->latest(), "1");
}

TEST_F(DerivedTest, SaysWhyThereIsNoneUntilAnotherKeyHasOne) {
    ask(0);
    ASSERT_TRUE(settle());
    m_text->ask(1, [](const JobContext&) -> std::string { throw std::runtime_error("no such picture"); });
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "none");
    EXPECT_EQ(m_text->latest(), nullptr);
    EXPECT_EQ(m_text->problem(), "no such picture");
    EXPECT_FALSE(ask(1)) << "it would fail again";
    ask(2);
    EXPECT_TRUE(m_text->problem().isEmpty());
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "2");
}

TEST_F(DerivedTest, RemembersTheKeysAskedForLast) {
    for (const int key : {1, 2}) {
        ask(key);
        ASSERT_TRUE(settle());
    }
    EXPECT_TRUE(ask(1));
    EXPECT_FALSE(m_text->busy());
    EXPECT_EQ(value(), "1");
    EXPECT_EQ(m_ran, 2);
    ask(3);
    ASSERT_TRUE(settle());
    ask(2);  // asked for before 1 was again
    EXPECT_TRUE(m_text->busy());
    ASSERT_TRUE(settle());
    EXPECT_EQ(m_ran, 4);
}

TEST_F(DerivedTest, AHitEndsTheJobOfTheKeyBefore) {
    ask(1);
    ASSERT_TRUE(settle());
    askEndless(2);
    ask(1);
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_ended.load(); })) << "nobody asked it to stop";
    QCoreApplication::processEvents();
    EXPECT_EQ(value(), "1");
    EXPECT_EQ(m_changes, 1);
}

TEST_F(DerivedTest, ACancelledKeyIsAskedForAgain) {
    m_text->ask(1, [this](const JobContext& context) -> std::string {
        m_entered = true;
        while (!context.stop().stop_requested()) std::this_thread::yield();
        throw gpu::Error(gpu::Error::Kind::cancelled, "stopped");
    });
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_entered.load(); }));
    m_text->cancel();
    ASSERT_TRUE(settle());
    EXPECT_TRUE(m_text->problem().isEmpty());
    EXPECT_TRUE(ask(1));
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "1");
}

TEST_F(DerivedTest, ShowsWhatItHasSoFar) {
    m_text->ask(1, [this](const JobContext& context) {
        m_text->show(context, "half");
        while (!m_go && !context.stop().stop_requested()) std::this_thread::yield();
        return std::string("whole");
    });
    ASSERT_TRUE(QTest::qWaitFor([this] { return m_changes == 1; }));
    EXPECT_EQ(value(), "half");
    EXPECT_TRUE(m_text->busy());
    m_go = true;
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "whole");
}

TEST_F(DerivedTest, AKeyThatIsDroppedLeavesWhatIsKnown) {
    ask(1);
    ASSERT_TRUE(settle());
    askEndless(2);
    m_text->drop();
    EXPECT_FALSE(m_text->busy());
    EXPECT_EQ(value(), "none");
    EXPECT_TRUE(ask(1));
    EXPECT_EQ(value(), "1");
    EXPECT_EQ(m_ran, 1);
}

TEST_F(DerivedTest, ForgetsAndSaysWhy) {
    askEndless(1);
    m_text->forget("open a picture");
    EXPECT_FALSE(m_text->busy());
    EXPECT_EQ(m_text->problem(), "open a picture");
    EXPECT_EQ(m_text->latest(), nullptr);
    ask(2);
    ASSERT_TRUE(settle());
    EXPECT_EQ(value(), "2");
    EXPECT_EQ(m_changes, 1);
}

TEST_F(DerivedTest, EndsItsJobWhenItGoes) {
    askEndless(1);
    m_text.reset();  // waits for the job, which would not end by itself
    EXPECT_TRUE(m_ended);
    QCoreApplication::processEvents();
    EXPECT_EQ(m_changes, 0);
}

}  // namespace
}  // namespace warplens::gui
