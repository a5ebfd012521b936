package import Logging

/// One field of a journal entry (systemd.journal-fields(7)).
package struct JournalField: Hashable, Sendable {
    package let name: String
    package let value: String

    /// `NAME=value` in the form of sd_journal_sendv(3), where the value may contain line breaks and zero bytes.
    package var bytes: [UInt8] { Array(name.utf8) + [UInt8(ascii: "=")] + Array(value.utf8) }

    /// Returns all fields of a message, each with a name that journald accepts.
    ///
    /// An array becomes one field per element, because journal fields may occur more than once.
    ///
    /// - Parameter identifier: the program's name, for SYSLOG_IDENTIFIER.
    package static func fields(of event: LogEvent, metadata: Logger.Metadata, identifier: String) -> [JournalField] {
        var fields = [
            JournalField(name: "MESSAGE", value: event.message.description),
            JournalField(name: "PRIORITY", value: String(event.level.priority)),
            JournalField(name: "SYSLOG_IDENTIFIER", value: identifier),
            JournalField(name: "CODE_FILE", value: event.file),
            JournalField(name: "CODE_LINE", value: String(event.line)),
            JournalField(name: "CODE_FUNC", value: event.function),
        ]
        if let error = event.error { fields.append(JournalField(name: "ERROR", value: "\(error)")) }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let name = name(for: key)
            if case .array(let elements) = value {
                fields += elements.map { JournalField(name: name, value: "\($0)") }
            } else {
                fields.append(JournalField(name: name, value: "\(value)"))
            }
        }
        return fields
    }

    /// Returns the field name for a metadata key: at most 64 upper-case letters, digits and underscores, beginning with
    /// a letter.
    ///
    /// A name that is invalid, or reserved for the fields of the message itself, gets the prefix `LOG_`.
    package static func name(for key: String) -> String {
        let characters = key.utf8.map { character in
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): character - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): character
            default: UInt8(ascii: "_")
            }
        }
        let name = String(decoding: characters, as: UTF8.self)
        // journald drops names that begin with an underscore, which are reserved for its own fields, or with a digit.
        let isFit = name.first?.isLetter == true && !ownNames.contains(name)
        return String((isFit ? name : "LOG_\(name)").prefix(maxNameBytes))
    }

    private static let ownNames: Set = [
        "MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "CODE_FILE", "CODE_LINE", "CODE_FUNC", "ERROR",
    ]
    /// Maximum length of a name; journald ignores fields with longer names (`journal_field_valid` in its source).
    private static let maxNameBytes = 64
}
