import Testing

/// The names of the types.
struct NameTests {
    /// A command of `ipctl` has the name of the method that it calls, so that both are found by one name.
    private static let commands: Set = [
        "Add", "Count", "History", "List", "Metrics", "Monitor", "Names", "Outages", "Refresh", "Reload", "Remove",
        "Show", "Status",
    ]

    @Test func `no two types outside of other types have the same name`() throws {
        let modifiers = "package|public|internal|fileprivate|private|final|indirect|nonisolated"
        let declaration = try Regex<(Substring, Substring)>(
            "^(?:@\\w+(?:\\(.*\\))? +)*(?:(?:\(modifiers)) +)*(?:struct|class|enum|actor|protocol|typealias) +(\\w+)")
        var places: [String: [String]] = [:]
        for file in try SourceTree.files(in: "Sources") {
            for (index, line) in file.lines.enumerated() {
                guard let name = line.prefixMatch(of: declaration)?.1 else { continue }
                places[String(name), default: []].append("\(file.path):\(index + 1)")
            }
        }
        #expect(places.count > 400)
        let methods = places.filter { name, places in
            places.count == 2 && Self.commands.contains(name)
                && places.map { $0.split(separator: ":")[0] } == [
                    "Sources/Control/Methods/\(name).swift", "Sources/ipctl/Commands/\(name).swift",
                ]
        }
        #expect(Set(methods.keys) == Self.commands)
        for (name, places) in places where places.count > 1 && methods[name] == nil {
            Issue.record("\(name) is declared at \(places.joined(separator: ", "))")
        }
    }
}
