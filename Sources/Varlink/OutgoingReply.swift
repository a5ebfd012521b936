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

    package static func error(_ name: String, _ parameters: Value) -> [UInt8] {
        Wire.encode(Bad(error: name, parameters: parameters))
    }

    package static func error(_ error: ServiceError) -> [UInt8] {
        Self.error(error.name, error.parameters)
    }
}
