// SPDX-License-Identifier: Apache-2.0
#include "gui/session/run_table_model.hpp"

#include "gpu/run/limit.hpp"
#include "gui/kit/plot/time_bars.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme/format.hpp"

#include <algorithm>
#include <utility>

namespace warplens::gui {

namespace {

using gpu::RunColumn;

const QString kNothing = QStringLiteral("–");

/// What is known of a row before it has run.
gpu::RunRecord withoutResult(const gpu::Variant& variant) {
    gpu::RunRecord record;
    record.variant = variant.id;
    record.kind = variant.kind;
    return record;
}

const RunColumn& columnAt(int column) { return gpu::runColumn(static_cast<RunColumn::Id>(column)); }

}  // namespace

void RunTableModel::expect(const std::vector<const gpu::Variant*>& variants, bool ranking,
                           std::set<std::string> yours) {
    beginResetModel();
    m_yours = std::move(yours);
    std::vector<Row> rows;
    for (const gpu::Variant* variant : variants) rows.push_back({variant, std::nullopt, std::nullopt});
    m_rows = std::move(rows);
    m_ranking = ranking;
    m_limits.reset();
    m_clocks.reset();
    m_recorded.reset();
    m_compared = false;
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

void RunTableModel::clearResults() {
    for (Row& row : m_rows) row = {row.variant, std::nullopt, std::nullopt};
    // Limit, clocks and recorded run belonged to the results that are gone.
    m_recorded.reset();
    m_compared = false;
    m_limits.reset();
    m_clocks.reset();
    touchAll();
}

void RunTableModel::clearResult(const std::string& id) {
    const int row = rowOf(id);
    if (row < 0) return;
    Row& cleared = m_rows[static_cast<std::size_t>(row)];
    cleared = {cleared.variant, std::nullopt, std::nullopt};
    m_compared = false;
    touchAll();
}

void RunTableModel::setStages(bool stages) {
    if (std::exchange(m_stages, stages) == stages) return;
    touchAll();
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

void RunTableModel::setDisplay(const std::string& id, double ms) {
    const int row = rowOf(id);
    if (row < 0) return;
    m_rows[static_cast<std::size_t>(row)].displayMs = ms;
    emit dataChanged(index(row, 0), index(row, kColumns - 1));
}

std::optional<double> RunTableModel::displayMs(const std::string& id) const {
    const int row = rowOf(id);
    return row < 0 ? std::nullopt : m_rows[static_cast<std::size_t>(row)].displayMs;
}

std::optional<gpu::Stages> RunTableModel::stagesOf(int row) const {
    if (time(row) == nullptr) return std::nullopt;
    const Row& at = m_rows[static_cast<std::size_t>(row)];
    return gpu::stagesOf(*at.record, at.displayMs);
}

void RunTableModel::setRecord(const gpu::RunRecord& record) {
    const int row = rowOf(record.id());
    if (row < 0) return;
    m_rows[static_cast<std::size_t>(row)].record = record;
    m_rows[static_cast<std::size_t>(row)].displayMs.reset();
    m_rows[static_cast<std::size_t>(row)].record->result.picture.reset();  // pictures belong to the panes
    if (record.id() == m_baseline)
        touchAll();
    else
        emit dataChanged(index(row, 0), index(row, kColumns - 1));
}

void RunTableModel::setContext(const std::optional<gpu::Limits>& limits, const gpu::Work& work,
                               const std::optional<gpu::ClockState>& clocks) {
    m_limits = limits;
    m_work = work;
    m_clocks = clocks;
    touchAll();
}

void RunTableModel::setRecorded(const std::optional<gpu::RecordedSource>& recorded) {
    m_recorded = recorded;
    touchAll();
    emit headerDataChanged(Qt::Horizontal, RunColumn::recorded, RunColumn::recorded);
}

void RunTableModel::setBaseline(const std::string& id) {
    if (m_baseline == id) return;
    m_baseline = id;
    touchAll();
    emit headerDataChanged(Qt::Horizontal, RunColumn::verdict, RunColumn::verdict);
}

void RunTableModel::touchAll() {
    if (!m_rows.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

const gpu::Variant* RunTableModel::variant(int row) const {
    return row >= 0 && row < rowCount() ? m_rows[static_cast<std::size_t>(row)].variant : nullptr;
}

const gpu::RunRecord* RunTableModel::record(int row) const {
    if (row < 0 || row >= rowCount()) return nullptr;
    const auto& record = m_rows[static_cast<std::size_t>(row)].record;
    return record ? &*record : nullptr;
}

int RunTableModel::rowOf(const std::string& id) const {
    const auto at = std::ranges::find_if(m_rows, [&](const Row& row) { return row.variant->id == id; });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

const gpu::Timing* RunTableModel::timeOf(const Row& row) const {
    if (!row.record || !row.record->time || stateOf(*row.record) != ResultState::verified) return nullptr;
    return &*row.record->time;
}

const gpu::Timing* RunTableModel::time(int row) const {
    return row >= 0 && row < rowCount() ? timeOf(m_rows[static_cast<std::size_t>(row)]) : nullptr;
}

const gpu::Timing* RunTableModel::recordedTime(int row) const {
    return m_recorded && record(row) != nullptr ? m_recorded->time(*record(row)) : nullptr;
}

std::optional<double> RunTableModel::limitMs() const {
    const double ms = m_ranking && m_limits ? gpu::memoryFloorMs(m_work, *m_limits) : 0;
    return ms > 0 ? std::optional(ms) : std::nullopt;
}

QString RunTableModel::limitFormula() const {
    switch (m_work.traffic) {
        case gpu::Traffic::copy: return tr("input once + output once at copy speed");
        case gpu::Traffic::read: return tr("input once at read-only speed");
        case gpu::Traffic::write: return tr("output once at write-only speed");
    }
    return {};
}

gpu::RunsBeside RunTableModel::beside() const {
    const int at = rowOf(m_baseline);
    return {.ranked = m_ranking,
            .baseline = time(at) != nullptr ? record(at) : nullptr,
            .baselineName = m_baseline,
            .recorded = m_recorded,
            .displayMs = [this](const gpu::RunRecord& run) { return displayMs(run.id()); }};
}

bool RunTableModel::applies(int column) const {
    const RunColumn& asked = columnAt(column);
    using Where = RunColumn::Where;
    if (m_stages && asked.where == Where::stages && asked.id != RunColumn::total)  // a stage there is not has no column
        return std::ranges::any_of(m_rows, [&](const Row& row) { return text(row, column).toString() != kNothing; });
    if (m_stages) return asked.id == RunColumn::variant || asked.id == RunColumn::total || asked.id == RunColumn::check;
    return asked.where != Where::tables && asked.where != Where::stages && gpu::applies(asked, beside());
}

bool RunTableModel::ofTimes(int column) const { return column >= 0 && columnAt(column).timed; }

std::optional<Origin> RunTableModel::origin(int column) const { return columnAt(column).origin; }

/// "NVIDIA H200, 21 Nov 2026, 8,192 × 8,192 f32"
static QString sourceText(const gpu::Report& from) {
    const io::Shape& shape = from.input.shape;
    const QString depth = shape.depth > 1 ? QStringLiteral(" × ") + format::integer(shape.depth) : QString();
    return QStringLiteral("%1, %2, %3 %4")
        .arg(QString::fromStdString(from.device.name), format::date(from.environment.date),
             format::extent(shape.width, shape.height) + depth, QString::fromStdString(from.input.type));
}

QString RunTableModel::recordedHelp() const {
    return tr("Median of the same launch, recorded: %1; never compared with the present run.")
        .arg(sourceText(m_recorded->report()));
}

QString RunTableModel::recordedLine() const {
    return m_recorded ? tr("Recorded: %1").arg(sourceText(m_recorded->report())) : QString();
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    const RunColumn& column = columnAt(section);
    const bool recorded = column.id == RunColumn::recorded && m_recorded;
    const auto title = [&] { return QString::fromStdString(gpu::titleOf(column, beside())); };
    switch (role) {
        case Qt::DecorationRole: return m_stages ? QVariant(stageIcon(column.id)) : QVariant();
        case kCellOriginRole: return column.origin ? QVariant(static_cast<int>(*column.origin)) : QVariant();
        case Qt::TextAlignmentRole:
            return QVariant(Qt::AlignVCenter | (column.id == RunColumn::variant ? Qt::AlignLeft : Qt::AlignRight));
        case Qt::DisplayRole: return title();
        case Qt::AccessibleTextRole:
            return column.origin ? title() + QStringLiteral(", ") + originName(*column.origin) : title();
        case Qt::StatusTipRole: return recorded ? recordedLine() : QVariant();
        case Qt::ToolTipRole: {
            QString help = recorded ? recordedHelp() : QString::fromStdString(gpu::helpOf(column, beside()));
            if (column.id == RunColumn::ofLimit) help += tr(" Such traffic: %1.").arg(limitFormula());
            return column.origin ? help + '\n' + originExplanation(*column.origin) : help;
        }
        default: return {};
    }
}

QString RunTableModel::reason(const Row& row) const {
    if (!row.record || row.record->status == gpu::Status::ok) return {};
    return QString::fromStdString(row.record->reason);
}

QVariant RunTableModel::text(const Row& row, int index) const {
    const RunColumn& column = columnAt(index);
    if (column.id == RunColumn::check && !row.record) return QString();
    const bool timed = column.timed || column.where == RunColumn::Where::stages;
    if (timed && timeOf(row) == nullptr) return kNothing;
    const gpu::RunRecord none = withoutResult(*row.variant);
    const std::string text = column.text(row.record ? *row.record : none, beside());
    return text.empty() ? kNothing : QString::fromStdString(text);
}

QVariant RunTableModel::sortKey(const Row& row, int index) const {
    const RunColumn& column = columnAt(index);
    if (column.id == RunColumn::variant) return QString::fromStdString(row.variant->id);
    const gpu::Timing* t = timeOf(row);
    // Another clock sorts after all that can be compared.
    if (column.timed && (t == nullptr || (m_ranking && t->clock != gpu::Clock::device))) return {};
    if (column.id == RunColumn::check && !row.record) return {};
    const gpu::RunRecord none = withoutResult(*row.variant);
    const RunColumn::Value value = column.value(row.record ? *row.record : none, beside());
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return QVariant::fromValue<qlonglong>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr ? QString::fromStdString(*text) : QVariant();
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return text(row, index.column());
        case Qt::ToolTipRole: return tooltip(row);
        case Qt::TextAlignmentRole:
            return QVariant(Qt::AlignVCenter | (index.column() == RunColumn::variant ? Qt::AlignLeft : Qt::AlignRight));
        case Qt::AccessibleTextRole:
            return headerData(index.column(), Qt::Horizontal).toString() + QStringLiteral(": ") +
                   text(row, index.column()).toString();
        case IdRole: return QString::fromStdString(row.variant->id);
        case IdeaRole: return static_cast<int>(row.variant->idea);
        case RunsOnRole:
            if (m_yours.contains(row.variant->id)) return tr("yours");
            switch (row.variant->kind) {
                case gpu::Variant::Kind::kernel: return QString();
                case gpu::Variant::Kind::library:
                    return row.variant->devices == gpu::Variant::Devices::cpu ? tr("CPU") : tr("GPU");
                case gpu::Variant::Kind::portable:
                    return row.variant->devices == gpu::Variant::Devices::opencl ? QStringLiteral("OpenCL")
                                                                                 : QStringLiteral("OpenACC");
            }
            return {};
        case StateRole: return row.record ? QVariant(static_cast<int>(stateOf(*row.record))) : QVariant();
        case ReasonRole: return reason(row);
        case SortRole: return sortKey(row, index.column());
        case RankedRole: return m_ranking;
        default: return {};
    }
}

RunSortProxy::RunSortProxy(RunTableModel* runs, QObject* parent) : QSortFilterProxyModel(parent), m_runs(runs) {
    setDynamicSortFilter(true);
    setSortRole(RunTableModel::SortRole);
    setSourceModel(runs);
    connect(runs, &QAbstractItemModel::modelReset, this, &RunSortProxy::followDevice);
    followDevice();
}

void RunSortProxy::followDevice() {
    const bool sorts = m_runs->ranking() || !m_runs->ofTimes(m_wanted);
    QSortFilterProxyModel::sort(sorts ? m_wanted : -1, m_order);
}

void RunSortProxy::sort(int column, Qt::SortOrder order) {
    m_wanted = column;
    m_order = order;
    followDevice();
}

int RunSortProxy::sourceRow(int row) const { return mapToSource(index(row, 0)).row(); }

int RunSortProxy::rowOf(const std::string& id) const {
    const int row = m_runs->rowOf(id);
    return row < 0 ? -1 : mapFromSource(m_runs->index(row, 0)).row();
}

bool RunSortProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(RunTableModel::SortRole), b = right.data(RunTableModel::SortRole);
    const bool ascending = sortOrder() == Qt::AscendingOrder;
    if (a.isValid() != b.isValid()) return ascending ? a.isValid() : b.isValid();
    if (!a.isValid()) return ascending ? left.row() < right.row() : left.row() > right.row();
    if (a.typeId() == QMetaType::QString) return a.toString() < b.toString();
    return a.toDouble() < b.toDouble();
}

QString RunSortProxy::tsv() const {
    const auto line = [this](auto&& cell) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            if (m_runs->applies(column)) cells << cell(column);
        return cells.join('\t');
    };
    QStringList lines{line([this](int column) { return headerData(column, Qt::Horizontal).toString(); })};
    for (int row = 0; row < rowCount(); ++row)
        lines << line([this, row](int column) { return index(row, column).data().toString(); });
    return lines.join('\n') + '\n';
}

}  // namespace warplens::gui
