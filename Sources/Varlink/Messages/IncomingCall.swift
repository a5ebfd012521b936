import JSON

/// A call that the server has received.
package struct IncomingCall: Sendable {
    /// The full name, such as "io.iprecord.Control.Show".
    package let method: String
    /// Whether the client accepts several replies.
    package let wantsMore: Bool
    /// Whether the client expects no reply.
    package let isOneway: Bool
    /// Whether the client wants to use the connection for another protocol after the reply.
    package let wantsUpgrade: Bool
    /// Nil if the parameters are not an object, or have too many values.
    private let members: CallMembers?
    /// Whether the message has more values than the limit. If so, its parameters are skipped.
    package let hasTooManyValues: Bool

    /// The members of a message. If a member occurs several times, the first one counts.
    private struct Envelope {
        var method: String?
        /// The members `more`, `oneway` and `upgrade`; nil if they are null.
        var flags: [String: Bool?] = [:]
        var members: CallMembers?
        var hasParameters = false
        /// The number of values and names of the parameters.
        var parameterParts = 0
    }

    /// - Parameter maxValues: the maximum number of values and names. If a message has more, its parameters are
    ///   skipped.
    /// - Throws: `noCall` if the message is not a call, or exceeds `maxValues` outside its parameters.
    init(message: ArraySlice<UInt8>, maxValues: Int = .max) throws(ConversationError) {
        var envelope = Envelope()
        let parts: Int
        do {
            var scanner = JSONScanner(message.span.bytes)
            try Self.read(&scanner, into: &envelope, maxValues: maxValues)
            try scanner.end()
            parts = scanner.parts
        } catch {
            throw .noCall
        }
        guard let method = envelope.method, parts - envelope.parameterParts <= maxValues else { throw .noCall }
        self.method = method
        wantsMore = (envelope.flags["more"] ?? nil) ?? false
        isOneway = (envelope.flags["oneway"] ?? nil) ?? false
        wantsUpgrade = (envelope.flags["upgrade"] ?? nil) ?? false
        hasTooManyValues = parts > maxValues
        members = hasTooManyValues ? nil : envelope.hasParameters ? envelope.members : CallMembers()
    }

    private struct WrongType: Error {}

    private static func read(_ scanner: inout JSONScanner, into envelope: inout Envelope, maxValues: Int) throws {
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            guard name.isValid else { throw WrongType() }
            switch scanner.string(of: name) {
            case "method" where envelope.method == nil:
                let method = try scanner.string()
                guard method.isValid else { throw WrongType() }
                envelope.method = scanner.string(of: method)
            case let flag where ["more", "oneway", "upgrade"].contains(flag) && envelope.flags[flag] == nil:
                if try scanner.kind() == .null {
                    try scanner.null()
                    envelope.flags.updateValue(nil, forKey: flag)
                } else {
                    envelope.flags[flag] = try scanner.bool()
                }
            case "parameters" where !envelope.hasParameters:
                let before = scanner.parts
                envelope.hasParameters = true
                switch try scanner.kind() {
                case .object: envelope.members = try CallMembers(&scanner, maxParts: maxValues)
                case .null:
                    try scanner.null()
                    envelope.members = CallMembers()
                default: try scanner.skip()
                }
                envelope.parameterParts = scanner.parts - before
            default: try scanner.skip()
            }
        }
    }

    /// The interface of the method: everything before the last dot.
    package var interface: Substring { lastDot.map { method[..<$0] } ?? "" }

    /// The method's name without its interface.
    package var name: Substring { lastDot.map { method[method.utf8.index(after: $0)...] } ?? method[...] }

    private var lastDot: String.Index? { method.utf8.lastIndex(of: UInt8(ascii: ".")) }

    /// Returns the parameters as the type that the method declares. Unknown names and wrong types are errors.
    ///
    /// - Throws: `invalidParameter` with the name of an invalid parameter, or "parameters" if they are not an object.
    package func parameters<Parameters: CallParameters>(_: Parameters.Type) throws(ServiceError) -> Parameters {
        guard let members else { throw .invalidParameter("parameters") }
        if let unknown = members.names.filter({ !Parameters.names.contains($0) }).min() {
            throw .invalidParameter(unknown)
        }
        return try Parameters(members)
    }
}

/// The parameters of a method.
package protocol CallParameters: Encodable, Sendable {
    /// The names of all parameters, as spelled in the interface.
    static var names: Set<String> { get }

    /// Creates the parameters from those of a call, whose names are known.
    init(_ members: CallMembers) throws(ServiceError)
}
