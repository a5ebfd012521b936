import JSON
import RecordKeeping

/// The values of entries as JSON: those that entries share, which are cached, and the records of local databases.
extension EntryWriter {
    static func write(_ offline: Interface.OfflineRecord, to writer: inout JSONWriter) {
        writer.raw(#","offline":{"record":"#)
        let start = writer.count
        writer.raw(members(of: offline.record, Record.Field.allCases))
        writer.begin(at: start)
        writer.raw(#"},"database":"#)
        writer.rawText(offline.database)
        writer.raw(#","builtAt":"#)
        writer.rawNumber(offline.builtAt)
        writer.raw("}")
    }

    static func json(of place: Place) -> [UInt8] {
        members(of: Record(place: place, network: Network()), Record.Field.ofPlace)
    }

    static func json(of network: Network) -> [UInt8] {
        members(of: Record(place: Place(), network: network), Record.Field.ofNetwork)
    }

    /// Encodes fields as members, each with a comma before it.
    private static func members(of record: Record, _ fields: [Record.Field]) -> [UInt8] {
        var piece = JSONWriter()
        for field in fields {
            guard let value = record[field] else { continue }
            piece.raw(",")
            piece.rawText(field.rawValue)
            piece.raw(":")
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
