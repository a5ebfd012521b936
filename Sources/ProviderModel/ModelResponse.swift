/// What the modelled provider answers, and how it gets onto the wire.
package struct ModelResponse: Hashable, Sendable {
    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package var status: Int
    package var headers: [Header]
    package var body: [UInt8]
    package var delivery: Delivery

    package init(
        status: Int, headers: [Header] = [], body: [UInt8] = [], delivery: Delivery = .whole
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.delivery = delivery
    }

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// How a response travels. Whoever carries it out owns the clock and the socket; the model only says what to do.
    package enum Delivery: Hashable, Sendable {
        /// At once and in one piece.
        case whole
        /// In one piece, after this time.
        case after(Duration)
        /// The head at once, then one byte of the body each time this has passed.
        case dripping(every: Duration)
        /// The head promises the whole body, so many bytes of it are sent, and the connection is closed.
        case cutShort(bytes: Int)
        /// The head without a length, then the body over and over for as long as the other end reads.
        case endless
        /// Nothing is sent and the connection stays open.
        case never
        /// Nothing is sent and the connection is reset.
        case reset
    }
}
