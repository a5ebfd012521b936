import Confinement
import Dispatch
package import RecordKeeping

/// The actor that owns the keeper: it passes events to the keeper, and has the shells perform the effects.
///
/// Its executor is a serial queue, on which timers and sockets also fire. Code on other queues calls `post`, which
/// preserves the order of events, unlike a task per event. No method suspends.
package actor Engine {
    package nonisolated let executor: QueueExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A box for the keeper, which is accessed only on the engine's queue.
    ///
    /// It is not part of the actor's isolated state, so that `readFresh` can skip the runtime's isolation check, which
    /// takes longer than the lookup.
    private final class Core {
        var keeper: Keeper

        init(_ keeper: Keeper) {
            self.keeper = keeper
        }
    }

    private nonisolated let core: QueueConfined<Core>
    private var phase = Phase.restoring

    private enum Phase {
        /// Saved entries are passed to the keeper. The shells do not exist yet, because they need the engine.
        case restoring
        /// The shells perform the keeper's effects.
        case running(World)
        /// The shells are closed.
        case ended
    }

    private var world: World? {
        if case .running(let world) = phase { world } else { nil }
    }

    package init(executor: QueueExecutor, keeper: Keeper) {
        self.executor = executor
        core = QueueConfined(Core(keeper), givenTo: executor.queue)
    }

    /// Passes saved entries to the keeper, asynchronously on the engine's queue, while the store reads more of them.
    /// Called before `begin`.
    ///
    /// - Parameter count: the number of all saved entries.
    nonisolated func restore(_ entries: [SavedEntry], of count: Int) {
        executor.queue.async {
            // There are no effects to perform before `.restored`.
            self.assumeIsolated { _ = $0.core.value.keeper.handle(.restoring(entries, of: count), at: SystemClock.now) }
        }
    }

    /// Connects the shells to the keeper. Events that arrive earlier are dropped.
    ///
    /// - Parameter make: creates the shells on the engine's queue, to which they belong.
    func begin(_ make: @Sendable (isolated Engine) throws -> World) rethrows {
        guard case .restoring = phase else { preconditionFailure("the engine begins once") }
        phase = .running(try make(self))
    }

    /// Begins to accept clients, and starts the watchdog.
    func openForClients() {
        world?.open()
    }

    /// Stops accepting clients, and passes `.terminating` to the keeper after the requests that clients sent earlier.
    /// Must be called on the engine's queue.
    nonisolated func terminateNow() {
        assumeIsolated { engine in
            engine.world?.server.stopAccepting { engine.post(.terminating) }
        }
    }

    /// Disconnects all clients, after they have received their replies or `ControlLimits.farewell` has passed.
    ///
    /// - Parameter done: called on the engine's queue when no client is connected.
    func dismissClients(_ done: @escaping @Sendable () -> Void) {
        guard let world else { return done() }
        world.server.dismissAll(done)
    }

    /// The line that `systemctl status` shows.
    var statusLine: String {
        let now = SystemClock.now
        return core.value.keeper.status(at: now).line(at: now.wall)
    }

    /// Closes the shells. Later events are dropped.
    func end() {
        world?.close()
        phase = .ended
    }

    /// Handles an event asynchronously, after all events that were posted before. May be called on any thread.
    package nonisolated func post(_ event: Event) {
        executor.queue.async {
            self.assumeIsolated { $0.handle(event) }
        }
    }

    /// Handles an event at once. Must be called on the engine's queue.
    nonisolated func handleNow(_ event: Event) {
        assumeIsolated { $0.handle(event) }
    }

    /// Reads the fresh records of addresses without an event, for the fast path (``Keeper/readFresh(_:at:into:)``).
    /// Must be called on the engine's queue.
    ///
    /// - Returns: false if the request needs an event, for example because a record is not fresh.
    nonisolated func readFresh(_ addresses: [IPAddress], at now: Instant, into entries: inout [FreshEntryView]) -> Bool
    {
        return core.value.keeper.readFresh(addresses, at: now, into: &entries)
    }

    /// The interned values of the entries that `readFresh` returns. Must be read on the engine's queue.
    nonisolated var internedValues: InternedValues {
        return core.value.keeper.internedValues
    }

    private func handle(_ event: Event) {
        guard let world else { return }
        world.note(event)
        world.perform(core.value.keeper.handle(event, at: SystemClock.now))
    }
}
