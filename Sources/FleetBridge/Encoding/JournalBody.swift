package import Fleet
package import RecordKeeping

/// The changes of one row of the journal: the writes of a commit that all nodes share, among them its events.
///
/// The replies to proposals are beside the body, each as an `OutcomeReply`. All instants are on the clocks of the
/// leader whose term the row names. They are absolute, because a body is encoded before the member chooses the clock
/// of the row, and a row that is sent again has another one.
package struct JournalBody: Hashable, Sendable {
    /// Each of them equals its `Commit.Write.shared`.
    package let writes: [Commit.Write]

    /// Leaves out the writes of the host; `writes` is empty if there are no others.
    package init(_ writes: some Sequence<Commit.Write>) {
        self.writes = writes.compactMap(\.shared)
    }

    /// Decodes a body. Never traps, and allocates memory in proportion to the number of bytes (`BodyLimits`).
    ///
    /// - Throws: `BodyError` if a byte differs from every encoding of this version.
    package init(decoding bytes: [UInt8]) throws(BodyError) {
        var reader = try BodyReader(bytes)
        try self.init(from: &reader)
    }

    init(from reader: inout BodyReader) throws(BodyError) {
        let count = try reader.count(of: 1)
        guard count <= BodyLimits.maxWrites else {
            throw .tooLarge(count, limit: BodyLimits.maxWrites, of: "writes")
        }
        var writes: [Commit.Write] = []
        writes.reserveCapacity(count)
        for _ in 0..<count { writes.append(try reader.write()) }
        try reader.checkEnd()
        self.writes = writes
    }

    /// Returns the encoded body. Equal bodies of one process and of others have the same bytes, if their strings have.
    ///
    /// - Throws: `BodyError.tooLarge`.
    package func encoded() throws(BodyError) -> [UInt8] {
        guard writes.count <= BodyLimits.maxWrites else {
            throw .tooLarge(writes.count, limit: BodyLimits.maxWrites, of: "writes")
        }
        var writer = BodyWriter()
        writer.count(writes.count)
        for write in writes { writer.write(write) }
        return try writer.finish()
    }
}

extension JournalRow {
    /// Decodes the changes of the row.
    ///
    /// - Throws: `BodyError.unknownVersion` if the row or its body has an encoding that this version cannot read, or
    ///   another error if the body is damaged.
    package func decodedBody() throws(BodyError) -> JournalBody {
        guard encoding == BodyLimits.version else { throw .unknownVersion(encoding) }
        return try JournalBody(decoding: body)
    }
}
