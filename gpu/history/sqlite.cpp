// SPDX-License-Identifier: Apache-2.0
#include "gpu/history/sqlite.hpp"

#include <sqlite3.h>

namespace warplens::gpu::history::sqlite {

namespace {

constexpr int kPatienceMs = 5000;

[[noreturn]] void fail(sqlite3* handle, int code) {
    const bool told = handle != nullptr && sqlite3_errcode(handle) == (code & 0xff);
    throw Failure(code, told ? sqlite3_errmsg(handle) : sqlite3_errstr(code));
}

}  // namespace

Failure Failure::damage(const std::string& message) { return {SQLITE_CORRUPT, message}; }

bool Failure::damaged() const {
    const int kind = m_code & 0xff;
    // Our statements are right: an error in one comes from a file that has other tables, or another format.
    return kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB || kind == SQLITE_ERROR;
}

bool Failure::busy() const {
    const int kind = m_code & 0xff;
    return kind == SQLITE_BUSY || kind == SQLITE_LOCKED;
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close(handle); }

Database::Database(const std::filesystem::path& path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE, nullptr);
    m_handle.reset(opened);
    if (code != SQLITE_OK) fail(opened, code);
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, kPatienceMs);
}

void Database::run(const char* sql) const {
    const int code = sqlite3_exec(m_handle.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(m_handle.get(), code);
}

std::int64_t Database::number(const char* sql) const {
    Statement statement(*this, sql);
    return statement.step() ? statement.number(0) : 0;
}

std::int64_t Database::lastId() const { return sqlite3_last_insert_rowid(m_handle.get()); }
int Database::changes() const { return sqlite3_changes(m_handle.get()); }

void Statement::Finish::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

Statement::Statement(const Database& database, std::string_view sql) : m_database(database.handle()) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v2(m_database, sql.data(), static_cast<int>(sql.size()), &made, nullptr);
    m_handle.reset(made);
    check(code);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) fail(m_database, code);
}

// A destructor of nullptr stands for values that outlive the statement.
void Statement::bind(std::int64_t value) { check(sqlite3_bind_int64(m_handle.get(), ++m_bound, value)); }
void Statement::bind(double value) { check(sqlite3_bind_double(m_handle.get(), ++m_bound, value)); }
void Statement::bind(const std::string& value) {
    check(sqlite3_bind_text64(m_handle.get(), ++m_bound, value.data(), value.size(), nullptr, SQLITE_UTF8));
}
void Statement::bind(std::span<const unsigned char> value) {
    check(sqlite3_bind_blob64(m_handle.get(), ++m_bound, value.data(), value.size(), nullptr));
}

bool Statement::step() {
    const int code = sqlite3_step(m_handle.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail(m_database, code);
    return code == SQLITE_ROW;
}

std::string Statement::text(int column) const {
    const unsigned char* first = sqlite3_column_text(m_handle.get(), column);
    if (first == nullptr) return "";
    return {first, first + sqlite3_column_bytes(m_handle.get(), column)};
}

std::int64_t Statement::number(int column) const { return sqlite3_column_int64(m_handle.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(m_handle.get(), column); }

std::span<const unsigned char> Statement::bytes(int column) const {
    const auto* first = static_cast<const unsigned char*>(sqlite3_column_blob(m_handle.get(), column));
    return {first, static_cast<std::size_t>(first == nullptr ? 0 : sqlite3_column_bytes(m_handle.get(), column))};
}

Transaction::Transaction(const Database& database) : m_database(database) {
    // The right to write from the start: a reader that became a writer could be refused half way.
    m_database.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
    if (m_open) sqlite3_exec(m_database.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
    m_database.run("COMMIT");
    m_open = false;
}

}  // namespace warplens::gpu::history::sqlite
