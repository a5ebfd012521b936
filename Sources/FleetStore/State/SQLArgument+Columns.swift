import RecordKeeping

extension SQLArgument {
    /// The three columns of an instant: wall clock, CLOCK_BOOTTIME and the term whose leader has these clocks.
    static func of(_ instant: Instant?, term: Int64) -> [SQLArgument] {
        [
            .integer(instant?.wall.milliseconds), .integer(instant?.boot.nanoseconds),
            .integer(instant == nil ? nil : term),
        ]
    }

    /// The six columns of a failure: kind, message, attempts, and its instant.
    static func of(_ failure: Failure?, term: Int64) -> [SQLArgument] {
        [
            .storedText(failure?.kind.rawValue), .storedText(failure?.message),
            .integer(failure.map { Int64($0.attempts) }),
        ] + of(failure?.at, term: term)
    }

    /// The value of a record's field.
    static func of(_ field: RecordKeeping.Record.Field, _ record: RecordKeeping.Record?) -> SQLArgument {
        switch record?[field] {
        case .text(let text): .storedText(text)
        case .number(let number): .integer(Int64(number))
        case .degrees(let degrees): .degrees(degrees)
        case .flag(let flag): .bool(flag)
        case nil: .storedText(nil)
        }
    }
}
