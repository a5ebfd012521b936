import CLinux
import Confinement
import Control
import Dispatch
import Foundation
import IPAPI
import Logging
import RecordKeeping
import RecordStore
import Systemd
import TestSupport

@testable import Daemon

/// The engine with all its shells, in a temporary folder and without a reachable provider.
///
/// Tests use addresses of special ranges, which need no call, or addresses that wait for the provider forever.
final class Service: Sendable {
    let folder: TemporaryFolder
    let engine: Engine
    private let store: Store
    private let client: Client
    /// Accessed only on the engine's queue.
    private(set) nonisolated(unsafe) var server: ControlServer?

    var socket: String { folder.file("control.sock") }

    /// Runs a service, and stops it even if `body` throws.
    ///
    /// - Parameters:
    ///   - refusesDescriptors: false makes the listening socket accept descriptors, as on a kernel that cannot refuse
    ///     them.
    ///   - acceptConnection: accept4(2); returns -1 with errno.
    static func run(
        limiter: ConnectionLimiter = ConnectionLimiter(), refusesDescriptors: Bool = true,
        closer: ConnectionCloser = ConnectionCloser(),
        acceptConnection: @escaping @Sendable (Int32) -> Int32 = clinux_accept, _ body: (Service) throws -> Void
    ) async throws {
        let service = try Service(limiter, refusesDescriptors, closer, acceptConnection)
        defer { withExtendedLifetime(service) {} }
        let result = Result { try body(service) }
        await service.stop()
        try result.get()
    }

    private init(
        _ limiter: ConnectionLimiter, _ refusesDescriptors: Bool, _ closer: ConnectionCloser,
        _ acceptConnection: @escaping @Sendable (Int32) -> Int32
    ) throws {
        folder = try TemporaryFolder()
        // Nothing listens at port 9, which is reserved for the discard protocol (RFC 863).
        let provider = try Provider(endpoint: "http://127.0.0.1:9")
        let store = try Store(path: folder.file("records.db"))
        let client = Client(provider: provider) { SystemClock.now }
        (self.store, self.client) = (store, client)
        let keeper = Keeper(settings: Settings(documentedLimits: [:]), seed: 1, startedAt: SystemClock.now)
        engine = Engine(executor: QueueExecutor(label: "test.engine"), keeper: keeper)
        let listener = try ListeningSocket(
            path: folder.file("control.sock"), refusesDescriptors: refusesDescriptors)
        let poller = try Poller.start(on: engine.executor.queue)
        onQueue { engine in
            engine.begin { engine in
                let server = ControlServer(
                    engine: engine, sockets: [listener], poller: poller.value, adminGroup: nil, limiter: limiter,
                    closer: closer, acceptConnection: acceptConnection, log: Self.log,
                    state: StateReplies(version: "test", endpoint: "nowhere") { view in
                        Interface.Store(
                            path: store.path, bytes: 0, changes: 0, lastSeq: view.lastSeq, failure: view.storeFailure)
                    })
                self.server = server
                return World(
                    engine: engine, store: store, provider: .remote(client, host: provider.host), backups: 0,
                    server: server,
                    notifier: Notifier(), lists: ListReader(engine: engine, log: Self.log) { ListContents() },
                    databases: LocalDatabases(log: Self.log), logger: Self.log, finished: {})
            }
        }
        engine.post(.restored(Restored()))
        onQueue { $0.openForClients() }
    }

    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func stop() async {
        onQueue { $0.end() }
        await client.shutdown()
        // No test depends on the close, and the folder is removed in any case.
        try? store.close()
    }

    /// Runs the work on the engine's queue, and waits for it.
    func onQueue<Result: Sendable>(_ work: @Sendable (isolated Engine) throws -> Result) rethrows -> Result {
        try engine.executor.queue.sync { try engine.assumeIsolated { try work($0) } }
    }

    func connect() throws -> UnixClient {
        try UnixClient(to: socket)
    }

    /// The number of this service's sockets: the listening one and one for each client. All have its path as their
    /// name.
    var socketCount: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.count { UnixAddress.name(of: $0) == socket }
    }

    struct TooLate: Error, CustomStringConvertible {
        let description: String
    }

    /// Waits until the service has this number of sockets. It polls, because the close of the daemon's end is not
    /// reported.
    func waitForSockets(_ count: Int) throws {
        let deadline = SystemClock.now.advanced(by: .seconds(60))
        while socketCount != count {
            guard SystemClock.now.boot < deadline.boot else {
                throw TooLate(description: "there are \(socketCount) sockets still, and there should be \(count)")
            }
            // Lets the engine's queue handle what has arrived.
            onQueue { _ in }
        }
    }
}

/// Calls of the control interface, as JSON texts.
enum CallText {
    /// The bytes of the calls on the wire.
    static func bytes(_ calls: [String]) -> [UInt8] {
        calls.flatMap { (call: String) -> [UInt8] in Array(call.utf8) + [0] }
    }

    static let info = #"{"method":"org.varlink.service.GetInfo"}"#
    static let status = #"{"method":"io.iprecord.Control.Status"}"#

    static func add(_ addresses: String...) -> String {
        #"{"method":"io.iprecord.Control.Add","parameters":{"addresses":\#(addresses)}}"#
    }

    static func show(_ address: String, wait: Int) -> String {
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["\#(address)"],"wait":\#(wait)}}"#
    }

    /// Shows private addresses, from 10.0.0.0 on.
    static func show(many count: Int) -> String {
        let addresses = (0..<count).map { "\"10.0.\($0 / 256).\($0 % 256)\"" }.joined(separator: ",")
        return #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":[\#(addresses)],"wait":0}}"#
    }

    /// Listens from the first kept event on, so that the events may occur before the listener connects.
    static func monitor(_ kinds: String...) -> String {
        #"{"method":"io.iprecord.Control.Monitor","parameters":{"after":0,"kinds":\#(kinds)},"more":true}"#
    }

    static func description(of interface: String) -> String {
        let method = "org.varlink.service.GetInterfaceDescription"
        return #"{"method":"\#(method)","parameters":{"interface":"\#(interface)"}}"#
    }
}
