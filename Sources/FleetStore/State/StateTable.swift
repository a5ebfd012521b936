/// A table of the current state. Each has the column `fleet` first, which is not among the columns here.
package enum StateTable: String, CaseIterable, Hashable, Sendable {
    case scan, place, network, entry, record
    case hostName = "host_name"
    case notice, change, outage
    case quotaWindow = "quota_window"
    case endpointHealth = "endpoint_health"

    /// The name with the schema.
    var name: String { "iprecord.\(rawValue)" }

    /// The names of the columns, in their order.
    package var columnNames: [String] { columns.map(\.name) }

    var types: [String] { columns.map(\.type) }

    /// The number of columns, from the first one, that identify a row.
    private var keyCount: Int {
        switch self {
        case .scan, .place, .network, .entry, .record, .hostName, .outage: 1
        case .notice, .quotaWindow, .endpointHealth: 2
        case .change: 3
        }
    }

    var key: [String] { Array(columnNames.prefix(keyCount)) }

    /// The end of an INSERT statement that replaces existing rows. Rows that stay the same are not written.
    var replacement: String {
        let others = columnNames.dropFirst(keyCount)
        return """
            ON CONFLICT (fleet, \(key.joined(separator: ", "))) DO UPDATE
            SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            WHERE (\(others.map { "\(rawValue).\($0)" }.joined(separator: ", ")))
              IS DISTINCT FROM (\(others.map { "excluded.\($0)" }.joined(separator: ", ")))
            """
    }

    private var columns: [(name: String, type: String)] {
        switch self {
        case .scan:
            [
                ("id", "bigint"), ("provider", "text"), ("at", "bigint"), ("clock", "bigint"), ("term", "bigint"),
                ("version", "bigint"),
            ]
        case .place:
            [("id", "uuid")]
                + Self.texts(
                    "continent", "continent_code", "country", "country_code", "region", "region_name", "city",
                    "district", "timezone") + [("utc_offset", "bigint"), ("currency", "text")]
        case .network: [("id", "uuid")] + Self.texts("isp", "org", "as_text", "asname")
        case .entry:
            [
                ("id", "bigint"), ("address", "text"), ("watched", "boolean"), ("by_client", "boolean"),
                ("by_file", "bigint"), ("pinned", "boolean"), ("tags", "text"), ("note", "text"),
                ("changed_at", "bigint"),
            ] + Self.failure + [("omissions", "text"), ("watched_until", "bigint")]
        case .record:
            [
                ("id", "bigint"), ("scan", "bigint"), ("empty_reason", "text"), ("place", "uuid"), ("network", "uuid"),
                ("lat", "double precision"), ("lon", "double precision"), ("zip", "text"), ("reverse", "text"),
                ("mobile", "boolean"), ("proxy", "boolean"), ("hosting", "boolean"),
            ]
        case .hostName:
            [
                ("name", "text"), ("tags", "text"), ("note", "text"), ("answered_at", "bigint"), ("failure", "text"),
                ("failing_since", "bigint"), ("addresses", "text[]"),
            ]
        case .notice:
            [
                ("seq", "bigint"), ("position", "bigint"), ("at", "bigint"), ("kind", "text"), ("address", "text"),
                ("fields", "text"), ("message", "text"), ("user_id", "bigint"), ("name", "text"),
            ]
        case .change:
            [
                ("address", "text"), ("seq", "bigint"), ("position", "bigint"), ("at", "bigint"), ("fields", "text"),
            ]
        case .outage:
            [("since", "bigint"), ("until", "bigint"), ("message", "text"), ("deferred", "bigint")]
        case .quotaWindow:
            [
                ("provider", "text"), ("endpoint", "text"), ("quota", "bigint"), ("remaining", "bigint"),
                ("under_way", "bigint"), ("length", "bigint"), ("resets_at", "bigint"), ("resets_clock", "bigint"),
                ("resets_term", "bigint"), ("margin", "bigint"),
            ]
        case .endpointHealth:
            [
                ("provider", "text"), ("endpoint", "text"), ("state", "text"), ("since", "bigint"),
            ] + Self.failure + [
                ("retry_at", "bigint"), ("retry_clock", "bigint"), ("retry_term", "bigint"),
                ("from_retry_after", "boolean"),
            ]
        }
    }

    private static let failure = [
        ("failure_kind", "text"), ("failure_message", "text"), ("failure_attempts", "bigint"),
        ("failure_at", "bigint"), ("failure_clock", "bigint"), ("failure_term", "bigint"),
    ]

    private static func texts(_ names: String...) -> [(name: String, type: String)] { names.map { ($0, "text") } }
}
