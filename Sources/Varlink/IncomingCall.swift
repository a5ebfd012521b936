/// A call as it came in at the server's end.
package struct IncomingCall {
    /// "io.iprecord.Control.Show".
    package let method: String
    /// The client takes several replies.
    package let wantsMore: Bool
    /// The client takes no reply at all.
    package let isOneway: Bool
    /// The client wants the connection for another protocol after the reply.
    package let wantsUpgrade: Bool
    /// The whole message, out of which the method takes its parameters.
    let message: ArraySlice<UInt8>
    /// Its parameters, where all of it is plain.
    private let plain: PlainParameters?
    /// The call's parameters, if they were decoded and are present.
    private let decoder: (any Decoder)?
    /// Whether the message has more values than the limit. If so, its parameters were not decoded.
    package let hasTooManyValues: Bool

    /// Maximum size, in bytes, of parameters that are searched: more than numbers and a few texts need, and decoded as
    /// any value in some milliseconds.
    private static let longestSearched = 4_096

    private struct Envelope: Decodable {
        var method: String
        var more: Bool?
        var oneway: Bool?
        var upgrade: Bool?
        /// The decoder outlives the decoding, so that the message is scanned once although the method chooses the
        /// parameters' type.
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

    /// - Parameter maxValues: the most values and names that are decoded; if a message has more, its parameters are not
    ///   decoded.
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

    /// - Returns: the message with empty parameters, if it has too many values; nil otherwise.
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

    /// The interface of the method: all before the last dot.
    package var interface: Substring { lastDot.map { method[..<$0] } ?? "" }

    /// The method's name without its interface.
    package var name: Substring { lastDot.map { method[method.utf8.index(after: $0)...] } ?? method[...] }

    private var lastDot: String.Index? { method.utf8.lastIndex(of: UInt8(ascii: ".")) }

    /// The parameters, as the method declares them: unknown ones are refused, and so are wrong types.
    ///
    /// - Throws: `invalidParameter` with the name of the first that is wrong.
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

    /// A call without parameters is one with none: fine where all are optional.
    private func noParameters<Parameters: CallParameters>() throws(ServiceError) -> Parameters {
        do {
            return try Wire.decode(Parameters.self, from: Array("{}".utf8))
        } catch DecodingError.keyNotFound(let key, _) {
            throw .invalidParameter(key.stringValue)
        } catch {
            throw .invalidParameter("parameters")
        }
    }

    /// A number that its type cannot hold is told without its place, so it is looked for: all is fine with 0 in its place.
    private func unusableNumber<Parameters: CallParameters>(_: Parameters.Type) -> String? {
        // What makes no sense otherwise is no such number, and the error that is known already tells it. A long message is not
        // worth the search: it takes as long as all its values together.
        guard message.count <= Self.longestSearched else { return nil }
        guard let body = try? Wire.decode(Body<[String: Value]>.self, from: message) else { return nil }
        return body.parameters.keys.sorted().first { name in
            let corrected = Wire.encode(body.parameters.merging([name: .int(0)]) { $1 }).dropLast()
            return (try? Wire.decode(Parameters.self, from: corrected)) != nil
        }
    }

    /// Which parameter a path of the message leads to: what follows after `parameters`.
    private static func parameter(in path: [any CodingKey]) -> String {
        path.dropFirst().first?.stringValue ?? path.first?.stringValue ?? "parameters"
    }
}

/// What a method takes.
package protocol CallParameters: Codable, Sendable {
    /// The names of all parameters, as the interface spells them.
    static var names: Set<String> { get }

    /// Those of a call that is written plainly; nil where they are not what is wanted, and are to be looked at more closely.
    init?(_ plain: PlainParameters)
}

extension CallParameters {
    package init?(_ plain: PlainParameters) { return nil }
}

/// Parameters without any that are not known.
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
