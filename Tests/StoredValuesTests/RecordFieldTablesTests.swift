import RecordKeeping
import StoredValues
import Testing

struct RecordFieldTablesTests {
    @Test func `fields have the order of the columns`() {
        #expect(Record.Field.ofStoredNetwork == [.isp, .org, .as, .asname])
        #expect(Record.Field.own == [.lat, .lon, .zip, .reverse, .mobile, .proxy, .hosting])
    }

    @Test func `each field is in one table, except the number of the autonomous system`() {
        let stored = Record.Field.ofPlace + Record.Field.ofStoredNetwork + Record.Field.own
        #expect(Set(stored).count == stored.count)
        #expect(Set(Record.Field.allCases).subtracting(stored) == [.asn])
    }
}
