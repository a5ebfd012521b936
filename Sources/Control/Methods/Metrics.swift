package import Varlink

/// The method `Metrics`: the figures of the daemon for Prometheus.
package enum Metrics {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = []
        package init() {}
        package init(_: CallMembers) {}
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var metrics: [Interface.Metric]

        package init(metrics: [Interface.Metric]) {
            self.metrics = metrics
        }
    }
}

extension Interface {
    /// A metric, in the sense of Prometheus (prometheus.io/docs/concepts/metric_types).
    package struct Metric: Codable, Hashable, Sendable {
        package enum Kind: String, Codable, Hashable, Sendable {
            case counter, gauge, histogram
        }

        package var name: String
        package var kind: Kind
        /// What the metric means, in one sentence.
        package var help: String
        package var samples: [Sample]
    }

    /// A value of a metric.
    package struct Sample: Codable, Hashable, Sendable {
        package var labels: [String: String]
        /// `bucket`, `sum` or `count` for a sample of a histogram, otherwise nil.
        package var part: String?
        package var value: Double

        package init(_ value: Double, part: String? = nil, labels: [String: String] = [:]) {
            self.labels = labels
            self.part = part
            self.value = value
        }
    }

    /// The state of the daemon's process, from proc(5).
    package struct Process: Hashable, Sendable {
        /// User and system time in seconds.
        package var cpuSeconds: Double
        package var residentBytes: Double
        package var virtualBytes: Double
        package var openDescriptors: Double
        package var maxDescriptors: Double

        package init(
            cpuSeconds: Double, residentBytes: Double, virtualBytes: Double, openDescriptors: Double,
            maxDescriptors: Double
        ) {
            self.cpuSeconds = cpuSeconds
            self.residentBytes = residentBytes
            self.virtualBytes = virtualBytes
            self.openDescriptors = openDescriptors
            self.maxDescriptors = maxDescriptors
        }
    }
}
