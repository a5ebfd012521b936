import JSON

/// The elements of batch replies as JSON, kept because creating them would take most of the time of a benchmark.
struct KeptElements {
    private struct Element {
        let fields: FieldSelection
        let revision: Int
        let bytes: [UInt8]
    }

    private var elements: [String: Element] = [:]

    /// Returns the kept element for a query; nil if there is none with the same fields and of the same revision.
    func bytes(of query: ParsedRequest.Query, revision: Int) -> [UInt8]? {
        guard let kept = elements[query.text], kept.fields == query.fields, kept.revision == revision else {
            return nil
        }
        return kept.bytes
    }

    /// Keeps the element for a query in place of an earlier one, and returns its bytes.
    mutating func keep(_ element: ModelElement, of query: ParsedRequest.Query, revision: Int) -> [UInt8] {
        var writer = JSONWriter()
        element.write(to: &writer)
        let bytes = writer.bytes
        elements[query.text] = Element(fields: query.fields, revision: revision, bytes: bytes)
        return bytes
    }
}
