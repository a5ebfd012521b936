import Dispatch
package import RecordKeeping

/// The one owner of the keeper: what happens comes in here, and what follows is carried out from here.
///
/// Its executor is a serial queue on which timers and sockets fire, too. From anywhere else there is one way in, `post`,
/// which keeps the order; a task for each event would not. Nothing here suspends.
package actor Engine {
    package nonisolated let executor: QueueExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The keeper, which belongs to the queue.
    ///
    /// It stands beside the actor's own state, so that who is on the queue can take a look without the runtime's check of actors,
    /// which takes longer than the look: `glance` asks for the queue itself.
    private final class Core {
        var keeper: Keeper

        init(_ keeper: Keeper) {
            self.keeper = keeper
        }
    }

    private nonisolated(unsafe) let core: Core
    /// Where effects go; nil until `begin`, since it needs the way in to be made.
    private var world: World?

    package init(executor: QueueExecutor, keeper: Keeper) {
        self.executor = executor
        core = Core(keeper)
    }

    /// The keeper takes in entries of the store, on the engine's queue, while the next ones are read. Before `begin`.
    nonisolated func restore(_ entries: [SavedEntry], of count: Int) {
        executor.queue.async {
            // Nothing follows from them before all of them are there.
            self.assumeIsolated { _ = $0.core.keeper.handle(.restoring(entries, of: count), at: SystemClock.now) }
        }
    }

    /// Puts the shells around the keeper. Nothing else is handled before.
    ///
    /// - Parameter make: makes them on the engine's queue, to which they belong.
    func begin(_ make: @Sendable (isolated Engine) throws -> World) rethrows {
        world = try make(self)
    }

    /// Clients are answered from now on.
    func openForClients() {
        world?.open()
    }

    /// A signal wants it to end: it takes on nobody new, and the keeper hears of it once it has heard what was asked before.
    nonisolated func terminateNow() {
        assumeIsolated { engine in
            engine.world?.stopTaking { engine.post(.terminating) }
        }
    }

    /// Sends clients what they were answered, as far as they take it, and lets them go.
    ///
    /// - Parameter done: called once that is done, on this queue.
    func dismissClients(_ done: @escaping @Sendable () -> Void) {
        guard let world else { return done() }
        world.dismissClients(done)
    }

    /// For the service manager.
    var statusLine: String {
        let now = SystemClock.now
        return core.keeper.status(at: now).line(at: now.wall)
    }

    /// Takes the shells away. Nothing is handled after.
    func end() {
        world?.close()
        world = nil
    }

    /// Something happened, somewhere: it is handled after everything that was posted before.
    package nonisolated func post(_ event: Event) {
        executor.queue.async {
            self.assumeIsolated { $0.handle(event) }
        }
    }

    /// Something happened on the engine's own queue.
    nonisolated func handleNow(_ event: Event) {
        assumeIsolated { $0.handle(event) }
    }

    /// What is known of addresses, where that can be told without an event (``Keeper/glance(_:at:into:)``). To be asked on the
    /// engine's own queue.
    nonisolated func glance(_ addresses: [IPAddress], at now: Instant, into entries: inout [FreshEntry]) -> Bool {
        executor.checkIsolated()
        return core.keeper.glance(addresses, at: now, into: &entries)
    }

    /// What was seen at a glance has this in common with others.
    nonisolated var common: CommonParts {
        executor.checkIsolated()
        return core.keeper.common
    }

    private func handle(_ event: Event) {
        guard let world else { return }
        world.note(event)
        world.carryOut(core.keeper.handle(event, at: SystemClock.now))
    }
}
