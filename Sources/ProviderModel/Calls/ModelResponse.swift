/// The response of the model, and how to deliver it.
package struct ModelResponse: Hashable, Sendable {
    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    package var status: Int
    package var headers: [Header] = []
    package var body: [UInt8] = []
    package var delivery = Delivery.whole

    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The delivery of a response. The model only describes the delivery; the user of the model owns the clock and the
    /// socket.
    package enum Delivery: Hashable, Sendable {
        /// At once and in one piece.
        case whole
        /// In one piece, after this delay.
        case after(Duration)
        /// The head at once, then the body byte by byte, with this pause after each.
        case dripping(every: Duration)
        /// The head announces the whole body, this many bytes of it are sent, and the connection is closed.
        case cutShort(bytes: Int)
        /// The head without a length, then the body repeatedly while the peer reads.
        case endless
        /// Nothing is sent and the connection stays open.
        case never
        /// Nothing is sent and the connection is reset.
        case reset
    }
}
