import RecordKeeping

/// The error for an invalid fault as text. The description explains what is wrong and what is valid.
package struct FaultTextError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

extension Fault: CustomStringConvertible {
    /// The faults without an argument.
    private static let plain: [(name: String, fault: Fault)] = [
        ("status429", .status429), ("forbidden", .forbidden), ("redirect", .redirect), ("html", .html),
        ("notJSON", .notJSON), ("emptyBody", .emptyBody), ("hang", .hang), ("reset", .reset),
        ("truncated", .truncated), ("endlessBody", .endlessBody), ("wrongOrder", .wrongOrder),
        ("missingElement", .missingElement), ("extraElement", .extraElement),
        ("duplicateElement", .duplicateElement), ("changedRecord", .changedRecord),
        ("numbersAsStrings", .numbersAsStrings), ("nullFields", .nullFields),
    ]

    /// All names, each followed by its argument if it has one.
    package static let names =
        plain.map(\.name) + [
            "status5xx=CODE", "missingElements=COUNT", "unavailable=DURATION", "slow=DURATION", "drip=DURATION",
        ]

    /// Parses `name` or `name=argument`. The default is 503 for `status5xx`, 10 for `missingElements`, one minute for
    /// `unavailable`, one second for `slow`, and 100 ms for `drip`.
    package init(_ text: String) throws(FaultTextError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let argument = parts.count == 2 ? parts[1] : nil
        switch parts[0] {
        case "status5xx":
            let code = argument.map { Int($0) } ?? 503
            guard let code, (500...599).contains(code) else {
                throw FaultTextError(description: "status5xx: expected a status from 500 to 599")
            }
            self = .status5xx(code)
        case "missingElements":
            let count = argument.map { Int($0) } ?? 10
            guard let count, (1...Limits.addressesPerBatch).contains(count) else {
                throw FaultTextError(
                    description: "missingElements: expected a whole number from 1 to \(Limits.addressesPerBatch)")
            }
            self = .missingElements(count)
        case "unavailable":
            self = .unavailable(try Self.duration(argument ?? "60s"))
        case "slow":
            self = .slow(try Self.duration(argument ?? "1s"))
        case "drip":
            self = .drip(try Self.duration(argument ?? "100ms"))
        case let name:
            guard let fault = Self.plain.first(where: { $0.name == name })?.fault else {
                let all = Self.names.joined(separator: ", ")
                throw FaultTextError(description: "unknown fault \"\(name.prefix(40))\"; expected one of: \(all)")
            }
            guard argument == nil else { throw FaultTextError(description: "\(name) does not accept an argument") }
            self = fault
        }
    }

    package var description: String {
        switch self {
        case .status5xx(let code): "status5xx=\(code)"
        case .missingElements(let count): "missingElements=\(count)"
        case .unavailable(let time): "unavailable=\(time.components.seconds)s"
        case .slow(let time): "slow=\(time.wholeMilliseconds)ms"
        case .drip(let time): "drip=\(time.wholeMilliseconds)ms"
        default: Self.plain.first { $0.fault == self }?.name ?? "unnamed"
        }
    }

    private static func duration(_ text: String) throws(FaultTextError) -> Duration {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        // The maximum is one day in milliseconds, far beyond any test.
        guard let number = Int(digits), number <= 86_400_000 else {
            throw FaultTextError(description: "expected a duration in ms or s, such as 250ms")
        }
        switch text.dropFirst(digits.count) {
        case "ms": return .milliseconds(number)
        case "s", "": return .seconds(number)
        default: throw FaultTextError(description: "expected a duration in ms or s, such as 250ms")
        }
    }
}
