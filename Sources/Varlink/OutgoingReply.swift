/// Replies as bytes, at the server's end.
package enum OutgoingReply {
    private struct Good<Parameters: Encodable>: Encodable {
        var parameters: Parameters
        /// Left out of the last one.
        var continues: Bool?
    }

    private struct Bad: Encodable {
        var error: String
        var parameters: Value
    }

    /// - Parameter continues: more replies to the same call follow.
    package static func message(_ parameters: some Encodable, continues: Bool = false) -> [UInt8] {
        Wire.encode(Good(parameters: parameters, continues: continues ? true : nil))
    }

    /// The same, where its parameters are put down by hand.
    ///
    /// - Parameters:
    ///   - capacity: about how many bytes it has.
    ///   - members: of the parameters.
    package static func message(
        continues: Bool = false, capacity: Int = 1_024, _ members: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.object { writer in
            if continues { writer.member("continues", true) }
            writer.name("parameters")
            writer.object(members)
        }
        return writer.message()
    }

    package static func error(_ name: String, _ parameters: Value) -> [UInt8] {
        Wire.encode(Bad(error: name, parameters: parameters))
    }

    package static func error(_ error: ServiceError) -> [UInt8] {
        Self.error(error.name, error.parameters)
    }
}
