/// One request to the provider.
package struct Call: Hashable, Sendable {
    package struct ID: Hashable, Comparable, Sendable {
        package let number: Int64
        package init(number: Int64) { self.number = number }
        package static func < (a: ID, b: ID) -> Bool { a.number < b.number }
    }

    /// The provider's endpoints, which count their requests apart (ip-api.com, docs/api:batch).
    package enum Endpoint: String, CaseIterable, Hashable, Sendable {
        /// `GET /json/{address}`: one address.
        case single
        /// `POST /batch`: at most `Limits.addressesPerBatch` addresses.
        case batch
    }

    package let id: ID
    package let endpoint: Endpoint
    /// Each once; exactly one for `.single`.
    package let addresses: [IPAddress]

    package init(id: ID, endpoint: Endpoint, addresses: [IPAddress]) {
        self.id = id
        self.endpoint = endpoint
        self.addresses = addresses
    }
}

/// What a reply's headers say of the quota: `X-Rl` and `X-Ttl` (ip-api.com, docs/api:json, "Usage limits").
package struct QuotaTold: Hashable, Sendable {
    /// No provider allows more requests a window: what is told or kept beyond is wrong, and may be more than can be counted with.
    package static let mostRequests = 1_000_000

    /// Requests left in the current window; nil where the header is missing or no number.
    package var remaining: Int?
    /// Whole seconds until the window ends; it ends within the second after.
    package var resetsIn: Duration?

    package init(remaining: Int?, resetsIn: Duration?) {
        self.remaining = remaining
        self.resetsIn = resetsIn
    }
}

/// A reply of the provider, decoded: an HTTP success with a body of the documented form.
package struct Reply: Hashable, Sendable {
    /// When the request left this machine, from which the answers' life is counted.
    package var sentAt: Instant
    /// What was said of each address that was asked about. An address that is missing here is missing in the reply;
    /// what the provider said of others is left out.
    package var answers: [IPAddress: ElementAnswer]
    package var quota: QuotaTold

    package init(sentAt: Instant, answers: [IPAddress: ElementAnswer], quota: QuotaTold) {
        self.sentAt = sentAt
        self.answers = answers
        self.quota = quota
    }
}

/// What a reply says of one address.
package enum ElementAnswer: Hashable, Sendable {
    case answered(Answer)
    /// The element is there and cannot be used; the text says what is wrong with it.
    case malformed(String)
}

/// A call that brought no reply of the documented form.
package struct CallFailure: Error, Hashable, Sendable {
    package var kind: Failure.Kind
    /// What happened, as a sentence that a person can act on. Never holds the key.
    package var message: String
    /// What the headers said, where there was an HTTP reply at all.
    package var quota: QuotaTold?

    package init(kind: Failure.Kind, message: String, quota: QuotaTold? = nil) {
        self.kind = kind
        self.message = message
        self.quota = quota
    }
}
