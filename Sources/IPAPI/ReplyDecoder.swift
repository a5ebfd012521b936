import FoundationEssentials
import NIOConcurrencyHelpers
package import RecordKeeping

/// Reads what the provider replied to a call: a `Reply`, or the named reason why it is none.
///
/// Elements are matched by `query`, in any spelling of the address, never by order or count: the provider promises
/// neither. What is said of addresses that were not asked about is left out, and of several elements for one address
/// the first that can be used counts.
package struct ReplyDecoder: Sendable {
    private let provider: Provider
    /// Replies are read by several threads.
    private let recent = NIOLockedValueBox(RecentParts())
    /// Plain replies are read in one pass.
    private let isQuick: Bool

    /// - Parameter isQuick: false to have everything read in full, for whoever wants to compare.
    package init(_ provider: Provider, isQuick: Bool = true) {
        self.provider = provider
        self.isQuick = isQuick
    }

    /// - Throws: `.throttled` for 429, `.unauthorized` for 401 and 403, `.rejected` for any other status that is no
    ///   success, `.malformed` for a success whose body is not of the documented form.
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

    /// The elements, each of which may still be malformed for itself.
    private func parse(_ body: [UInt8], as endpoint: Call.Endpoint) throws(MalformedBody.Problem) -> [Element] {
        // JSON is UTF-8 (RFC 8259 §8.1). The decoder would take UTF-16 too, and skips texts nobody asks for.
        guard String(validating: body, as: UTF8.self) != nil else { throw .notUTF8 }
        if isQuick,
            let elements = recent.withLockedValue({
                PlainElements.read(body, isBatch: endpoint == .batch, most: Batch.mostElements, recent: &$0)
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
                // A text that is no address is not one that was asked about: losing why is right.
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

/// The elements of a batch's reply, as long as they are about as many as were asked for: a short body can hold millions.
private struct Batch: Decodable {
    var elements: [Element] = []

    /// Ten times what a batch may ask for.
    static let mostElements = 10 * Limits.addressesPerBatch

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            guard elements.count < Self.mostElements else { throw MalformedBody.Problem.otherShape }
            elements.append(try container.decode(Element.self))
        }
    }
}
