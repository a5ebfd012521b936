import JSON
import RecordKeeping

/// The values of entries as JSON: those that entries share, which are cached, and the records from local databases.
extension EntryWriter {
    static func write(_ offline: Interface.OfflineRecord, to writer: inout JSONWriter) {
        writer.raw(#","offline":{"record":"#)
        let start = writer.count
        writer.raw(members(of: offline.record, allFields))
        writer.begin(at: start)
        writer.raw(#"},"database":"#)
        writer.rawText(offline.database)
        writer.raw(#","builtAt":"#)
        writer.rawNumber(offline.builtAt)
        writer.raw("}")
    }

    private static let allFields = Record.Field.allCases.map { RecordMember($0) }
    private static let placeFields = Record.Field.ofPlace.map { RecordMember($0) }
    private static let networkFields = Record.Field.ofNetwork.map { RecordMember($0) }

    static func json(of place: Interned<Place>) -> [UInt8] {
        var record = Record()
        record.place = place
        return members(of: record, placeFields)
    }

    static func json(of network: Interned<Network>) -> [UInt8] {
        var record = Record()
        record.network = network
        return members(of: record, networkFields)
    }

    /// Encodes fields as members, each with a comma before it.
    private static func members(of record: Record, _ fields: [RecordMember]) -> [UInt8] {
        var piece = JSONWriter()
        for field in fields {
            guard let value = field.read(record) else { continue }
            piece.raw(field.name)
            switch value {
            case .text(let text): piece.rawText(text)
            case .number(let number): piece.rawNumber(Int64(number))
            case .degrees(let degrees): piece.rawNumber(degrees)
            case .flag(let flag): piece.raw(flag ? "true" : "false")
            }
        }
        return piece.bytes
    }

    static func json(of label: WatchLabel) -> [UInt8] {
        members { writer in
            writer.name("tags")
            writer.array { writer in
                for tag in label.tags { writer.value(tag) }
            }
            writer.member("note", label.note)
        }
    }

    private static func members(_ put: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(put)
        let members = writer.bytes.dropFirst().dropLast()
        return members.isEmpty ? [] : [UInt8(ascii: ",")] + members
    }
}

/// A field of records, prepared for encoding.
private struct RecordMember: Sendable {
    /// The field's name as a member, with a comma before it and a colon after it.
    let name: [UInt8]
    let read: @Sendable (Record) -> Record.Value?

    init(_ field: Record.Field) {
        name = Array(",\"\(field.rawValue)\":".utf8)
        read = field.reader
    }
}
