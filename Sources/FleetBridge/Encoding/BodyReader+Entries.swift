import RecordKeeping

extension BodyReader {
    mutating func entry() throws(BodyError) -> (Entry, CohortID?) {
        let flags = try flags(0b1111111, of: "flags of an entry")
        let (hasCohort, hasScan, isOfCohort) = (flags & 2 != 0, flags & 4 != 0, flags & 8 != 0)
        // Only a record that is written has a scan, and only a scan has a source.
        guard hasCohort || !hasScan, hasScan || !isOfCohort else {
            throw .unknownCode(UInt64(flags), of: "flags of an entry")
        }
        var entry = Entry()
        if flags & 1 != 0 { entry.watch = try watch() }
        let cohort = hasCohort ? try cohortID() : nil
        if hasScan { entry.scan = try scan(of: isOfCohort ? cohort : nil) }
        if flags & 16 != 0 { entry.changedAt = try wall() }
        if flags & 32 != 0 { entry.failure = try failure() }
        if flags & 64 != 0 { entry.omissions = try fields() }
        return (entry, cohort)
    }

    private mutating func watch() throws(BodyError) -> Watch {
        let flags = try byte()
        let end = flags & 64 != 0 ? WatchEnd(until: try wall(), elapsed: .zero) : nil
        return Watch(
            byClient: flags & 1 != 0, byFile: flags & 2 != 0, byName: flags & 4 != 0,
            overrides: Watch.Overrides(rawValue: flags >> 4 & 0b11), isPinned: flags & 8 != 0, end: end,
            label: flags & 128 != 0 ? try label() : nil)
    }

    mutating func newLabel() throws(BodyError) -> WatchLabel {
        let note = try optionalText()
        return WatchLabel(tags: try textList(), note: note)
    }

    mutating func textList() throws(BodyError) -> [String] {
        let count = try count(of: 1)
        var texts: [String] = []
        texts.reserveCapacity(count)
        for _ in 0..<count { texts.append(try text()) }
        return texts
    }

    mutating func fields() throws(BodyError) -> [FieldChange] {
        let count = try count(of: 3)
        var fields: [FieldChange] = []
        fields.reserveCapacity(count)
        for _ in 0..<count {
            fields.append(FieldChange(field: try text(), old: try optionalText(), new: try optionalText()))
        }
        return fields
    }

    mutating func failure() throws(BodyError) -> Failure {
        Failure(
            kind: try code(Failure.Kind.self, of: "kind of a failure"), message: try text(), at: try instant(),
            attempts: try number())
    }

    // MARK: Records

    /// - Parameter cohort: the cohort whose source the record has; nil if the source precedes the answer.
    private mutating func scan(of cohort: CohortID?) throws(BodyError) -> Scan {
        let source = if let cohort { try self.source(of: cohort) } else { try newSource() }
        return Scan(answer: try answer(), at: source.at, provider: source.provider, version: source.version)
    }

    private mutating func newSource() throws(BodyError) -> CohortSource {
        let (time, provider) = (try instant(), try text())
        let isLocal = try flags(0b1, of: "flags of a record's source") != 0
        let version = isLocal ? DataVersion.ID(number: Int64(bitPattern: try fixed())) : nil
        return CohortSource(at: time, provider: provider, version: version)
    }

    private mutating func answer() throws(BodyError) -> Answer {
        let code = try byte()
        guard code <= AnswerCode.empty else { throw .unknownCode(UInt64(code), of: "answer") }
        if code == AnswerCode.empty { return .empty(reason: try text()) }
        var record = Record(place: try place(), network: try network())
        (record.lat, record.lon) = (try degrees(), try degrees())
        let (zip, reverse) = (try optionalText(), try plainText())
        guard zip?.utf8.count ?? 0 <= OwnTexts.maxZipBytes else { throw .outOfRange("postal code") }
        record.texts = OwnTexts(zip: zip, reverse: reverse)
        record.mobile = AnswerCode.flag(0, of: code)
        record.proxy = AnswerCode.flag(1, of: code)
        record.hosting = AnswerCode.flag(2, of: code)
        return .record(record)
    }

    mutating func newPlace() throws(BodyError) -> Place {
        var place = Place()
        for field in Place.encodedTexts { place[keyPath: field] = try optionalText() }
        if try flags(0b1, of: "flags of a place") != 0 { place.offset = try number() }
        return place
    }

    mutating func newNetwork() throws(BodyError) -> Network {
        var network = Network()
        for field in Network.encodedTexts { network[keyPath: field] = try optionalText() }
        return network
    }

    private mutating func degrees() throws(BodyError) -> Double? {
        let value = try unsigned()
        if value > 1 { return Double(Int64(zigZag: value - 2)) / BodyLimits.partsPerDegree }
        guard value == 1 else { return nil }
        let degrees = Double(bitPattern: try fixed())
        guard degrees.isFinite else { throw .outOfRange("coordinate") }
        return degrees
    }
}
