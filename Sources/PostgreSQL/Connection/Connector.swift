import Confinement
import Dispatch

/// Establishes a connection to the first of several servers that accepts it and is writable.
///
/// Each address gets a connection of libpq of its own: libpq would wait for an unreachable server as long as the kernel
/// does, because its time limits apply to blocking calls only. Names are resolved before, all at once, because libpq
/// blocks while it resolves them. A name without a reply delays the other servers for at most half of the time limit.
///
/// Belongs to the queue passed to `init`: its methods and its callback run there.
final class Connector {
    typealias Completion = (Result<LibPQSession, PostgreSQLError>) -> Void

    private enum Phase {
        case idle
        case resolving(Resolving)
        case trying(Attempt)
        case done
    }

    private struct Resolving {
        let library: LibPQSession.Library
        var hosts: HostResolution
        /// Whether half of the time limit has passed, so that the known addresses suffice.
        var isLate = false
    }

    /// An attempt to connect to the first of the remaining servers.
    private struct Attempt {
        let session: LibPQSession
        let library: LibPQSession.Library
        let remaining: ArraySlice<ServerAddress>
        let limit: Duration
        /// Waits for the event for which libpq asked.
        var watch: SocketWatch?
    }

    private let settings: ConnectionSettings
    private let queue: DispatchQueue
    private let resolve: ServerAddress.Resolver
    private let deadline: DispatchTime
    private let done: Completion
    private var keywords: [String: String] = [:]
    private var phase = Phase.idle
    private var failures: [PostgreSQLError] = []
    private var timer: OneShotTimer?

    /// - Parameter done: called once, unless `cancel` was called before. Not called by `start`.
    init(
        _ settings: ConnectionSettings, queue: DispatchQueue, resolve: @escaping ServerAddress.Resolver,
        done: @escaping Completion
    ) {
        (self.settings, self.queue, self.resolve, self.done) = (settings, queue, resolve, done)
        deadline = .after(settings.connectLimit)
    }

    /// Begins to connect. The connector stays alive until it has called `done`, or until `cancel`.
    func start(library name: String) {
        let connector = QueueConfined(self, onQueue: queue)
        timer = OneShotTimer(queue: queue) { connector.value.timeIsOver() }
        do throws(PostgreSQLError) {
            let library = try LibPQSession.Library(name: name)
            keywords = ServerAddress.completing(try library.parse(settings.url), with: try library.defaults())
            let hosts = HostResolution(try ServerAddress.all(in: keywords))
            phase = .resolving(Resolving(library: library, hosts: hosts))
            timer?.arm(.after(settings.connectLimit / 2))
            for (index, host) in hosts.pendingHosts {
                resolve(host) { [queue] result in queue.async { connector.value.resolved(result, at: index) } }
            }
            queue.async { connector.value.tryAddresses() }
        } catch {
            let failure = error
            queue.async { connector.value.end(.failure(failure)) }
        }
    }

    func cancel() {
        (phase, timer) = (.done, nil)
    }

    private func end(_ result: Result<LibPQSession, PostgreSQLError>) {
        if case .done = phase { return }
        cancel()
        done(result)
    }

    // MARK: Resolving

    private func resolved(_ result: Result<[String], PostgreSQLError>, at index: Int) {
        guard case .resolving(var resolving) = phase else { return }
        resolving.hosts.record(result, at: index)
        phase = .resolving(resolving)
        tryAddresses()
    }

    /// Begins the attempts once all names are resolved, or late with the addresses that are known.
    private func tryAddresses() {
        guard case .resolving(let resolving) = phase else { return }
        let (pending, addresses) = (resolving.hosts.pendingHosts, resolving.hosts.addresses)
        guard pending.isEmpty || resolving.isLate && !addresses.isEmpty else { return }
        failures = resolving.hosts.failures
        if addresses.isEmpty, let failure = failures.first { return end(.failure(failure)) }
        failures += pending.map {
            .unresolvedHost($0.host, reason: "no reply within \((settings.connectLimit / 2).text)")
        }
        tryNext(addresses[...], resolving.library)
    }

    // MARK: Attempts

    private func tryNext(_ remaining: ArraySlice<ServerAddress>, _ library: LibPQSession.Library) {
        var remaining = remaining
        while let server = remaining.popFirst() {
            let limit = DispatchTime.now().duration(to: deadline) / (remaining.count + 1)
            guard let session = LibPQSession(settings.keywords(keywords, for: server), library: library) else {
                failures.append(.connectFailed(reason: "out of memory", state: nil))
                continue
            }
            phase = .trying(Attempt(session: session, library: library, remaining: remaining, limit: limit))
            timer?.arm(.after(limit))
            // As if libpq had asked for it ("PQconnectPoll").
            return follow(.wait(.writable))
        }
        end(.failure(.combining(failures, limit: settings.connectLimit)))
    }

    private func follow(_ step: LibPQSession.ConnectStep) {
        guard case .trying(var attempt) = phase else { return }
        switch step {
        case .wait(let event):
            let connector = QueueConfined(self, onQueue: queue)
            let watch = SocketWatch(event, of: attempt.session.socket, queue: queue) { connector.value.proceed() }
            guard let watch else { return fail(.ofConnecting(attempt.session)) }
            attempt.watch = watch
            phase = .trying(attempt)
        case .connected: end(.success(attempt.session))
        case .failed: fail(.ofConnecting(attempt.session))
        }
    }

    private func proceed() {
        guard case .trying(var attempt) = phase, attempt.watch != nil else { return }
        // libpq may close the socket and open another one, so each step has a watch of its own.
        attempt.watch = nil
        phase = .trying(attempt)
        follow(attempt.session.connect())
    }

    private func fail(_ failure: PostgreSQLError) {
        guard case .trying(let attempt) = phase else { return }
        failures.append(failure)
        tryNext(attempt.remaining, attempt.library)
    }

    private func timeIsOver() {
        switch phase {
        case .resolving(var resolving) where !resolving.isLate:
            resolving.isLate = true
            phase = .resolving(resolving)
            timer?.arm(deadline)
            tryAddresses()
        case .resolving:
            end(.failure(.connectTimedOut(limit: settings.connectLimit, reason: "the host name was not resolved")))
        case .trying(let attempt):
            fail(.connectTimedOut(limit: attempt.limit, reason: nil))
        case .idle, .done:
            break
        }
    }
}
