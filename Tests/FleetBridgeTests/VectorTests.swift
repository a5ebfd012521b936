import RecordKeeping
import Testing

@testable import FleetBridge

/// The bytes of one value of each kind. If one of them changes, nodes of two versions cannot read each other's rows: a
/// changed encoding is a new version.
struct VectorTests {
    private static let key = EntryKey(id: EntryID(number: 70_000), address: IPAddress(v4: 0x0808_0808))
    private static let cohort = CohortID(number: 1)
    private static let v6 = IPAddress(high: 0x2001_0DB8_0000_0000, low: 1)
    private static let failure = Failure(kind: .timeout, message: "no reply", at: .test, attempts: 3)

    private static let writes: [(Commit.Write, String)] = [
        (
            .cohort(CohortID(number: 300), at: .test, provider: "ip-api.com"),
            "01000101d8048080c58bc6d10180b6b8d21400"
        ),
        (
            .cohort(CohortID(number: -1), at: .test, provider: "GeoLite2", version: DataVersion.ID(number: 258)),
            "01010847656f4c697465320102018080c58bc6d10180b6b8d2142b0201000000000000"
        ),
        (
            .put(key, Entry(watch: watch, changedAt: Instant.test.wall), cohort: nil),
            "0102016e01610103e0c508000808080811ebc099f7d514002c012cbfa907"
        ),
        (
            .put(key, Entry(scan: scan(.record(record))), cohort: CohortID(number: 300)),
            "010f0a636f6e74696e656e74210e636f6e74696e656e74436f64652108636f756e747279210c"
                + "636f756e747279436f64652107726567696f6e210b726567696f6e4e616d6521056369747921"
                + "096469737472696374210974696d657a6f6e65210963757272656e6379210469737021046f72"
                + "6721036173210761736e616d6521047a6970210103e0c508000808080806d8048080c58bc6d1"
                + "0180b6b8d214000005002c2d2e2f303132333435019f38003637383981ac2901555555555555"
                + "d53f3a097265766572736521"
        ),
        (
            .put(
                key, Entry(scan: scan(.empty(reason: "reserved range")), failure: failure), cohort: cohort),
            "01020e72657365727665642072616e6765086e6f207265706c790103e0c50800080808082602"
                + "8080c58bc6d10180b6b8d21400001b2b032c000006"
        ),
        (
            .put(key, Entry(omissions: [FieldChange(field: "zip", old: "10115", new: nil)]), cohort: nil),
            "01010531303131350103e0c508000808080840010c2c00"
        ),
        (
            .move([1, 3, 2].map { EntryID(number: $0) }, to: CohortID(number: 9)),
            "010001041203020401"
        ),
        (
            .remove(EntryKey(id: EntryID(number: 2), address: v6)),
            "01000105040120010db8000000000000000000000001"
        ),
        (
            .removeCohort(CohortID(number: 300)),
            "01000106d804"
        ),
        (
            .removeObsolete(EntryID(number: .min)),
            "01000107ffffffffffffffffff01"
        ),
        (
            .putName(SavedName(name, watchedName)),
            "01040b6578616d706c652e6f7267016e016108534552564641494c01082b0200080808080120"
                + "010db8000000000000000000000001002d012d0380f0efd5142e00"
        ),
        (
            .removeName(name),
            "01010b6578616d706c652e6f726701092b"
        ),
        (
            .event(event),
            "01030b6578616d706c652e6f726707506f747364616d016d010a041f80f0efd5140008080808"
                + "2b010a002d2de807"
        ),
        (
            .hasFileEntries(false),
            "0100010b"
        ),
        (
            .hasFileEntries(true),
            "0100010c"
        ),
        (
            .window(window),
            "0100010d3f021e12028080c58bc6d10180b6b8d21480d30e15"
        ),
        (
            .health(health),
            "0101086e6f207265706c79010e0e000480f0efd514032b8080c58bc6d10180b6b8d214060000"
        ),
        (
            .outage(outage),
            "0101016d010f0180f0efd514022b0e"
        ),
    ]

    @Test(arguments: writes) func `a write has these bytes`(write: Commit.Write, hex: String) throws {
        #expect(try JournalBody([write]).encoded().hex == hex)
    }

