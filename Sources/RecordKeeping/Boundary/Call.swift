/// One request to the provider.
package struct Call: Hashable, Sendable {
    /// The id of a call. Ids are unique within one run of the daemon, and increase with each call.
    package struct ID: Hashable, Comparable, Sendable {
        package let number: Int64
        package init(number: Int64) { self.number = number }
        package static func < (a: ID, b: ID) -> Bool { a.number < b.number }
    }

    /// The provider's endpoints, each with a quota of its own (ip-api.com, docs/api:batch).
    package enum Endpoint: String, CaseIterable, Hashable, Sendable {
        /// `GET /json/{address}`: one address.
        case single
        /// `POST /batch`: at most `Limits.addressesPerBatch` addresses.
        case batch
    }

    package let id: ID
    package let endpoint: Endpoint
    /// The addresses without duplicates; exactly one for `.single`.
    package let addresses: [IPAddress]
    /// For each address, the digest of the element from which its stored answer was decoded; nil if the digest is
    /// unknown, or if the element has to be decoded again. Empty if there are no digests.
    package let digests: [ElementDigest?]

    package init(id: ID, endpoint: Endpoint, addresses: [IPAddress], digests: [ElementDigest?] = []) {
        self.id = id
        self.endpoint = endpoint
        self.addresses = addresses
        self.digests = digests
    }
}

/// The quota that the headers `X-Rl` and `X-Ttl` of a reply report (ip-api.com, docs/api:json, "Usage limits").
package struct ReportedQuota: Hashable, Sendable {
    /// Maximum number of requests per window. Larger values in replies or in the database are invalid, and are reduced
    /// to this maximum, so that calculations cannot overflow.
    package static let maxRequests = 1_000_000

    /// Requests left in the current window; nil if the header is missing or not a number.
    package var remaining: Int?
    /// Time until the window ends, rounded down to whole seconds; nil if the header is missing or not a number.
    package var resetsIn: Duration?

    package init(remaining: Int?, resetsIn: Duration?) {
        self.remaining = remaining
        self.resetsIn = resetsIn
    }
}

/// A decoded reply from the provider: a successful HTTP response whose body has the documented form, or the result of
/// reading the local databases.
package struct Reply: Hashable, Sendable {
    /// The time at which the request was sent. The answers of a remote provider are valid for one interval from this
    /// time.
    package var sentAt: Instant
    /// The decoded answers, keyed by address. Answers about addresses that were not requested are dropped.
    package var answers: [IPAddress: ElementAnswer]
    /// The digests of the elements that were decoded as answers.
    package var digests: [IPAddress: ElementDigest]
    /// For each address of the call, whether its element is repeated: the element has the digest in the call, so it was
    /// not decoded. Empty if no element is repeated.
    package var repetitions: [Bool]
    package var quota: ReportedQuota
    /// The version of the local databases from which all answers were read; nil for a remote provider.
    package var version: DataVersion?

    package init(
        sentAt: Instant, answers: [IPAddress: ElementAnswer], digests: [IPAddress: ElementDigest] = [:],
        repetitions: [Bool] = [], quota: ReportedQuota = ReportedQuota(remaining: nil, resetsIn: nil),
        version: DataVersion? = nil
    ) {
        self.sentAt = sentAt
        self.version = version
        self.answers = answers
        self.digests = digests
        self.repetitions = repetitions
        self.quota = quota
    }

    /// Returns whether the element for the address at this index of the call is repeated.
    package func repeats(_ index: Int) -> Bool {
        index < repetitions.count && repetitions[index]
    }
}

/// The part of a reply that concerns one address.
package enum ElementAnswer: Hashable, Sendable {
    case answered(Answer)
    /// The reply has an element for the address, but that element could not be parsed; the string is the reason.
    case malformed(String)
}

/// A failed call: the provider sent no reply in the documented form.
package struct CallFailure: Error, Hashable, Sendable {
    package var kind: Failure.Kind
    /// A description of the failure, as a sentence that a person can act on. It never contains the API key.
    package var message: String
    /// The quota in the headers; nil if there was no HTTP response.
    package var quota: ReportedQuota?
    /// The time until the provider accepts calls again, from the header `Retry-After` (RFC 9110 §10.2.3); nil if the
    /// header is missing or invalid.
    package var retryAfter: Duration?

    package init(
        kind: Failure.Kind, message: String, quota: ReportedQuota? = nil, retryAfter: Duration? = nil
    ) {
        self.kind = kind
        self.message = message
        self.quota = quota
        self.retryAfter = retryAfter
    }
}
