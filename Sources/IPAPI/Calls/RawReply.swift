package import RecordKeeping

/// An HTTP response as received, before decoding.
package struct RawReply: Sendable {
    package var status: Int
    /// The headers in the order received; names are not case-sensitive.
    package var headers: [(name: String, value: String)]
    /// The body after decompression.
    package var body: [UInt8]
    /// The time at which the head of the request was sent.
    package var sentAt: Instant

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8], sentAt: Instant) {
        self.status = status
        self.headers = headers
        self.body = body
        self.sentAt = sentAt
    }

    /// The value of the first header with this name, without surrounding white space; nil if there is none.
    package func header(_ name: String) -> String? {
        let value = headers.first { $0.name.lowercased() == name.lowercased() }?.value
        return value.map { String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
    }

    /// The quota that the headers report.
    ///
    /// A negative number of remaining requests counts as 0. Both numbers are clamped, so that a broken header can
    /// neither stop all calls permanently nor cause an overflow.
    package var quota: ReportedQuota {
        ReportedQuota(
            remaining: header("X-Rl").flatMap { Int($0) }.map { min(max(0, $0), ReportedQuota.maxRequests) },
            resetsIn: header("X-Ttl").flatMap { Int($0) }.map { .seconds(min(max(0, $0), Self.maxWindowSeconds)) })
    }

    /// Maximum accepted time until a window ends, in seconds. The documented window is a minute; one of the provider's
    /// pages mentions a ban of one hour.
    private static let maxWindowSeconds = 3_600
}
