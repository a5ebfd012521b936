import Testing

@testable import RecordKeeping

/// Until when records are current.
@Suite struct ValidityTests {
    private let scan = BootTime(nanoseconds: 1_000)

    @Test func `a record of a remote provider is current for one interval`() {
        let validity = Validity.interval(nanoseconds: 50)
        #expect(validity.end(ofRecordFrom: scan, version: nil) == .at(BootTime(nanoseconds: 1_050)))
    }

    @Test func `a record of local databases is current while they are in use`() {
        let end = Validity.version(.may).end(ofRecordFrom: scan, version: DataVersion.may.id)
        #expect(end == .dataChange && end.isAfter(scan + .seconds(1_000_000)))
    }

    private static let others: [(Validity, DataVersion.ID?)] = [
        (.interval(nanoseconds: 50), DataVersion.may.id), (.version(.june), DataVersion.may.id),
        (.version(.may), nil), (.version(nil), DataVersion.may.id), (.version(nil), nil),
    ]

    @Test(arguments: others)
    func `a record of another source or version is never current`(validity: Validity, version: DataVersion.ID?) {
        let end = validity.end(ofRecordFrom: scan, version: version)
        #expect(end == .at(scan) && !end.isAfter(scan))
    }
}
