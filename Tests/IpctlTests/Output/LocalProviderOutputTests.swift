import Control
import Testing

@testable import RecordKeeping
@testable import ipctl

/// The output of `status`, `show` and `doctor` for local databases as the provider.
@Suite struct LocalProviderOutputTests {
    private static let target = DoctorTarget(socket: SocketPath.system) { _ in nil }

    private static func status(_ change: (inout StatusView) -> Void = { _ in }) -> Control.Status.Reply {
        var status = Sample.status {
            $0.provider.name = "GeoLite2-City"
            $0.provider.quotas = []
            ($0.nextAt, $0.due, $0.inFlight, $0.load) = (nil, 0, 0, nil)
            change(&$0)
        }
        status.provider.endpoint = Settings.localEndpoint
        return status
    }

    @Test func `the status shows no network, no endpoint and no quota`() {
        let lines = StatusCard(status: Self.status(), now: Sample.now).lines(on: .pipe)
        #expect(lines.value(of: "Network") == "not needed: the records come from local databases")
        #expect(lines.value(of: "Provider")?.hasPrefix("local databases, ok since ") == true, "\(lines)")
        #expect(lines.value(of: "Refresh") == "when the databases change")
        #expect(!lines.contains { $0.contains("Quota") || $0.contains("Load") }, "\(lines)")
    }

    @Test(arguments: [EntryState.fresh, .empty]) func `the card of a current record states when it ends`(
        state: EntryState
    ) throws {
        let entry = try Sample.entry(state, record: Sample.record, scanned: -86_400)
        let lines = EntryCard(entry: entry, now: Sample.now).lines(on: .pipe)
        #expect(lines.value(of: "Age") == "scanned 24 h ago, current until the local databases change")
    }

    @Test func `the card of a stale record does not call it current`() throws {
        let entry = try Sample.entry(.stale, record: Sample.record, scanned: -86_400)
        #expect(EntryCard(entry: entry, now: Sample.now).lines(on: .pipe).value(of: "Age") == "scanned 24 h ago")
    }

    @Test func `the doctor expects neither a URL nor a quota nor a reply from the network`() {
        let endpoint = EndpointCheck(endpoint: Settings.localEndpoint, target: Self.target).findings()
        #expect(endpoint.map(\.state) == [.ok] && endpoint[0].message.contains("no address is sent"))
        let status = Self.status()
        let quota = QuotaCheck(
            refresh: status.refresh, watched: 5, target: Self.target, hasAnswered: false, quotas: [], isLocal: true)
        #expect(quota.findings().map(\.state) == [.ok])
        let provider = ProviderCheck(provider: status.provider, target: Self.target, now: Sample.now).findings()
        #expect(provider.map(\.state) == [.ok] && provider[0].message.hasPrefix("GeoLite2-City, "), "\(provider)")
    }

    @Test func `the doctor reports databases that cannot be read`() {
        let status = Self.status {
            ($0.provider.state, $0.provider.message) = (.failing, "none of the local databases can be read")
        }
        let finding = ProviderCheck(provider: status.provider, target: Self.target, now: Sample.now).findings()[0]
        #expect(finding.state == .bad && finding.message.hasSuffix("none of the local databases can be read"))
        #expect(finding.remedy?.contains("[offline] databases") == true && finding.remedy?.contains("curl") == false)
    }
}
