import FoundationEssentials
import NIOConcurrencyHelpers
package import RecordKeeping

/// Decodes the provider's reply to a call into a `Reply`, or throws the reason why it is unusable.
///
/// Elements are matched by `query`, in any notation of the address, never by order or count, since the provider
/// guarantees neither. Elements for other addresses are ignored. If several elements name the same address, the first
/// usable one counts.
package struct ReplyDecoder: Sendable {
    private let provider: Provider
    /// Shared by the threads that decode replies.
    private let recent = NIOLockedValueBox(RecentValues())
    /// Whether replies in the usual form are read in one pass.
    private let isQuick: Bool

    /// - Parameter isQuick: false to read every reply with `JSONDecoder`, for comparison.
    package init(_ provider: Provider, isQuick: Bool = true) {
        self.provider = provider
        self.isQuick = isQuick
    }

    /// Decodes the response to a call.
    ///
    /// - Throws: `.throttled` for 429, `.unauthorized` for 401 and 403, `.rejected` for any other status outside
    ///   200...299, `.malformed` for a success whose body does not have the documented form.
    package func reply(to call: Call, from raw: RawReply) throws(CallFailure) -> Reply {
        guard (200...299).contains(raw.status) else { throw StatusFailure(raw, from: provider).failure }
        let elements: [Element]
        do {
            elements = try parse(raw.body, as: call.endpoint)
        } catch {
            let body = MalformedBody(raw.body, expecting: call.endpoint, problem: error, from: provider)
            throw CallFailure(kind: .malformed, message: body.description, quota: raw.quota)
        }
        return Reply(sentAt: raw.sentAt, answers: answers(to: call, in: elements), quota: raw.quota)
    }

    /// Parses a body into its elements, each of which may itself be malformed.
    private func parse(_ body: [UInt8], as endpoint: Call.Endpoint) throws(MalformedBody.Problem) -> [Element] {
        // JSON is UTF-8 (RFC 8259 §8.1). `JSONDecoder` also accepts UTF-16, and does not validate the strings that it
        // skips.
        guard String(validating: body, as: UTF8.self) != nil else { throw .notUTF8 }
        if isQuick,
            let elements = recent.withLockedValue({
                PlainElements.read(body, isBatch: endpoint == .batch, maximum: Batch.maxElements, recent: &$0)
            })
        {
            return elements
        }
        do {
            let decoder = JSONDecoder()
            switch endpoint {
            case .single:
                let element = try decoder.decode(Element.self, from: Data(body))
                guard element.isObject else { throw MalformedBody.Problem.otherShape }
                return [element]
            case .batch:
                return try decoder.decode(Batch.self, from: Data(body)).elements
            }
        } catch DecodingError.dataCorrupted {
            throw .notJSON
        } catch {
            throw .otherShape
        }
    }

    private func answers(to call: Call, in elements: [Element]) -> [IPAddress: ElementAnswer] {
        let asked = Set(call.addresses)
        var answers: [IPAddress: ElementAnswer] = [:]
        for element in elements {
            let address: IPAddress
            switch element.echo {
            case .text(let text):
                // A text that is not an address is not one of the requested addresses; the parse error does not matter.
                guard let named = try? IPAddress(text), asked.contains(named) else { continue }
                address = named
            case .absent, .unreadable:
                guard call.endpoint == .single, let only = call.addresses.first else { continue }
                address = only
            }
            if case .answered = answers[address] { continue }
            let answer = withoutKey(element.answer)
            if case .malformed = answer, answers[address] != nil { continue }
            answers[address] = answer
        }
        return answers
    }

    private func withoutKey(_ answer: ElementAnswer) -> ElementAnswer {
        switch answer {
        case .malformed(let problem): .malformed(provider.withoutKey(problem))
        case .answered(.empty(let reason)): .answered(.empty(reason: provider.withoutKey(reason)))
        case .answered(.record): answer
        }
    }
}

/// The elements of a batch reply, up to a maximum number, since a short body can contain millions of elements.
private struct Batch: Decodable {
    var elements: [Element] = []

    /// Ten times the maximum number of addresses of a batch.
    static let maxElements = 10 * Limits.addressesPerBatch

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            guard elements.count < Self.maxElements else { throw MalformedBody.Problem.otherShape }
            elements.append(try container.decode(Element.self))
        }
    }
}
