import RecordKeeping

extension LineEditor {
    /// Appends a line with the fields of its addresses.
    ///
    /// - Parameters:
    ///   - scanned: the result of ``scan(_:into:)`` for this line.
    ///   - fields: returns the fields of an address; nil if it is unknown. It is called at least once per address.
    func write(
        _ line: UnsafeBufferPointer<UInt8>, _ scanned: ScannedLine, fields: (IPAddress) -> RenderedFields?,
        to output: inout [UInt8]
    ) {
        let end: Int
        switch scanned.kind {
        case .unchanged:
            output += line
            return
        case .header(let index):
            output += line[..<index]
            output += CSVRow([""] + columnNames).bytes.dropLast(2)
            end = index
        case .editable(let index):
            end = index
            switch addition.format {
            case .text where addition.placement == .inline: writeInline(line[..<end], scanned.found, fields, &output)
            case .text: writeText(line[..<end], scanned.found, fields, &output)
            case .json: writeJSON(line[..<end], scanned.found, fields, &output)
            case .csv: writeCSV(line[..<end], scanned.found, fields, &output)
            case .logfmt: writeLogfmt(line[..<end], scanned.found, fields, &output)
            }
        }
        output += line[end...]
    }

    private typealias Content = Slice<UnsafeBufferPointer<UInt8>>
    private typealias Lookup = (IPAddress) -> RenderedFields?

    // MARK: Text

    private func writeText(_ content: Content, _ found: [FoundAddress], _ fields: Lookup, _ output: inout [UInt8]) {
        output += content
        Self.forEachKnown(found, fields) { output += $1.pieces[0] }
    }

    private func writeInline(_ content: Content, _ found: [FoundAddress], _ fields: Lookup, _ output: inout [UInt8]) {
        var written = 0
        for one in found {
            guard let known = fields(one.address) else { continue }
            output += content[written..<one.extent.upperBound]
            output += known.pieces[0]
            written = one.extent.upperBound
        }
        output += content[written...]
    }

    // MARK: JSON

    /// Writes the object without its last brace, with a member such as `"iprecord":{"192.0.2.1":{"country":"DE"}}`.
    private func writeJSON(_ content: Content, _ found: [FoundAddress], _ fields: Lookup, _ output: inout [UInt8]) {
        output += content
        var hasMembers = false
        Self.forEachKnown(found, fields) { address, known in
            output += hasMembers ? Self.separator : Self.opening
            hasMembers = true
            address.append(to: &output)
            output += Self.colon
            output += known.pieces[0]
        }
        if hasMembers { output.append(UInt8(ascii: "}")) }
    }

    private static let opening = Array(",\"\(memberName)\":{\"".utf8)
    private static let separator = Array(",\"".utf8)
    private static let colon = Array("\":".utf8)

    // MARK: CSV

    private var columnNames: [String] {
        (columns.isEmpty ? [Self.memberName] : columns).flatMap { column in addition.names.map { "\(column).\($0)" } }
    }

    private func writeCSV(_ content: Content, _ found: [FoundAddress], _ fields: Lookup, _ output: inout [UInt8]) {
        output += content
        func write(_ known: RenderedFields?) {
            if let known { output += known.pieces[0] } else { output += addition.names.map { _ in UInt8(ascii: ",") } }
        }
        guard !columns.isEmpty else { return write(Self.firstKnown(found[...], fields)) }
        let ranges = CSVPosition.fields(of: UnsafeBufferPointer(rebasing: content))
        for index in columnIndices {
            // A row may be shorter than the header.
            let range = ranges.indices.contains(index) ? ranges[index] : 0..<0
            write(Self.firstKnown(found.filter { range.contains($0.range.lowerBound) }[...], fields))
        }
    }

    private static func firstKnown(_ found: ArraySlice<FoundAddress>, _ fields: Lookup) -> RenderedFields? {
        for one in found { if let known = fields(one.address) { return known } }
        return nil
    }

    // MARK: logfmt

    /// Appends pairs such as `src.country=DE` for an address in the value of `src`, and `src.2.country=US` for the
    /// second known address there. The key of an address outside of pairs is `address`.
    private func writeLogfmt(_ content: Content, _ found: [FoundAddress], _ fields: Lookup, _ output: inout [UInt8]) {
        output += content
        var pairs = LogfmtPairs(UnsafeBufferPointer(rebasing: content))
        var rest = found[...]
        var unkeyed: [FoundAddress] = []
        while !rest.isEmpty, let pair = pairs.next() {
            let inside = rest.prefix { $0.range.lowerBound < pair.value.upperBound }
            rest = rest[inside.endIndex...]
            guard !pair.key.isEmpty, pair.value.lowerBound <= inside.first?.range.lowerBound ?? 0 else {
                unkeyed += inside
                continue
            }
            Self.append(inside, under: content[pair.key], fields, &output)
        }
        Self.append(unkeyed[...], under: Self.unkeyedName[...], fields, &output)
    }

    private static let unkeyedName = Array("address".utf8)

    private static func append(
        _ found: ArraySlice<FoundAddress>, under key: some Collection<UInt8>, _ fields: Lookup,
        _ output: inout [UInt8]
    ) {
        var count = 0
        forEachKnown(Array(found), fields) { _, known in
            count += 1
            for piece in known.pieces {
                output.append(UInt8(ascii: " "))
                output += key
                if count > 1 { output += ".\(count)".utf8 }
                output += piece
            }
        }
    }

    // MARK: Addresses

    /// Calls `body` with each known address once.
    private static func forEachKnown(
        _ found: [FoundAddress], _ fields: Lookup, _ body: (IPAddress, RenderedFields) -> Void
    ) {
        guard found.count > 1 else {
            if let one = found.first, let known = fields(one.address) { body(one.address, known) }
            return
        }
        var seen: Set<IPAddress> = []
        for one in found where seen.insert(one.address).inserted {
            if let known = fields(one.address) { body(one.address, known) }
        }
    }
}
