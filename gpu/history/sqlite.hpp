// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

/// SQLite as the history uses it: errors are exceptions, and everything is closed by itself.
namespace warplens::gpu::history::sqlite {

class Failure : public std::runtime_error {
public:
    Failure(int code, const std::string& message) : std::runtime_error(message), m_code(code) {}
    /// Of a file that SQLite can read and that is wrong all the same.
    static Failure damage(const std::string& message);
    /// Whether the file is no database, a broken one, or one with other tables.
    bool damaged() const;
    /// Whether another program kept it locked for longer than one waits.
    bool busy() const;

private:
    int m_code;
};

class Database {
public:
    /// Closed.
    Database() = default;
    /// Opens the file, which must be there; waits up to five seconds for other programs. Throws Failure.
    explicit Database(const std::filesystem::path& path);
    /// Runs statements that return nothing.
    void run(const char* sql) const;
    /// The one number of a one-line answer, such as that of a PRAGMA; 0 when there is none.
    std::int64_t number(const char* sql) const;
    /// Of the last insertion.
    std::int64_t lastId() const;
    /// Rows that the last statement changed.
    int changes() const;
    sqlite3* handle() const { return m_handle.get(); }

private:
    struct Close {
        void operator()(sqlite3* handle) const;
    };
    std::unique_ptr<sqlite3, Close> m_handle;
};

/// A statement with its values in place of question marks. Texts and bytes that are bound must outlive it.
class Statement {
public:
    Statement(const Database& database, std::string_view sql);

    template <class... Values>
    Statement& with(const Values&... values) {
        (bind(values), ...);
        return *this;
    }
    /// Goes to the next row of the answer; false when there is none, which ends a statement without answer.
    bool step();

    /// Columns of the row, counted from 0; empty or 0 for NULL.
    std::string text(int column) const;
    std::int64_t number(int column) const;
    double real(int column) const;
    std::span<const unsigned char> bytes(int column) const;

private:
    void bind(std::int64_t value);
    void bind(double value);
    void bind(const std::string& value);
    void bind(std::span<const unsigned char> value);
    void check(int code) const;

    struct Finish {
        void operator()(sqlite3_stmt* handle) const;
    };
    sqlite3* m_database;
    std::unique_ptr<sqlite3_stmt, Finish> m_handle;
    int m_bound = 0;
};

/// Writes all or nothing: without commit() everything is taken back.
class Transaction {
public:
    explicit Transaction(const Database& database);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

private:
    const Database& m_database;
    bool m_open = true;
};

}  // namespace warplens::gpu::history::sqlite
