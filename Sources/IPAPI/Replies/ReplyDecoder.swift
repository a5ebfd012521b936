import JSON
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

    package init(_ provider: Provider) {
        self.provider = provider
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

    /// Maximum number of elements: ten times that of a batch. Without a limit, a short body could contain millions.
    private static let maxElements = 10 * Limits.addressesPerBatch

    /// Parses a body into its elements, each of which may itself be malformed.
    private func parse(_ body: [UInt8], as endpoint: Call.Endpoint) throws(MalformedBody.Problem) -> [Element] {
        let result = recent.withLockedValue { recent in
            Result { () throws(JSONError) in
                var scanner = JSONScanner(body.span.bytes)
                let elements = try Self.elements(&scanner, of: endpoint, &recent)
                try scanner.end()
                return elements
            }
        }
        switch result {
        case .success(let elements?): return elements
        case .success(nil): throw .otherShape
        // JSON is UTF-8 (RFC 8259 §8.1).
        case .failure: throw String(validating: body, as: UTF8.self) == nil ? .notUTF8 : .notJSON
        }
    }

    /// Reads the elements; returns nil if the value has another type or too many elements.
    private static func elements(
        _ scanner: inout JSONScanner, of endpoint: Call.Endpoint, _ recent: inout RecentValues
    ) throws(JSONError) -> [Element]? {
        var fields = ElementFields()
        guard endpoint == .batch else {
            let element = try Element(&scanner, &fields, &recent)
            return element.isObject ? [element] : nil
        }
        guard try scanner.kind() == .array else {
            try scanner.skip()
            return nil
        }
        var elements: [Element] = []
        var isTooLong = false
        try scanner.beginArray()
        while try scanner.nextElement() {
            isTooLong = elements.count == maxElements
            if isTooLong { try scanner.skip() } else { elements.append(try Element(&scanner, &fields, &recent)) }
        }
        return isTooLong ? nil : elements
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
