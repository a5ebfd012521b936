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
    private let parameters: ReceivedParameters

    /// The members of a message. If a member occurs several times, the first one counts.
    private struct Envelope {
        var method: String?
        /// The members `more`, `oneway` and `upgrade`; nil if they are null.
        var flags: [String: Bool?] = [:]
        var parameters: ReceivedParameters?
    }

    private enum ReceivedParameters: Sendable {
        case object(CallMembers)
        case otherType
        /// The message has more values than the limit. The rest of the parameters is neither decoded nor validated.
        case tooManyValues
    }

    /// - Parameter maxValues: the maximum number of values and names, beyond which parameters are not decoded.
    /// - Throws: `noCall` if the message is not a call, or exceeds `maxValues` outside its parameters.
    init(message: ArraySlice<UInt8>, maxValues: Int = .max) throws(ConversationError) {
        var envelope = Envelope()
        do {
            var scanner = JSONScanner(message.span.bytes)
            scanner.maxParts = maxValues
            try Self.read(&scanner, into: &envelope)
            try scanner.end()
        } catch {
            throw .noCall
        }
        guard let method = envelope.method else { throw .noCall }
        self.method = method
        wantsMore = (envelope.flags["more"] ?? nil) ?? false
        isOneway = (envelope.flags["oneway"] ?? nil) ?? false
        wantsUpgrade = (envelope.flags["upgrade"] ?? nil) ?? false
        parameters = envelope.parameters ?? .object(CallMembers())
    }

    private struct WrongType: Error {}

    private static func read(_ scanner: inout JSONScanner, into envelope: inout Envelope) throws {
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
            case "parameters" where envelope.parameters == nil: envelope.parameters = try parameters(&scanner)
            default: try scanner.skip()
            }
        }
    }

    private static func parameters(_ scanner: inout JSONScanner) throws(JSONError) -> ReceivedParameters {
        let depth = scanner.depth
        do throws(JSONError) {
            switch try scanner.kind() {
            case .object: return .object(try CallMembers(&scanner))
            case .null:
                try scanner.null()
                return .object(CallMembers())
            default:
                try scanner.skip()
                return .otherType
            }
        } catch {
            guard error.problem == .tooManyValues else { throw error }
            try scanner.leave(toDepth: depth)
            // The remaining members may have as many values again.
            scanner.maxParts += scanner.parts
            return .tooManyValues
        }
    }

    /// Whether the message has more values than the limit, so that its parameters were not decoded.
    package var hasTooManyValues: Bool {
        if case .tooManyValues = parameters { true } else { false }
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
        guard case .object(let members) = parameters else { throw .invalidParameter("parameters") }
        try members.requireNames(in: Parameters.names)
        return try Parameters(members)
    }
}

/// The parameters of a method.
package protocol CallParameters: Encodable, Sendable {
    /// The names of all parameters, as spelled in the interface.
    static var names: Set<String> { get }

    /// Creates the parameters from the members of a call, all of which have known names.
    init(_ members: CallMembers) throws(ServiceError)
}
