import RecordKeeping

/// Test values: fixed ones, and random ones from a seed.
struct Sample {
    static let bootID = "0b5e1d2c-6f41-4f0e-9d3c-1f3f6c1b7a01"
    static let otherBootID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    static let now = Instant(
        boot: BootTime(nanoseconds: 5_000_000_000_007), wall: WallTime(milliseconds: 1_790_000_000_123))

    private var random: Random

    init(seed: UInt64) { random = Random(seed: seed) }

    static func address(_ number: Int) throws -> IPAddress {
        try IPAddress("192.0.\(number / 256 % 256).\(number % 256)")
    }

    static func entry(note: String = "a", scanned: Instant = Sample.now) -> Entry {
        var record = Record()
        record.country = "Germany"
        record.asname = note
        return Entry(
            watch: Watch(byClient: true, note: note),
            scan: Scan(answer: .record(record), at: scanned, provider: "ip-api.com"))
    }

    static func event(_ seq: Int64, at wall: Int64 = 1_000, _ kind: PublishedEvent.Kind = .added) -> PublishedEvent {
        PublishedEvent(seq: seq, at: WallTime(milliseconds: wall), kind: kind)
    }

    static func change(_ seq: Int64, of address: IPAddress, at wall: Int64 = 1_000) -> PublishedEvent {
        PublishedEvent(
            seq: seq, at: WallTime(milliseconds: wall), kind: .changed, address: address,
            fields: [FieldChange(field: "city", old: "Ulm", new: "Aalen")])
    }
}

// MARK: At random

extension Sample {
    /// Texts with a history of causing bugs.
    private static let texts = [
        "Zürich", "東京都", "مكتبة", "🏳️‍🌈👩‍👩‍👧", "e\u{301}", "é", "O'Brien", "a \"b\" \\ c", "'); DROP TABLE entry; --",
        "NULL",
        "0", "-1.5e3", " blank at both ends ", "tab\tline\nend", "\u{FEFF}mark", "\u{10FFFF}", "%s%n", "[\"json\"]",
        String(repeating: "long ", count: 800),
    ]

    mutating func flip() -> Bool { Bool.random(using: &random) }

    mutating func text() -> String {
        guard flip() else { return Self.texts.randomElement(using: &random) ?? "" }
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...24, using: &random) {
            text.append(Unicode.Scalar(UInt32.random(in: 1...0x1_FFFF, using: &random)) ?? "?")
        }
        return String(text)
    }

    mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? { flip() ? value(&self) : nil }

    mutating func number() -> Int {
        Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...62, using: &random)
    }

    mutating func wall() -> WallTime {
        WallTime(milliseconds: Int64.random(in: -1_000_000...4_000_000_000_000, using: &random))
    }

    mutating func instant() -> Instant {
        Instant(boot: BootTime(nanoseconds: Int64.random(in: -(1 << 60)...1 << 60, using: &random)), wall: wall())
    }

    mutating func address() -> IPAddress {
        let groups = (0..<8).map { _ in flip() ? 0 : UInt16.random(in: .min ... .max, using: &random) }
        let text =
            flip()
            ? "\(groups[0] >> 8).\(groups[1] >> 8).\(groups[2] >> 8).\(groups[3] >> 8)"
            : groups.map { String($0, radix: 16) }.joined(separator: ":")
        guard let address = try? IPAddress(text) else { preconditionFailure("\"\(text)\" is not an IP address") }
        return address
    }

    mutating func failure() -> Failure {
        Failure(
            kind: Failure.Kind.allCases.randomElement(using: &random) ?? .timeout, message: flip() ? text() : "",
            at: instant(), attempts: Int.random(in: 1...1_000_000, using: &random))
    }

    mutating func record() -> Record {
        var record = Record()
        for field in Record.texts { record[keyPath: field] = maybe { $0.text() } }
        for field in Record.flags { record[keyPath: field] = maybe { $0.flip() } }
        record.lat = maybe { Double.random(in: -90...90, using: &$0.random) }
        record.lon = maybe { Double(Int.random(in: -180...180, using: &$0.random)) }
        record.offset = maybe { $0.number() }
        return record
    }

    mutating func watch() -> Watch {
        let byClient = flip()
        let end = maybe {
            WatchEnd(until: $0.wall(), elapsed: .milliseconds(Int64.random(in: 1...1_000_000, using: &$0.random)))
        }
        return Watch(
            byClient: byClient, byFile: flip(), isPinned: flip(), end: byClient ? end : nil,
            tags: flip() ? [] : Set((0..<Int.random(in: 1...9, using: &random)).map { _ in text() }).sorted(),
            note: maybe { $0.flip() ? $0.text() : "" })
    }

    mutating func scan() -> Scan {
        Scan(answer: flip() ? .record(record()) : .empty(reason: flip() ? text() : ""), at: instant(), provider: text())
    }

    mutating func entry() -> Entry {
        Entry(
            watch: maybe { $0.watch() }, scan: maybe { $0.scan() }, changedAt: maybe { $0.wall() },
            failure: maybe { $0.failure() },
            omissions: flip() ? [] : [FieldChange(field: text(), old: text(), new: nil)])
    }

    mutating func event(_ seq: Int64) -> PublishedEvent {
        PublishedEvent(
            seq: seq, at: wall(), kind: PublishedEvent.Kind.allCases.randomElement(using: &random) ?? .added,
            address: maybe { $0.address() },
            fields: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                FieldChange(field: text(), old: maybe { $0.text() }, new: maybe { $0.text() })
            },
            message: maybe { $0.flip() ? $0.text() : "" },
            user: maybe { UInt32.random(in: .min ... .max, using: &$0.random) },
            name: maybe { $0.hostName() })
    }

    mutating func hostName() -> HostName {
        let labels = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            String(
                (0..<Int.random(in: 1...9, using: &random)).map { _ in "abcxyz".randomElement(using: &random) ?? "a" })
        }
        guard let name = try? HostName(labels.joined(separator: ".")) else {
            preconditionFailure("not a name: \(labels)")
        }
        return name
    }

    mutating func watchedName() -> WatchedName {
        let wall = { (sample: inout Self) in
            WallTime(milliseconds: Int64.random(in: 0..<Limits.endOfTimes.milliseconds, using: &sample.random))
        }
        return WatchedName(
            addresses: Set((0..<Int.random(in: 0...9, using: &random)).map { _ in address() }).sorted(),
            tags: flip() ? [] : Set((0..<3).map { _ in text() }).sorted(), note: maybe { $0.text() },
            answeredAt: maybe(wall), failure: maybe { NameFailure(reason: $0.text(), since: wall(&$0)) })
    }
}

extension Record {
    static var texts: [WritableKeyPath<Record, String?>] {
        [
            \.continent, \.continentCode, \.country, \.countryCode, \.region, \.regionName, \.city, \.district, \.zip,
            \.timezone, \.currency, \.isp, \.org, \.as, \.asname, \.reverse,
        ]
    }

    static var flags: [WritableKeyPath<Record, Bool?>] { [\.mobile, \.proxy, \.hosting] }
}
