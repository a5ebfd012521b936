import JSON

/// The parameters of a call, of the types that methods declare. A null parameter counts as missing.
package struct CallMembers: Sendable {
    private enum Value: Sendable {
        case null
        case text(String)
        case texts([String])
        case number(Int64)
        /// Not empty, unlike `texts`.
        case numbers([Int64])
        case flag(Bool)
        /// The members of an object. Objects in it are `other`.
        indirect case members(CallMembers)
        /// A value of another type, or a number or string that no Swift value represents.
        case other
    }

    private var members: [String: Value] = [:]

    /// The names of all parameters, including null ones.
    private var names: some Sequence<String> { members.keys }

    init() {}

    /// Reads an object. If a member occurs several times, the first one counts.
    init(_ scanner: inout JSONScanner) throws(JSONError) {
        try self.init(&scanner, isNested: false)
    }

    private init(_ scanner: inout JSONScanner, isNested: Bool) throws(JSONError) {
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            let value = try Self.value(&scanner, isNested: isNested)
            let key = scanner.string(of: name)
            if members[key] == nil { members[key] = value }
        }
    }

    /// - Parameter isNested: whether the value belongs to an object within the parameters.
    private static func value(_ scanner: inout JSONScanner, isNested: Bool) throws(JSONError) -> Value {
        switch try scanner.kind() {
        case .null:
            try scanner.null()
            return .null
        case .bool: return .flag(try scanner.bool())
        case .number: return try scanner.number().int64.map { .number($0) } ?? .other
        case .string: return try text(&scanner).map { .text($0) } ?? .other
        case .array: return try array(&scanner)
        case .object:
            guard isNested else { return .members(try CallMembers(&scanner, isNested: true)) }
            try scanner.skip()
            return .other
        }
    }

    private static func text(_ scanner: inout JSONScanner) throws(JSONError) -> String? {
        let text = try scanner.string()
        return text.isValid ? scanner.string(of: text) : nil
    }

    /// Reads an array, which is `other` unless it consists of strings or of integers.
    private static func array(_ scanner: inout JSONScanner) throws(JSONError) -> Value {
        var (texts, numbers): ([String]?, [Int64]?) = ([], [])
        try scanner.beginArray()
        while try scanner.nextElement() {
            switch try scanner.kind() {
            case .string where texts != nil:
                numbers = nil
                if let text = try text(&scanner) { texts?.append(text) } else { texts = nil }
            case .number where numbers != nil:
                texts = nil
                if let number = try scanner.number().int64 { numbers?.append(number) } else { numbers = nil }
            default:
                (texts, numbers) = (nil, nil)
                try scanner.skip()
            }
        }
        return texts.map { .texts($0) } ?? numbers.map { .numbers($0) } ?? .other
    }

    // MARK: Parameters

    // Each function returns nil for a missing parameter, and throws `invalidParameter` for one of another type.

    package func text(_ name: String) throws(ServiceError) -> String? {
        try parameter(name) { if case .text(let text) = $0 { text } else { nil } }
    }

    package func texts(_ name: String) throws(ServiceError) -> [String]? {
        try parameter(name) { if case .texts(let texts) = $0 { texts } else { nil } }
    }

    package func number(_ name: String) throws(ServiceError) -> Int64? {
        try parameter(name) { if case .number(let number) = $0 { number } else { nil } }
    }

    package func numbers(_ name: String) throws(ServiceError) -> [Int64]? {
        try parameter(name) { value in
            switch value {
            case .numbers(let numbers): numbers
            case .texts([]): []
            default: nil
            }
        }
    }

    package func flag(_ name: String) throws(ServiceError) -> Bool? {
        try parameter(name) { if case .flag(let flag) = $0 { flag } else { nil } }
    }

    /// Returns the members of an object.
    ///
    /// - Parameter known: the names that the object may have; any other is an invalid parameter.
    package func members(_ name: String, known: Set<String>) throws(ServiceError) -> CallMembers? {
        let members: CallMembers? = try parameter(name) { if case .members(let members) = $0 { members } else { nil } }
        try members?.requireNames(in: known)
        return members
    }

    /// - Throws: `invalidParameter` with the first unknown name.
    func requireNames(in known: Set<String>) throws(ServiceError) {
        if let unknown = names.filter({ !known.contains($0) }).min() { throw .invalidParameter(unknown) }
    }

    /// Reads a parameter with one of the functions above; throws `invalidParameter` if it is missing.
    package func required<Parameter>(
        _ name: String, _ read: (String) throws(ServiceError) -> Parameter?
    ) throws(ServiceError) -> Parameter {
        guard let parameter = try read(name) else { throw .invalidParameter(name) }
        return parameter
    }

    /// - Parameter read: returns nil for a value of another type.
    private func parameter<Parameter>(
        _ name: String, _ read: (Value) -> Parameter?
    ) throws(ServiceError) -> Parameter? {
        guard let value = members[name] else { return nil }
        if case .null = value { return nil }
        guard let parameter = read(value) else { throw .invalidParameter(name) }
        return parameter
    }
}