    @Test func `a body has these bytes`() throws {
        let hex =
            "010e097265736f6c7665727303646e73074765726d616e790244450242420b4272616e64656e"
            + "6275726707506f747364616d0d4575726f70652f4265726c696e034555521344657574736368"
            + "652054656c656b6f6d2041471a4153333332302044657574736368652054656c656b6f6d2041"
            + "470444544147053134343637064265726c696e0601809bee02aab4f6cfe6f48470ffafd5c914"
            + "0003c0843d00080800001f81002c012c00160024252e2f30313200333401a0380035353637ac"
            + "fb3fc4f90f381e7034666430313030302e646970302e742d6970636f6e6e6563742e6465000a"
            + "04050002010a3932031ad3071f810100160101acfb3fc4f90f381e7034666430313030312e64"
            + "6970302e742d6970636f6e6e6563742e6465000a04050002010a39320d1f021e1202a4cbac9c"
            + "b3020080d30ef025"
        #expect(try JournalBody(Samples.changedRecords(2) + [Samples.window]).encoded().hex == hex)
    }

    // MARK: Tables

    @Test func `known texts keep their indices`() {
        #expect(TextTable.known.count == 43)
        #expect(Set(TextTable.known).count == TextTable.known.count)
        #expect(Set(Record.Field.allCases.map(\.rawValue)).isSubset(of: TextTable.known))
        // FNV-1a (RFC 9923 §2) of the texts, each with a zero byte after it.
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        for text in TextTable.known {
            for byte in Array(text.utf8) + [0] { digest = (digest ^ UInt64(byte)) &* 0x0100_0000_01B3 }
        }
        #expect(digest == 3_692_754_356_303_690_415)
    }

    @Test func `codes keep their values`() {
        #expect(PublishedEvent.Kind.allCases.map(\.code) == Array(1...17))
        #expect(Failure.Kind.allCases.map(\.code) == Array(1...9))
        #expect(ProviderState.allCases.map(\.code) == Array(1...5))
        #expect(LimitedResource.allCases.map(\.code) == Array(1...11))
    }

    @Test func `the encoding has every field of a record`() {
        let texts = Record.Field.allCases.filter {
            switch $0.storage {
            case .place, .network: true
            case .offset, .asn, .degrees, .own, .flag: false
            }
        }
        #expect(Place.encodedTexts.count + Network.encodedTexts.count == texts.count)
        #expect(Set(Place.encodedTexts.map { $0 as PartialKeyPath<Place> }).count == Place.encodedTexts.count)
        #expect(Set(Network.encodedTexts.map { $0 as PartialKeyPath<Network> }).count == Network.encodedTexts.count)
    }

    // MARK: Values

    private static let name = HostName.sample
    private static let watch = Watch(
        byClient: true, byFile: true, overrides: .note, isPinned: true,
        end: WatchEnd(until: Instant.test.wall + .seconds(60), elapsed: .seconds(9)), tags: ["a"], note: "n")
    private static let watchedName = WatchedName(
        addresses: [key.address, v6], tags: ["a"], note: "n", answeredAt: Instant.test.wall,
        failure: NameFailure(reason: "SERVFAIL", since: Instant.test.wall))
    private static let event = PublishedEvent(
        seq: 5, at: Instant.test.wall, kind: .changed, address: key.address,
        fields: [FieldChange(field: "city", old: nil, new: "Potsdam")], message: "m", user: 1_000, name: name)
    private static let window = SavedWindow(
        provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 9, outstanding: 1, resetsAt: .test,
        length: .seconds(60), margin: .nanoseconds(5), isOfEarlierBoot: true)
    private static let health = SavedHealth(
        provider: nil, endpoint: .single, state: .throttled, since: Instant.test.wall, failure: failure,
        retryAt: .test, isFromRetryAfter: true)
    private static let outage = Outage(
        number: 9, since: Instant.test.wall, until: Instant.test.wall + .milliseconds(1), cause: .provider,
        message: "m",
        deferred: 7)

    private static func scan(_ answer: Answer) -> Scan { Scan(answer: answer, at: .test, provider: "ip-api.com") }

    /// A record with all fields; each text is the name of its field.
    private static var record: Record {
        var (place, network) = (Place(), Network())
        for field in Record.Field.allCases {
            switch field.storage {
            case .place(let path): place[keyPath: path] = "\(field.rawValue)!"
            case .network(let path): network[keyPath: path] = "\(field.rawValue)!"
            case .offset, .asn, .degrees, .own, .flag: break
            }
        }
        place.offset = -3_600
        var record = Record(place: place, network: network)
        (record.lat, record.lon) = (-33.8688, 1 / 3)
        (record.zip, record.reverse) = ("zip!", "reverse!")
        (record.mobile, record.proxy) = (true, false)
        return record
    }
}
