/// A call that the server has received.
package struct IncomingCall {
    /// The full name, such as "io.iprecord.Control.Show".
    package let method: String
    /// Whether the client accepts several replies.
    package let wantsMore: Bool
    /// Whether the client expects no reply.
    package let isOneway: Bool
    /// Whether the client wants to use the connection for another protocol after the reply.
    package let wantsUpgrade: Bool
    /// The complete message, from which ``parameters(_:)`` decodes the parameters.
    let message: ArraySlice<UInt8>
    /// The parameters, if the whole message is plain JSON.
    private let plain: PlainParameters?
    /// A decoder of the parameters; nil if the message is plain or has no parameters.
    private let decoder: (any Decoder)?
    /// Whether the message has more values than the limit. If so, its parameters were removed before decoding.
    package let hasTooManyValues: Bool

    /// Maximum size, in bytes, of a message that is searched for an out-of-range number. A call with numbers and a few
    /// strings is shorter; the search takes some milliseconds.
    private static let maxSearchedBytes = 4_096

    private struct Envelope: Decodable {
        var method: String
        var more: Bool?
        var oneway: Bool?
        var upgrade: Bool?
        /// The decoder of the parameters, whose type depends on the method. It is kept after the envelope has been
        /// decoded, so that the message is scanned only once.
        var parameters: (any Decoder)?

        private enum CodingKeys: CodingKey {
            case method, more, oneway, upgrade, parameters
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            method = try container.decode(String.self, forKey: .method)
            more = try container.decodeIfPresent(Bool.self, forKey: .more)
            oneway = try container.decodeIfPresent(Bool.self, forKey: .oneway)
            upgrade = try container.decodeIfPresent(Bool.self, forKey: .upgrade)
            if container.contains(.parameters) { parameters = try container.superDecoder(forKey: .parameters) }
        }
    }

    private struct Body<Parameters: Decodable>: Decodable {
        var parameters: Parameters
    }

    /// - Parameter maxValues: the maximum number of values and names that are decoded. If a message has more, its
    ///   parameters are not decoded.
    /// - Throws: `noCall` if the message is not a call, or exceeds `maxValues` outside its parameters.
    init(message: ArraySlice<UInt8>, maxValues: Int = .max) throws(ConversationError) {
        if let quick = PlainMessage(message, maxTexts: maxValues) {
            (method, wantsMore, isOneway, wantsUpgrade) = (quick.method, quick.more, quick.oneway, quick.upgrade)
            (plain, decoder, hasTooManyValues) = (quick.parameters, nil, false)
            self.message = message
            return
        }
        let reduced = Self.withoutParameters(message, ifMoreThan: maxValues)
        if let reduced, reduced.count > maxValues { throw .noCall }
        self.message = reduced ?? message
        hasTooManyValues = reduced != nil
        plain = nil
        do {
            let envelope = try Wire.decode(Envelope.self, from: self.message)
            decoder = envelope.parameters
            method = envelope.method
            wantsMore = envelope.more ?? false
            isOneway = envelope.oneway ?? false
            wantsUpgrade = envelope.upgrade ?? false
        } catch {
            throw .noCall
        }
    }

    /// Returns the message with empty parameters if it has more than `max` values and names; nil otherwise.
    private static func withoutParameters(_ message: ArraySlice<UInt8>, ifMoreThan max: Int) -> ArraySlice<UInt8>? {
        // A message cannot have more values than bytes.
        guard message.count > max else { return nil }
        let structure = message.withUnsafeBufferPointer { MessageStructure($0) }
        guard structure.parts > max else { return nil }
        var reduced = message
        for range in structure.parameters.reversed() {
            let start = message.startIndex + range.lowerBound
            reduced.replaceSubrange(start..<message.startIndex + range.upperBound, with: Array("{}".utf8))
        }
        return reduced
    }

    /// The interface of the method: everything before the last dot.
    package var interface: Substring { lastDot.map { method[..<$0] } ?? "" }

    /// The method's name without its interface.
    package var name: Substring { lastDot.map { method[method.utf8.index(after: $0)...] } ?? method[...] }

    private var lastDot: String.Index? { method.utf8.lastIndex(of: UInt8(ascii: ".")) }

    /// Decodes the parameters as the type that the method declares. Unknown names and wrong types are errors.
    ///
    /// - Throws: `invalidParameter` with the name of an invalid parameter, or "parameters" if it cannot be determined.
    package func parameters<Parameters: CallParameters>(
        _: Parameters.Type
    ) throws(ServiceError) -> Parameters {
        guard !hasTooManyValues else { throw .invalidParameter("parameters") }
        if let plain, let parameters = Parameters(plain) { return parameters }
        guard plain != nil || decoder != nil else { return try noParameters() }
        do {
            if let decoder { return try Strict<Parameters>(from: decoder).value }
            return try Wire.decode(Body<Strict<Parameters>>.self, from: message).parameters.value
        } catch let error as Strict<Parameters>.Unknown {
            throw .invalidParameter(error.name)
        } catch DecodingError.keyNotFound(let key, let context)
            where context.codingPath.isEmpty && key.stringValue == "parameters"
        {
            return try noParameters()
        } catch DecodingError.valueNotFound(_, let context) where context.codingPath.count <= 1 {
            return try noParameters()
        } catch DecodingError.keyNotFound(let key, let context) {
            throw .invalidParameter(Self.parameter(in: context.codingPath + [key]))
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            throw .invalidParameter(Self.parameter(in: context.codingPath))
        } catch {
            throw .invalidParameter(unusableNumber(Parameters.self) ?? "parameters")
        }
    }

    /// Decodes the parameters of a call without parameters, which is valid if all parameters of the method are
    /// optional.
    private func noParameters<Parameters: CallParameters>() throws(ServiceError) -> Parameters {
        do {
            return try Wire.decode(Parameters.self, from: Array("{}".utf8))
        } catch DecodingError.keyNotFound(let key, _) {
            throw .invalidParameter(key.stringValue)
        } catch {
            throw .invalidParameter("parameters")
        }
    }

    /// Returns the name of a parameter whose number does not fit its type; nil if none is found.
    ///
    /// The decoder reports such a number without its path. The search replaces each parameter with 0, until the message
    /// can be decoded.
    private func unusableNumber<Parameters: CallParameters>(_: Parameters.Type) -> String? {
        // A message that is invalid for another reason has no such parameter. Long messages are not searched, because
        // each attempt encodes and decodes all values.
        guard message.count <= Self.maxSearchedBytes else { return nil }
        guard let body = try? Wire.decode(Body<[String: Value]>.self, from: message) else { return nil }
        return body.parameters.keys.sorted().first { name in
            let corrected = Wire.encode(body.parameters.merging([name: .int(0)]) { $1 }).dropLast()
            return (try? Wire.decode(Parameters.self, from: corrected)) != nil
        }
    }

    /// Returns the name of the parameter in a coding path: the component after `parameters`.
    private static func parameter(in path: [any CodingKey]) -> String {
        path.dropFirst().first?.stringValue ?? path.first?.stringValue ?? "parameters"
    }
}

/// The parameters of a method.
package protocol CallParameters: Codable, Sendable {
    /// The names of all parameters, as spelled in the interface.
    static var names: Set<String> { get }

    /// Creates the parameters from those of a plain message; returns nil if a name or a type does not match. The caller
    /// then decodes the message to determine the error.
    init?(_ plain: PlainParameters)
}

extension CallParameters {
    package init?(_ plain: PlainParameters) { return nil }
}

/// A decodable wrapper that throws `Unknown` if there is an unknown parameter.
private struct Strict<Parameters: CallParameters>: Decodable {
    struct Unknown: Error {
        let name: String
    }

    private struct AnyName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let value: Parameters

    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: AnyName.self).allKeys.map(\.stringValue)
        if let unknown = names.filter({ !Parameters.names.contains($0) }).min() { throw Unknown(name: unknown) }
        value = try Parameters(from: decoder)
    }
}
