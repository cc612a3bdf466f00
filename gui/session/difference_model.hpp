// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/difference.hpp"
#include "gui/kit/derived.hpp"

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

namespace warplens::gui {

using gpu::Difference, gpu::DifferenceFigures, gpu::Metric, gpu::PixelPlace, gpu::Region, gpu::RegionShape;
using gpu::differenceOf, gpu::kMetrics, gpu::kRegions;

QString nameOf(Metric metric);  ///< "signed"
QString unitOf(Metric metric);  ///< " ulp" or empty
QString nameOf(Region region);  ///< "border pixels"
/// A figure of a difference: whole numbers whole, three digits otherwise, small ones with a power of ten.
QString figureText(double value);

/// Figures of all pixels that another device worked out, where the two pictures hold finite values alone.
struct ServedDifference {
    double rmse = 0, psnr = 0;     ///< dB; infinite when nothing differs
    double largest = 0, mean = 0;  ///< of the absolute difference
    QString by;                    ///< what computed them, and where
};

/// The difference of two results, computed on another thread whenever what it is made of changes.
class DifferenceModel : public QObject {
    Q_OBJECT
public:
    explicit DifferenceModel(QObject* parent = nullptr);

    using Pictures = std::pair<std::shared_ptr<const io::Grid>, std::shared_ptr<const io::Grid>>;
    /// Asked on another thread for figures that are there before the picture of the difference is; nothing: none.
    using Serve = std::function<std::optional<ServedDifference>(const Pictures& pictures, const std::stop_token& stop)>;
    void setServe(Serve serve) { m_serve = std::move(serve); }
    /// Null when there are none.
    const ServedDifference* served() const { return m_served ? &*m_served : nullptr; }

    /// Either null, or extents that do not agree: no difference. The same pictures change nothing.
    void setPictures(std::shared_ptr<const io::Grid> a, std::shared_ptr<const io::Grid> b, const RegionShape& regions);
    /// The same against the double reference.
    void setPictures(std::shared_ptr<const io::Grid> a, std::shared_ptr<const gpu::DoubleReference> exact,
                     const RegionShape& regions);
    /// Whether it is against the double reference.
    bool againstExact() const { return m_of.exact != nullptr; }
    void setMetric(Metric metric);
    void setRegion(Region region);
    Metric metric() const { return m_of.metric; }
    Region region() const { return m_of.region; }
    const RegionShape& regions() const { return m_of.regions; }
    /// Null while there is none, or while it is being computed anew.
    const Difference* difference() const { return m_difference.value(); }
    bool busy() const { return m_difference.busy(); }
    /// Half the width of a map centred at 0 that holds every finite difference.
    double scale() const;

signals:
    void changed();
    void failed(const QString& why);

private:
    /// What a difference is made of.
    struct Of {
        std::shared_ptr<const io::Grid> a, b;
        std::shared_ptr<const gpu::DoubleReference> exact;  ///< in place of b
        RegionShape regions;
        Metric metric = Metric::ulp;
        Region region = Region::all;
        bool operator==(const Of&) const = default;
    };
    void set(Of of);
    void tell();

    Of m_of;
    Serve m_serve;
    std::optional<ServedDifference> m_served;
    Derived<Of, Difference> m_difference{[this] { tell(); }};
};

}  // namespace warplens::gui
