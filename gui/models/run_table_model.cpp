// SPDX-License-Identifier: Apache-2.0
#include "gui/models/run_table_model.hpp"

#include "gui/theme/exponent.hpp"
#include "gui/theme/format.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

const QString kNothing = QStringLiteral("–");

QString orNothing(bool there, const QString& text) { return there ? text : kNothing; }

}  // namespace

void RunTableModel::expect(const std::vector<const gpu::Variant*>& variants, bool ranking) {
    beginResetModel();
    std::vector<Row> rows;
    for (const gpu::Variant* variant : variants) rows.push_back({variant, std::nullopt});
    m_rows = std::move(rows);
    m_ranking = ranking;
    m_limits.reset();
    m_clocks.reset();
    m_recorded = nullptr;
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, 0, kColumns - 1);
}

void RunTableModel::clearResults() {
    for (Row& row : m_rows) row.record.reset();
    // Limit, clocks and recorded run belonged to the results that are gone.
    m_recorded = nullptr;
    m_limits.reset();
    m_clocks.reset();
    touchAll();
}

void RunTableModel::setRecord(const gpu::RunRecord& record) {
    const int row = rowOf(record.variant);
    if (row < 0) return;
    m_rows[static_cast<std::size_t>(row)].record = record;
    m_rows[static_cast<std::size_t>(row)].record->result.picture.reset();  // pictures belong to the panes
    if (record.variant == m_baseline)
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

void RunTableModel::setRecorded(const gpu::Report* report) {
    if (m_recorded == report) return;
    m_recorded = report;
    touchAll();
    emit headerDataChanged(Qt::Horizontal, Recorded, Recorded);
}

const gpu::Timing* RunTableModel::recordedTime(const Row& row) const {
    if (m_recorded == nullptr) return nullptr;
    const auto run = std::ranges::find_if(m_recorded->runs,
                                          [&](const gpu::ReportRun& r) { return r.record.variant == row.variant->id; });
    if (run == m_recorded->runs.end() || run->record.status != gpu::Status::ok || !run->record.time) return nullptr;
    return run->record.time->clock == gpu::Clock::cudaEvent ? &*run->record.time : nullptr;
}

void RunTableModel::setBaseline(const std::string& id) {
    if (m_baseline == id) return;
    m_baseline = id;
    touchAll();
    emit headerDataChanged(Qt::Horizontal, Against, Against);
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

bool RunTableModel::hasResults() const {
    return std::ranges::any_of(m_rows, [](const Row& row) { return row.record.has_value(); });
}

const gpu::Timing* RunTableModel::timeOf(const Row& row) const {
    if (!row.record || !row.record->time || stateOf(*row.record) != ResultState::verified) return nullptr;
    return &*row.record->time;
}

const gpu::Timing* RunTableModel::time(int row) const {
    return row >= 0 && row < rowCount() ? timeOf(m_rows[static_cast<std::size_t>(row)]) : nullptr;
}

std::optional<double> RunTableModel::limitMs() const {
    const double bytes = static_cast<double>(m_work.bytesRead + m_work.bytesWritten);
    const double limit = m_limits ? gpu::limitOf(*m_limits, m_work.traffic) : 0;
    if (!m_ranking || limit <= 0 || bytes <= 0) return std::nullopt;
    return bytes / (limit * 1e6);
}

QString RunTableModel::limitFormula() const {
    switch (m_work.traffic) {
        case gpu::Traffic::copy: return tr("input once + output once at copy speed");
        case gpu::Traffic::read: return tr("input once at read-only speed");
        case gpu::Traffic::write: return tr("output once at write-only speed");
    }
    return {};
}

bool RunTableModel::applies(int column) const {
    switch (column) {
        case Against:
        case Bandwidth:
        case OfLimit:
        case Registers:
        case Occupancy: return m_ranking;
        case MaxError: return !m_ranking;
        case Recorded: return m_recorded != nullptr;
        default: return true;
    }
}

std::optional<Origin> RunTableModel::origin(int column) const {
    switch (column) {
        case Median:
        case Quartiles:
        case Bandwidth:
        case OfLimit: return Origin::measured;
        case Registers:
        case Shared:
        case Occupancy: return Origin::reported;
        case MaxError: return Origin::counted;
        case Recorded: return Origin::recorded;
        default: return std::nullopt;
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
    const auto from = origin(section);
    if (role == CellOriginRole) return from ? QVariant(static_cast<int>(*from)) : QVariant();
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole &&
        (role != Qt::StatusTipRole || section != Recorded))
        return {};
    QString title, help;
    switch (section) {
        case Name: title = tr("Variant"); break;
        case Median:
            title = m_ranking ? tr("Median ms") : tr("CPU ms");
            help =
                m_ranking
                    ? tr("Kernel alone, median of all samples.")
                    : tr("Median on the CPU. CPU times rank nothing: they order the variants differently from a GPU.");
            break;
        case Quartiles:
            title = tr("Quartiles ms");
            help = tr("A quarter of the samples lies below, a quarter above.");
            break;
        case Against:
            title =
                m_baseline.empty() ? tr("Against baseline") : tr("Against %1").arg(QString::fromStdString(m_baseline));
            help = tr("Same when the 95 % intervals of the medians overlap; only within one clock.");
            break;
        case Bandwidth:
            title = tr("GB/s");
            help = tr("Minimal bytes, input once and output once, over the median.");
            break;
        case OfLimit:
            title = tr("Of limit");
            help = tr("GB/s over the speed measured on this device: %1.").arg(limitFormula());
            break;
        case Registers:
            title = tr("Regs");
            help = tr("Registers a thread.");
            break;
        case Shared:
            title = tr("Shared");
            help = tr("Shared memory a block.");
            break;
        case Occupancy:
            title = tr("Occup.");
            help = tr("Resident warps over the most there can be.");
            break;
        case MaxError:
            title = tr("Max error");
            help = tr("Largest difference from the double-precision reference.");
            break;
        case Recorded:
            title = m_recorded == nullptr
                        ? tr("Recorded ms")
                        : tr("%1 ms").arg(
                              QString::fromStdString(m_recorded->device.name).remove(QStringLiteral("NVIDIA ")));
            if (m_recorded != nullptr && role == Qt::StatusTipRole)
                return tr("Recorded: %1, %2, %3 %4")
                    .arg(QString::fromStdString(m_recorded->device.name), format::date(m_recorded->environment.date),
                         format::extent(m_recorded->input.shape.width, m_recorded->input.shape.height),
                         QString::fromStdString(m_recorded->input.type));
            if (m_recorded != nullptr)
                help =
                    tr("Median on an %1, recorded on %2 for %3 × %4 %5; never compared with the present run.")
                        .arg(QString::fromStdString(m_recorded->device.name),
                             format::date(m_recorded->environment.date), format::integer(m_recorded->input.shape.width),
                             format::integer(m_recorded->input.shape.height),
                             QString::fromStdString(m_recorded->input.type));
            break;
        case Check:
            title = tr("Check");
            help = tr("Whether every checked value lies within the bound.");
            break;
        default: break;
    }
    if (role == Qt::AccessibleTextRole) return from ? title + QStringLiteral(", ") + originName(*from) : title;
    if (role == Qt::DisplayRole) return title;
    return from ? help + '\n' + originExplanation(*from) : help;
}

QString RunTableModel::reason(const Row& row) const {
    if (!row.record || row.record->status == gpu::Status::ok) return {};
    return QString::fromStdString(row.record->reason);
}

QString RunTableModel::verdict(const Row& row, std::optional<double>& ratio) const {
    const int at = rowOf(m_baseline);
    const gpu::Timing* baseline = time(at);
    const gpu::Timing* own = timeOf(row);
    if (!m_ranking || own == nullptr) return kNothing;
    if (row.variant->id == m_baseline) return tr("baseline");
    if (baseline == nullptr) return kNothing;
    if (own->clock != baseline->clock) return tr("other clock");
    const gpu::Verdict verdict = gpu::judge(*own, *baseline);
    if (verdict == gpu::Verdict::faster || verdict == gpu::Verdict::slower) ratio = baseline->medianMs / own->medianMs;
    return QString::fromUtf8(gpu::nameOf(verdict));
}

QVariant RunTableModel::text(const Row& row, int column) const {
    if (column == Name) return QString::fromStdString(row.variant->id);
    if (column == Recorded) {
        const gpu::Timing* then = recordedTime(row);
        return orNothing(then != nullptr, then != nullptr ? format::milliseconds(then->medianMs) : QString());
    }
    if (!row.record) return column == Check ? QString() : kNothing;
    const gpu::RunRecord& record = *row.record;
    const gpu::Timing* t = timeOf(row);
    const gpu::LaunchFacts* launch = record.launch ? &*record.launch : nullptr;
    switch (column) {
        case Median: return orNothing(t != nullptr, t != nullptr ? format::milliseconds(t->medianMs) : QString());
        case Quartiles:
            if (t == nullptr || t->samples < 2) return kNothing;
            return format::milliseconds(t->q1Ms) + QStringLiteral(" – ") + format::milliseconds(t->q3Ms);
        case Against: {
            std::optional<double> ratio;
            const QString word = verdict(row, ratio);
            return ratio ? word + ' ' + format::ratio(*ratio) : word;
        }
        case Bandwidth:
            return t != nullptr && record.bandwidthGbs ? format::significant(*record.bandwidthGbs) : kNothing;
        case OfLimit:
            return t != nullptr && record.percentOfLimit ? format::percent(*record.percentOfLimit / 100) : kNothing;
        case Registers:
            return launch != nullptr && launch->registers > 0 ? format::integer(launch->registers) : kNothing;
        case Shared: return launch != nullptr ? format::bytes(launch->sharedBytes) : kNothing;
        case Occupancy:
            return launch != nullptr && launch->occupancy > 0 ? format::percent(launch->occupancy) : kNothing;
        case MaxError: return record.verification ? format::compact(record.verification->maxAbsError) : kNothing;
        case Check: return stateName(stateOf(record));
        default: return {};
    }
}

QVariant RunTableModel::sortKey(const Row& row, int column) const {
    if (column == Name) return QString::fromStdString(row.variant->id);
    if (column == Recorded) {
        const gpu::Timing* then = recordedTime(row);
        return then != nullptr ? QVariant(then->medianMs) : QVariant();
    }
    if (!row.record) return {};
    const gpu::RunRecord& record = *row.record;
    const gpu::Timing* t = timeOf(row);
    const gpu::LaunchFacts* launch = record.launch ? &*record.launch : nullptr;
    const auto number = [](bool there, double value) { return there ? QVariant(value) : QVariant(); };
    switch (column) {
        case Check: return static_cast<int>(record.status);
        case MaxError:
            return number(record.verification.has_value(), record.verification ? record.verification->maxAbsError : 0);
        case Bandwidth: return number(t != nullptr && record.bandwidthGbs, record.bandwidthGbs.value_or(0));
        case OfLimit: return number(t != nullptr && record.percentOfLimit, record.percentOfLimit.value_or(0));
        case Registers: return number(launch != nullptr, launch != nullptr ? launch->registers : 0);
        case Shared: return number(launch != nullptr, launch != nullptr ? static_cast<double>(launch->sharedBytes) : 0);
        case Occupancy: return number(launch != nullptr, launch != nullptr ? launch->occupancy : 0);
        default: {
            // Another clock sorts after all that can be compared.
            const bool comparable = t != nullptr && (!m_ranking || t->clock == gpu::Clock::cudaEvent);
            return number(comparable, t != nullptr ? t->medianMs : 0);
        }
    }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole: return text(row, index.column());
        case Qt::ToolTipRole: return tooltip(row);
        case Qt::TextAlignmentRole:
            return QVariant(Qt::AlignVCenter | (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight));
        case Qt::AccessibleTextRole:
            return headerData(index.column(), Qt::Horizontal).toString() + QStringLiteral(": ") +
                   text(row, index.column()).toString();
        case IdRole: return QString::fromStdString(row.variant->id);
        case IdeaRole: return static_cast<int>(row.variant->idea);
        case RunsOnRole:
            if (row.variant->kind != gpu::Variant::Kind::library) return QString();
            return row.variant->devices == "cpu" ? tr("CPU") : tr("GPU");
        case StateRole: return row.record ? QVariant(static_cast<int>(stateOf(*row.record))) : QVariant();
        case ReasonRole: return reason(row);
        case SortRole: return sortKey(row, index.column());
        case VerdictRole: {
            std::optional<double> ratio;
            return verdict(row, ratio);
        }
        case RankedRole: return m_ranking;
        default: return {};
    }
}

}  // namespace warplens::gui
