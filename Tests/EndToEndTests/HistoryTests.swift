import Testing

/// `ipctl history`, `monitor` and `list` about entries whose records change.
@Suite(.serialized) struct HistoryTests {
    /// A daemon with three addresses, two of which have the tag "dns". The record of one of these has changed.
    private func rig() throws -> Rig {
        let rig = try Rig(mockProvider: Rig.unlimited, settings: ["refresh": "interval = \"1s\""])
        let monitor = try rig.monitor("changed")
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8", "--tag", "dns")
        try rig.ipctl("add", "9.9.9.9")
        for address in ["1.1.1.1", "8.8.8.8", "9.9.9.9"] { _ = try rig.entry(address, wait: 5) }
        for address in ["1.1.1.1", "9.9.9.9"] {
            try rig.administer("POST", "change?address=\(address)")
            try monitor.wait(for: "the change of \(address)", within: 30) { lines in
                lines.contains { $0.contains("\"kind\":\"changed\"") && $0.contains("\"\(address)\"") } ? true : nil
            }
        }
        return rig
    }

    @Test func `the history of matching entries, of several addresses and of a period comes from the daemon`() throws {
        let rig = try rig()
        func addresses(_ arguments: String...) throws -> [String] {
            let command = ["history", "--columns", "address", "--format", "csv", "--no-headers"]
            let lines = try rig.ipctl(command + arguments).output.split(separator: "\r\n").map(String.init)
            // Each changed field has a row.
            return lines.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
        #expect(try addresses() == ["9.9.9.9", "1.1.1.1"])
        #expect(try addresses("--tag", "dns") == ["1.1.1.1"])
        #expect(try addresses("--not-tag", "dns", "--since", "1h") == ["9.9.9.9"])
        #expect(try addresses("1.1.1.1", "8.8.8.8", "9.9.9.9", "--limit", "1") == ["9.9.9.9"])
        #expect(try addresses("1.1.1.1", "8.8.8.8", "--since", "2h", "--until", "0s") == ["1.1.1.1"])
        #expect(try rig.ipctl("history", "--tag", "dns", "--until", "1h").status == 1)
        #expect(try rig.ipctl("history", "1.1.1.1", "192.0.2.9").status == 1)
        let fields = try rig.ipctl("history", "--tag", "dns", "--columns", "field", "--format", "csv", "--no-headers")
        let field = try #require(fields.output.split(separator: "\r\n").first.map(String.init))
        #expect(try addresses("--field", field).contains("1.1.1.1"))
        let removed = try rig.ipctl("remove", "1.1.1.1")
        #expect(removed.status == 0)
        #expect(try addresses() == ["9.9.9.9"])
    }

    @Test func `a monitor begins and ends with the kept events of a period`() throws {
        let rig = try rig()
        let day = try rig.ipctl("--json", "monitor", "--since", "24h", "--until", "0s", "--kind", "changed")
        #expect(day.status == 0 && day.output.split(separator: "\n").count == 2, "\(day)")
        let tagged = try rig.ipctl("--json", "monitor", "--after", "0", "--until", "0s", "--tag", "dns")
        #expect(tagged.status == 0 && tagged.output.contains("\"1.1.1.1\"") && !tagged.output.contains("\"9.9.9.9\""))
        let old = try rig.ipctl("monitor", "--since", "48h", "--until", "24h")
        #expect(old.status == 1 && old.output == "" && old.errors == "ipctl: no events match\n", "\(old)")
        let monitor = try Program([
            Rig.program("ipctl"), "--socket", rig.socket, "--json", "monitor", "--since", "24h", "--kind", "added",
        ])
        try monitor.waitForLine(containing: "\"9.9.9.9\"")
        try rig.ipctl("add", "10.0.0.1")
        try monitor.waitForLine(containing: "\"10.0.0.1\"")
    }

    @Test func `a list in descending order is read page by page`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let all = (1...30).map { "1.1.\($0).1" }
        try rig.ipctl(["add"] + all)
        try rig.ipctl(["wait", "fresh", "--timeout", "30s"] + all)
        func values(_ arguments: String...) throws -> [String] {
            let command = ["list", "--all", "--sort", "city", "--columns", "city", "--format", "csv", "--no-headers"]
            return try rig.ipctl(command + arguments).output.split(separator: "\r\n").map(String.init)
        }
        let cities = try values()
        #expect(cities.count == all.count && cities == cities.sorted())
        #expect(try values("--reverse") == cities.reversed())
    }
}
