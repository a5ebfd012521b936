package import RecordKeeping

/// An HTTP response as it came, whole and unread.
package struct RawReply: Sendable {
    package var status: Int
    /// In the order received; names in any case.
    package var headers: [(name: String, value: String)]
    /// Decompressed.
    package var body: [UInt8]
    /// When the request's head left this machine.
    package var sentAt: Instant

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8], sentAt: Instant) {
        self.status = status
        self.headers = headers
        self.body = body
        self.sentAt = sentAt
    }

    /// The first header of that name, without white space around it; nil where there is none.
    func header(_ name: String) -> String? {
        let value = headers.first { $0.name.lowercased() == name.lowercased() }?.value
        return value.map { String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()) }
    }

    /// What the headers say of the quota.
    ///
    /// A negative number left is none left. Numbers are believed up to a bound, so that a broken header can neither stop
    /// all calls for ever nor be more than can be counted with.
    var quota: QuotaTold {
        QuotaTold(
            remaining: header("X-Rl").flatMap { Int($0) }.map { min(max(0, $0), QuotaTold.mostRequests) },
            resetsIn: header("X-Ttl").flatMap { Int($0) }.map { .seconds(min(max(0, $0), Self.longestWindowSeconds)) })
    }

    /// The documented window is a minute; an hour is what one of the provider's pages says of a ban.
    private static let longestWindowSeconds = 3_600
}
