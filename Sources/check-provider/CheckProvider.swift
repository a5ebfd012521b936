import ArgumentParser
import IPAPI
import ProviderModel
import RecordKeeping

/// The program `check-provider`, which compares a provider with the model that the tests use.
@main
struct CheckProvider: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-provider",
        abstract: "Compare a provider with the mock provider: fields, types, headers and errors.",
        discussion: """
            Makes at most 10 calls, and no further call to an endpoint whose quota is used up. Exits with status 0 if \
            there are no differences, with 1 if there are, and with 75 if not all calls could be made.
            """)

    @Argument(help: "Base URL of the provider.") var endpoint = "http://ip-api.com"

    @Option(help: "Base URL for the request over https (default: https://ip-api.com, if that is the provider).")
    var httpsEndpoint: String?

    /// The exit status if not all calls could be made: EX_TEMPFAIL in sysexits(3).
    private static let incomplete = ExitCode(75)

    func run() async throws {
        let provider = try Provider(endpoint: endpoint)
        let freeTier = try Provider()
        let insecure = Client(provider: provider) { Self.start }
        let secureEndpoint = httpsEndpoint ?? (provider == freeTier ? "https://\(provider.host)" : nil)
        let secure = try secureEndpoint.map { endpoint in
            Client(provider: try Provider(endpoint: endpoint)) { Self.start }
        }
        var check = ProviderComparison(decoder: ReplyDecoder(provider))
        for probe in try Probe.all() {
            guard let client = probe.isSecure ? secure : insecure else {
                check.skip(probe, "no endpoint for https; see --https-endpoint")
                continue
            }
            await check.run(probe, over: client)
        }
        await insecure.shutdown()
        await secure?.shutdown()
        for line in check.report { print(line) }
        guard !check.hasDifferences else { throw ExitCode.failure }
        guard check.isComplete else { throw Self.incomplete }
    }

    /// The time of all calls. The comparison does not depend on times.
    static let start = Instant(boot: BootTime(nanoseconds: 0), wall: WallTime(milliseconds: 0))
}
