import CLinux
import Dispatch
import Glibc
import RecordKeeping
import RouteMonitor
import Synchronization
import TestSupport
import Testing

/// The network of one test: a namespace with two uplinks, `vwan` and `vlte`, whose peers are `pwan` and `plte`.
///
/// All isolated code runs on the thread that is in the namespace, and may block it.
actor Network {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    nonisolated let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let queue = DispatchQueue(label: "network")
    private let changes = DispatchSemaphore(value: 0)
    private var monitor: RouteMonitor?
    private var isSuspended = false

    /// Calls `body` with a new network, and deletes the network afterwards.
    static func with<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Network) async throws -> Result
    ) async throws -> Result {
        let network = Network()
        network.executor.start()
        defer { network.executor.close() }
        let result: Swift.Result<Result, any Error>
        do {
            try await network.build()
            result = .success(try await body(network))
        } catch {
            result = .failure(error)
        }
        await network.resumeListening()
        return try result.get()
    }

    /// Whether this process may create namespaces and links, determined by an attempt.
    static func isAvailable() async -> Bool { await availability.value }

    private static let availability = Task {
        do {
            try await with { _ in }
            return true
        } catch {
            print("SKIPPED: tests of the kernel's routes need root and network namespaces: \(error)")
            return false
        }
    }

    private func build() throws {
        guard clinux_unshare_network() == 0 else {
            throw Failure(description: "unshare: \(String(cString: strerror(errno)))")
        }
        try ip("link set lo up")
        for (uplink, peer, number) in [("vwan", "pwan", 1), ("vlte", "plte", 2)] {
            try ip("link add \(uplink) type veth peer name \(peer)")
            // Prevent link-local addresses, which the kernel adds and removes.
            for link in [uplink, peer] { try ip("link set \(link) addrgenmode none up") }
            try ip("addr add 10.0.\(number).2/24 dev \(uplink)")
            try ip("addr add fd00:\(number)::2/64 dev \(uplink) nodad")
        }
    }

    /// Runs `ip` with these arguments in the namespace.
    func ip(_ arguments: String) throws {
        try run("ip " + arguments)
    }

    /// Adds a number of routes in one burst.
    func storm(routes: Int) throws {
        let lines = #"{ printf "route add 198.18.%d.%d via 10.0.1.1\n", $1 / 250, $1 % 250 }"#
        try run(["sh", "-c", "seq \(routes) | awk '\(lines)' | ip -batch -"])
    }

    /// Runs a command in the namespace.
    ///
    /// - Parameter command: words separated by spaces.
    func run(_ command: String) throws {
        try run(command.split(separator: " ").map(String.init))
    }

    private func run(_ command: [String]) throws {
        // A new process belongs to the namespace of the thread that starts it.
        let ended = try PipedProgram.run(command, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        guard ended.status == 0 else {
            throw Failure(description: "\(command): status \(ended.status): \(ended.errors)")
        }
    }

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - suspended: whether the queue stays suspended until `resumeListening`.
    ///   - isBroken: whether the first socket fails on its first read.
    func listen(
        suspended: Bool = false, receiveBufferBytes: Int32? = nil, isBroken: Bool = false
    ) throws {
        let socket = try RouteMonitor.eventSocket()
        if let receiveBufferBytes { try socket.setReceiveBuffer(bytes: receiveBufferBytes) }
        if isBroken { try BrokenSocket.replace(socket) }
        // Opened here, because the threads of the queue are not in the namespace.
        let sockets = Mutex([socket] + (isBroken ? [try RouteMonitor.eventSocket()] : []))
        if suspended {
            queue.suspend()
            isSuspended = true
        }
        monitor = RouteMonitor(
            queue: queue, delay: ReopenDelay(first: .milliseconds(1)),
            openEvents: { () throws(NetlinkError) in
                guard let next = sockets.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    throw .failed(.open, errno: EPERM)
                }
                return next
            },
            openQuerySocket: { () throws(NetlinkError) in try RouteMonitor.querySocket() },
            onChange: { [changes] in changes.signal() }, onEventFailure: { _ in })
    }

    /// Call this before the network is released: Dispatch traps if a suspended queue is released.
    func resumeListening() {
        if isSuspended { queue.resume() }
        isSuspended = false
    }

    func stopListening() {
        monitor?.cancel()
        // Wait for the handlers that are running.
        queue.sync {}
    }

    /// Whether the monitor reports a change after an `ip` command.
    func isReported(_ command: String) throws -> Bool {
        if monitor == nil { try listen() }
        forgetChanges()
        try ip(command)
        return isReported()
    }

    /// Returns the route as soon as it equals `expected`, or as it is after the last event; nil if there was no event.
    ///
    /// The route is queried after each event, as the daemon does: the first event of a burst may precede its effect,
    /// and the kernel takes up to a second to detect a carrier.
    func status(to address: String, becomes expected: RouteStatus, after command: String) throws -> RouteStatus? {
        guard try isReported(command) else { return nil }
        return try status(to: address, becomes: expected)
    }

    /// Returns the route as soon as it equals `expected`, or as it is after the last event.
    func status(to address: String, becomes expected: RouteStatus) throws -> RouteStatus {
        var status = try status(to: address)
        while status != expected, isReported() { status = try self.status(to: address) }
        return status
    }

    /// Whether the monitor reports a change before the deadline.
    func isReported(within deadline: DispatchTimeInterval = .seconds(60)) -> Bool {
        changes.wait(timeout: .now() + deadline) == .success
    }

    /// Discards all changes reported so far, including those in progress.
    func forgetChanges() {
        queue.sync {}
        while changes.wait(timeout: .now()) == .success {}
    }

    /// Queries the route to any of these addresses with the monitor of this namespace.
    func status(to addresses: String...) throws -> RouteStatus {
        if monitor == nil { try listen() }
        guard let monitor else { throw Failure(description: "the route monitor is not running") }
        return monitor.ask(try addresses.map { try IPAddress($0) })
    }

    /// Calls `body` on the thread that is in the namespace.
    func inside<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }
}
