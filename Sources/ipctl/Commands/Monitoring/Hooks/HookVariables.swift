import Control

/// The environment variables that describe an event to the command of `--exec`.
enum HookVariables {
    /// Maximum length of a value in bytes. All values of an event together stay far below the limit of execve(2), which
    /// is 128 KiB for one variable and a quarter of the stack for all. The JSON has the complete values.
    static let maxValueBytes = 4_096
    /// Maximum number of changed fields with variables; a record has about 25 fields.
    private static let maxFields = 64
    /// Maximum length of the name of a field.
    private static let maxNameBytes = 32
    private static let prefix = "IPRECORD_"
    private static let names: Set = [
        "EVENT", "SEQ", "AT", "ADDRESS", "NAME", "MESSAGE", "USER", "FIELDS", "ATTEMPT", "SOCKET",
    ]
    private static let changePrefixes = ["OLD_", "NEW_"]

    /// Returns the variables of an event, as `NAME=value`. A variable without a value is not set.
    static func of(_ event: Interface.Event) -> [String] {
        let fields = (event.fields ?? []).filter { isName($0.field) }.prefix(maxFields)
        var variables: [(name: String, value: String?)] = [
            ("EVENT", event.kind), ("SEQ", event.seq.map { "\($0)" }), ("AT", "\(event.at)"),
            ("ADDRESS", event.address), ("NAME", event.name), ("MESSAGE", event.message),
            ("USER", event.user.map { "\($0)" }),
            ("FIELDS", fields.isEmpty ? nil : fields.map(\.field).joined(separator: ",")),
        ]
        for change in fields {
            variables.append(("OLD_" + change.field, change.old))
            variables.append(("NEW_" + change.field, change.new))
        }
        return variables.compactMap { name, value in value.map { variable(name, $0) } }
    }

    /// Returns the variables of one run: the inherited ones, those of the event, the number of the attempt, and the
    /// daemon's socket.
    ///
    /// - Parameter inherited: the environment of this program, as bytes of `NAME=value`. Variables of another event,
    ///   which this program inherits if a command runs it, are left out.
    static func ofRun(_ event: HookEvent, attempt: Int, socket: String, inherited: [[UInt8]]) -> [[UInt8]] {
        let own = event.variables + [variable("ATTEMPT", "\(attempt)"), "\(prefix)SOCKET=\(socket)"]
        return inherited.filter { !isOurs($0) } + own.map { Array($0.utf8) }
    }

    /// A value is untrusted: a line break could forge a line in the command's output, and a NUL would end the value.
    /// The same characters are replaced as on a terminal.
    private static func variable(_ name: String, _ value: String) -> String {
        "\(prefix)\(name)=\(cut(value).printable)"
    }

    /// Returns the value up to the last Unicode scalar that fits.
    private static func cut(_ value: String) -> String {
        guard value.utf8.count > maxValueBytes else { return value }
        var (end, size) = (value.unicodeScalars.startIndex, 0)
        for index in value.unicodeScalars.indices {
            size += UTF8.width(value.unicodeScalars[index])
            guard size <= maxValueBytes else { break }
            end = value.unicodeScalars.index(after: index)
        }
        return String(value.unicodeScalars[..<end])
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maxNameBytes
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func isOurs(_ variable: [UInt8]) -> Bool {
        let name = String(decoding: variable.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.dropFirst(prefix.count)
        return names.contains(String(rest)) || changePrefixes.contains { rest.hasPrefix($0) }
    }
}
