import JSON
import NIOConcurrencyHelpers
package import RecordKeeping

/// Decodes the provider's reply to a call into a `Reply`, or throws the reason why it is unusable.
///
/// Elements are matched by `query`, in any notation of the address, never by order or count, since the provider
/// guarantees neither. Elements for other addresses are ignored. If several elements name the same address, an element
/// that repeats the known bytes at the position of the address takes precedence; otherwise, the first usable element
/// counts.
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
        let elements: Elements
        do {
            elements = try parse(raw.body, to: call)
        } catch {
            let body = MalformedBody(raw.body, expecting: call.endpoint, problem: error, from: provider)
            throw CallFailure(kind: .malformed, message: body.description, quota: raw.quota)
        }
        var reply = Reply(sentAt: raw.sentAt, answers: [:], quota: raw.quota)
        if !elements.repeated.isEmpty {
            reply.repetitions = Array(repeating: false, count: call.addresses.count)
            for index in elements.repeated { reply.repetitions[index] = true }
        }
        add(elements.decoded, to: &reply, of: call)
        return reply
    }

    /// The elements of a body.
    private struct Elements {
        var decoded: [Element] = []
        /// The indices of the addresses whose elements match the digests in the call.
        var repeated: [Int] = []

        var count: Int { decoded.count + repeated.count }
    }

    /// Maximum number of elements: ten times that of a batch. Without a limit, a short body could contain millions.
    private static let maxElements = 10 * Limits.addressesPerBatch

    /// Parses a body into its elements, each of which may itself be malformed.
    private func parse(_ body: [UInt8], to call: Call) throws(MalformedBody.Problem) -> Elements {
        let result = recent.withLockedValue { recent in
            Result { () throws(JSONError) in
                var scanner = JSONScanner(body.span.bytes)
                let elements = try Self.elements(&scanner, of: call, &recent)
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
        _ scanner: inout JSONScanner, of call: Call, _ recent: inout RecentValues
    ) throws(JSONError) -> Elements? {
        var fields = ElementFields()
        var elements = Elements()
        func add(_ scanner: inout JSONScanner, at index: Int) throws(JSONError) -> Bool {
            if try skip(&scanner, ifRepeating: index, of: call) {
                elements.repeated.append(index)
                return true
            }
            let element = try Element(&scanner, &fields, &recent)
            elements.decoded.append(element)
            return element.isObject
        }
        guard call.endpoint == .batch else { return try add(&scanner, at: 0) ? elements : nil }
        guard try scanner.kind() == .array else {
            try scanner.skip()
            return nil
        }
        var isTooLong = false
        try scanner.beginArray()
        while try scanner.nextElement() {
            isTooLong = elements.count == maxElements
            if isTooLong { try scanner.skip() } else { _ = try add(&scanner, at: elements.count) }
        }
        return isTooLong ? nil : elements
    }

    /// Skips the next element if it has the digest that the call contains for the address at this index. The digest
    /// covers the address in the element, so a match shows that the element belongs to this address.
    ///
    /// - Returns: whether the element was skipped.
    private static func skip(
        _ scanner: inout JSONScanner, ifRepeating index: Int, of call: Call
    ) throws(JSONError) -> Bool {
        guard index < call.digests.count, let digest = call.digests[index] else { return false }
        let start = try scanner.startOfValue()
        let found = scanner.withBytes(in: start..<start + digest.length) { ElementDigest(of: $0) } ?? nil
        guard found == digest else { return false }
        scanner.skipKnownValue(ofBytes: digest.length)
        return true
    }

    private func add(_ elements: [Element], to reply: inout Reply, of call: Call) {
        guard !elements.isEmpty else { return }
        let positions = Dictionary(uniqueKeysWithValues: zip(call.addresses, call.addresses.indices))
        for element in elements {
            let address: IPAddress
            switch element.echo {
            case .text(let text):
                // A text that is not an address is not one of the requested addresses; the parse error does not matter.
                guard let named = try? IPAddress(text), let position = positions[named], !reply.repeats(position) else {
                    continue
                }
                address = named
            case .absent, .unreadable:
                guard call.endpoint == .single, let only = call.addresses.first, !reply.repeats(0) else { continue }
                address = only
            }
            switch reply.answers[address] {
            case .answered: continue
            case .malformed, nil: break
            }
            let answer = withoutKey(element.answer)
            if case .malformed = answer, reply.answers[address] != nil { continue }
            reply.answers[address] = answer
            // If an element does not name its address, equal bytes in a later reply could belong to a different
            // address.
            if case .answered = answer, case .text = element.echo { reply.digests[address] = element.digest }
        }
    }

    private func withoutKey(_ answer: ElementAnswer) -> ElementAnswer {
        switch answer {
        case .malformed(let problem): .malformed(provider.withoutKey(problem))
        case .answered(.empty(let reason)): .answered(.empty(reason: provider.withoutKey(reason)))
        case .answered(.record): answer
        }
    }
}
