package import JSON

/// An encoder of the server's replies.
package enum OutgoingReply {
    private struct Good<Parameters: Encodable>: Encodable {
        var parameters: Parameters
        /// Whether more replies follow; nil in the last reply.
        var continues: Bool?
    }

    private struct Bad: Encodable {
        var error: String
        var parameters: Value
    }

    /// Encodes a successful reply.
    ///
    /// - Parameter continues: whether more replies to the same call follow.
    package static func message(_ parameters: some Encodable, continues: Bool = false) -> [UInt8] {
        Wire.encode(Good(parameters: parameters, continues: continues ? true : nil))
    }

    /// Encodes a successful reply whose parameters are written with a `JSONWriter`.
    ///
    /// - Parameters:
    ///   - continues: whether more replies to the same call follow.
    ///   - capacity: the expected size in bytes.
    ///   - members: writes the parameters.
    package static func message(
        continues: Bool = false, capacity: Int = 1_024, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.object { writer in
            if continues { writer.member("continues", true) }
            writer.name("parameters")
            writer.object(members)
        }
        // A NUL ends the message (varlink.org, "Wire format").
        writer.raw("\0")
        return writer.bytes
    }

    /// Encodes an error.
    ///
    /// - Parameter name: the full name of the error, with its interface.
    package static func error(_ name: String, _ parameters: Value) -> [UInt8] {
        Wire.encode(Bad(error: name, parameters: parameters))
    }

    package static func error(_ error: ServiceError) -> [UInt8] {
        Self.error(error.name, error.parameters)
    }
}
