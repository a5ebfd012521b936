/// Metrics as text for Prometheus.
package struct MetricsText: Sendable {
    package enum Format: Sendable {
        /// The text format of Prometheus, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats).
        case prometheus
        /// OpenMetrics 1.0 (prometheus.io/docs/specs/om/open_metrics_spec).
        case openMetrics

        /// The media type of the format.
        package var contentType: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    /// The lines, each with a line feed.
    package private(set) var text = ""

    /// - Parameter metrics: metrics without samples are left out.
    package init(_ metrics: [Interface.Metric], _ format: Format) {
        for metric in metrics where !metric.samples.isEmpty { add(metric, format) }
        if format == .openMetrics { text += "# EOF\n" }
    }

    private mutating func add(_ metric: Interface.Metric, _ format: Format) {
        var family = metric.name
        // In OpenMetrics, the suffix belongs to the samples of a counter, not to the name of the metric.
        if format == .openMetrics, metric.kind == .counter, family.hasSuffix(Self.counterSuffix) {
            family.removeLast(Self.counterSuffix.count)
        }
        text += "# HELP \(family) \(Self.escaped(metric.help, quotes: format == .openMetrics))\n"
        text += "# TYPE \(family) \(metric.kind.rawValue)\n"
        for sample in metric.samples {
            text += metric.name
            if let part = sample.part { text += "_\(part)" }
            let labels = sample.labels.sorted { $0.key < $1.key }
            if !labels.isEmpty {
                let pairs = labels.map { "\($0.key)=\"\(Self.escaped($0.value, quotes: true))\"" }
                text += "{\(pairs.joined(separator: ","))}"
            }
            text += " \(Self.number(sample.value))\n"
        }
    }

    private static let counterSuffix = "_total"

    private static func escaped(_ text: String, quotes: Bool) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return quotes ? escaped.replacing("\"", with: "\\\"") : escaped
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
