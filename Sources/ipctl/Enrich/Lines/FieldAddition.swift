import Control
import RecordKeeping
import Varlink

/// The fields that lines get for each address, and their form.
struct FieldAddition {
    /// The place of annotations in text.
    enum Placement {
        /// At the end of the line, with the address.
        case end
        /// After each address.
        case inline
    }

    let format: LineFormat
    private(set) var names: [String]
    /// Only for text: the form of the annotations, instead of `[country=DE asn=64500]`.
    var template: LineTemplate?
    /// Only for text.
    var placement = Placement.end
    /// Only for text: adds the colours of an annotation.
    var style: @Sendable (String) -> String = { $0 }

    init(_ format: LineFormat, names: [String]) {
        (self.format, self.names) = (format, names)
    }

    /// Returns a copy with another field, after the others.
    func adding(_ name: String) -> FieldAddition {
        var copy = self
        copy.names.append(name)
        return copy
    }

    /// Returns the fields of an address in the form that is added to lines; nil if none of them is known. The result
    /// should be cached: writing it takes longer than the search of a line.
    ///
    /// - Parameter value: returns the value of a field; nil or null if it is unknown.
    func rendered(for address: IPAddress, value: (String) -> Value?) -> RenderedFields? {
        let known = names.compactMap { name in
            value(name).flatMap { $0 == .null ? nil : (name: name, value: $0) }
        }
        guard !known.isEmpty else { return nil }
        switch format {
        case .text:
            return RenderedFields(pieces: [Array(" \(style(annotation(address, known)))".utf8)])
        case .json:
            // Members are sorted by name, as in all JSON of the client.
            let members = Dictionary(known.map { ($0.name, $0.value) }) { first, _ in first }
            return RenderedFields(pieces: [Wire.encode(Value.object(members)).dropLast()])
        case .csv:
            let values = names.map { value($0)?.fieldText.printable ?? "" }
            // The row begins with an empty field, so that a comma precedes each value; it ends with a line break.
            return RenderedFields(pieces: [CSVRow([""] + values).bytes.dropLast(2)])
        case .logfmt:
            return RenderedFields(pieces: known.map { Array(".\(Self.pair($0.name, $0.value))".utf8) })
        }
    }

    private func annotation(_ address: IPAddress, _ known: [(name: String, value: Value)]) -> String {
        if let template {
            return template.text { name in known.first { $0.name == name }?.value.fieldText.printable }
        }
        let pairs = known.map { Self.pair($0.name, $0.value) }
        return "[\((placement == .end ? ["\(address)"] + pairs : pairs).joined(separator: " "))]"
    }

    /// Returns a pair of logfmt. A value with spaces, quotes, backslashes or equals signs, or an empty one, is quoted.
    private static func pair(_ name: String, _ value: Value) -> String {
        let text = value.fieldText.printable
        let needsQuotes = text.isEmpty || text.contains { $0.isWhitespace || $0 == "\"" || $0 == "\\" || $0 == "=" }
        guard needsQuotes else { return "\(name)=\(text)" }
        return "\(name)=\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

/// The fields of an address as bytes: for logfmt, a piece per field, to be written after a key; otherwise one piece.
struct RenderedFields: Hashable, Sendable {
    let pieces: [[UInt8]]
}
