import RecordKeeping

extension BodyWriter {
    /// Writes up to eight flags as one byte, the first one in the least significant bit.
    mutating func flags(_ flags: [Bool]) {
        byte(flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
    }

    /// Writes an entry without its address. The source of its record is left out if it is that of a cohort in the same
    /// body.
    mutating func put(_ entry: Entry, _ cohort: CohortID?) {
        let scan = cohort == nil ? nil : entry.scan
        let isOfCohort = cohort.flatMap { source(of: $0) }.map { source in scan.map(source.isExactly) == true } ?? false
        flags([
            entry.watch != nil, cohort != nil, scan != nil, isOfCohort, entry.changedAt != nil, entry.failure != nil,
            !entry.omissions.isEmpty,
        ])
        if let watch = entry.watch { self.watch(watch) }
        if let cohort { id(cohort) }
        if let scan { self.scan(scan, isOfCohort: isOfCohort) }
        if let time = entry.changedAt { wall(time) }
        if let failure = entry.failure { self.failure(failure) }
        if !entry.omissions.isEmpty { fields(entry.omissions) }
    }

    private mutating func watch(_ watch: Watch) {
        flags([
            watch.byClient, watch.byFile, watch.byName, watch.isPinned, watch.overrides.contains(.tags),
            watch.overrides.contains(.note), watch.end != nil, watch.label != nil,
        ])
        if let end = watch.end { wall(end.until) }
        if let label = watch.label { self.label(label.value) }
    }

    mutating func label(_ label: WatchLabel) {
        shared(.label) { writer in
            writer.text(label.note)
            writer.texts(label.tags)
        }
    }

    mutating func texts(_ texts: [String]) {
        count(texts.count)
        for text in texts { self.text(text) }
    }

    mutating func fields(_ fields: [FieldChange]) {
        count(fields.count)
        for field in fields {
            text(field.field)
            text(field.old)
            text(field.new)
        }
    }

    mutating func failure(_ failure: Failure) {
        code(failure.kind)
        text(failure.message)
        instant(failure.at)
        number(failure.attempts)
    }

    // MARK: Records

    /// Writes an answer after its source.
    private mutating func scan(_ scan: Scan, isOfCohort: Bool) {
        if !isOfCohort {
            instant(scan.at)
            text(scan.provider)
            flags([scan.version != nil])
            if let version = scan.version { fixed(UInt64(bitPattern: version.number)) }
        }
        switch scan.answer {
        case .empty(let reason):
            byte(AnswerCode.empty)
            text(reason)
        case .record(let record):
            byte(AnswerCode.record(mobile: record.mobile, proxy: record.proxy, hosting: record.hosting))
            place(record.place.value)
            network(record.network.value)
            degrees(record.lat)
            degrees(record.lon)
            text(record.zip)
            plain(record.reverse)
        }
    }

    private mutating func place(_ place: Place) {
        shared(.place) { writer in
            for field in Place.encodedTexts { writer.text(place[keyPath: field]) }
            writer.flags([place.offset != nil])
            if let offset = place.offset { writer.number(offset) }
        }
    }

    private mutating func network(_ network: Network) {
        shared(.network) { writer in
            for field in Network.encodedTexts { writer.text(network[keyPath: field]) }
        }
    }

    /// Writes 0 for nil, 1 and the eight bytes of the number, or, if that gives the same number, its ten-thousandths
    /// (zig-zag) + 2. An infinite number or NaN stems from damaged data, and is written as nil.
    private mutating func degrees(_ degrees: Double?) {
        guard let degrees, degrees.isFinite else { return byte(0) }
        let scaled = degrees * BodyLimits.partsPerDegree
        if scaled.magnitude < 1e12 {
            // rounded() would require the math library (libm).
            let parts = Int64(scaled < 0 ? scaled - 0.5 : scaled + 0.5)
            // Not for -0.0, which has another bit pattern than 0.
            if (Double(parts) / BodyLimits.partsPerDegree).bitPattern == degrees.bitPattern {
                return unsigned(parts.zigZag + 2)
            }
        }
        byte(1)
        fixed(degrees.bitPattern)
    }
}

/// The first byte of an answer: the flags of a record as three ternary digits, or `empty`.
enum AnswerCode {
    static let empty: UInt8 = 27

    static func record(mobile: Bool?, proxy: Bool?, hosting: Bool?) -> UInt8 {
        [hosting, proxy, mobile].reduce(0) { $0 * 3 + ($1.map { $0 ? 2 : 1 } ?? 0) }
    }

    /// Returns the flag at a position, beginning with `mobile`.
    static func flag(_ position: Int, of code: UInt8) -> Bool? {
        let digit = [code, code / 3, code / 9][position] % 3
        return digit == 0 ? nil : digit == 2
    }
}

extension Place {
    /// The texts in the order of the encoding.
    static let encodedTexts: [any WritableKeyPath<Place, String?> & Sendable] = [
        \.continent, \.continentCode, \.country, \.countryCode, \.region, \.regionName, \.city, \.district, \.timezone,
        \.currency,
    ]
}

extension Network {
    /// The texts in the order of the encoding.
    static let encodedTexts: [any WritableKeyPath<Network, String?> & Sendable] = [\.isp, \.org, \.as, \.asname]
}
