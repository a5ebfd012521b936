import ArgumentParser
import Glibc
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ProviderModel

/// The mock provider: ip-api.com over HTTP on this machine, with made-up records, for development, tests and
/// demonstrations.
@main
struct MockProvider: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ip-api-stand-in",
        abstract: "Run a mock of ip-api.com on this machine, with made-up records.",
        discussion: """
            Serves GET /json/{address} and POST /batch with the documented limits,
            headers and failures. Prints one line, "listening on http://HOST:PORT",
            when it is ready.

            FAULTS, written as NAME[=ARGUMENT][:CALLS]; without CALLS, all calls
            are affected:
              \(Fault.names.joined(separator: "\n  "))

            ADMINISTRATIVE REQUESTS
              GET    /_admin/calls[?after=NUMBER]   list the calls, oldest first
              DELETE /_admin/calls                  clear the list of calls
              POST   /_admin/fault?name=NAME[=ARG][&endpoint=single|batch][&count=CALLS]
                                                    inject a fault
              DELETE /_admin/fault                  clear all faults
              POST   /_admin/change[?address=IP]    change one record, or all
              GET    /_admin/state                  show quotas, faults and counts
            """)

    @Option(help: "Address to listen on; port 0 for any free port, [::1]:0 for IPv6.")
    var bind = BindAddress(host: "127.0.0.1", port: 8045)

    @Option(help: ArgumentHelp("Requests per window to /json, or none for no limit.", valueName: "n|none"))
    var singleQuota = QuotaOption(limit: 45)

    @Option(help: ArgumentHelp("Requests per window to /batch, or none for no limit.", valueName: "n|none"))
    var batchQuota = QuotaOption(limit: 15)

    @Option(help: ArgumentHelp("Length of a quota window.", valueName: "seconds"))
    var window = 60.0

    @Option(
        help: ArgumentHelp("Ban the client after this many replies with status 429 (default: never).", valueName: "n"))
    var banAfter: Int?

    @Option(help: ArgumentHelp("Length of a ban.", valueName: "seconds"))
    var banLength = 3_600.0

    @Option(help: "Answer 403 to requests without this key (default: no key is required).")
    var key: String?

    @Option(help: ArgumentHelp("Number of districts per city, and of customers per network.", valueName: "n"))
    var variety = 1

    @Flag(help: "Give each address its own postal code and reverse name.")
    var distinctTexts = false

    @Flag(help: "Keep the elements of batch replies in memory, so that they are made only once.")
    var keepElements = false

    @Option(
        help: ArgumentHelp("Fault to inject from the start; can be repeated.", valueName: "name[=arg][:calls]"),
        transform: FaultOption.init)
    var fault: [FaultOption] = []

    func validate() throws {
        guard (0.001...86_400).contains(window) else {
            throw ValidationError("--window must be from 0.001 to 86400 seconds")
        }
        guard (1...1_000_000).contains(variety) else { throw ValidationError("--variety must be from 1 to 1000000") }
        guard (0...31_536_000).contains(banLength) else {
            throw ValidationError("--ban-length must be from 0 to 31536000 seconds (a year)")
        }
        guard banAfter.map({ $0 > 0 }) ?? true else { throw ValidationError("--ban-after must be at least 1") }
    }

    func run() async throws {
        let model = SharedModel(settings, faults: fault)
        let application = Application(
            responder: MockProviderResponder(model: model),
            configuration: ApplicationConfiguration(address: .hostname(bind.host, port: bind.port)),
            onServerRunning: { announce($0) },
            logger: Logger(label: "ip-api-stand-in") { _ in SwiftLogNoOpLogHandler() })
        // Signals end the program at once, with status 0: the library would first wait for the end of calls, some of
        // which hang because of a fault. Nothing is lost, because the program saves nothing.
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(EXIT_SUCCESS) } }
        do {
            try await application.run()
        } catch let error as IOError {
            let reason = "\(String(cString: strerror(error.errnoCode))) (errno \(error.errnoCode))"
            throw CannotListen(description: "cannot listen on \(bind): \(reason)")
        }
    }

    private var settings: ModelSettings {
        var settings = ModelSettings()
        settings.singleQuota = singleQuota.limit
        settings.batchQuota = batchQuota.limit
        settings.window = .milliseconds(Int64(window * 1_000))
        settings.offencesUntilBan = banAfter
        settings.banLength = .milliseconds(Int64(banLength * 1_000))
        settings.requiredKey = key
        settings.variety = variety
        settings.hasDistinctTexts = distinctTexts
        settings.keepsElements = keepElements
        return settings
    }
}

/// The error if the address is in use or does not belong to this machine.
private struct CannotListen: Error, CustomStringConvertible {
    let description: String
}

/// Prints the address that the server is listening on, for callers that chose port 0.
private func announce(_ channel: any Channel) {
    guard let address = channel.localAddress, let host = address.ipAddress, let port = address.port else { return }
    print("listening on http://\(host.contains(":") ? "[\(host)]" : host):\(port)")
    fflush(nil)
}
