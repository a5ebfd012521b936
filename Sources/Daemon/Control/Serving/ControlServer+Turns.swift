import Confinement
import Control
import Dispatch
import Glibc
import RecordKeeping

/// Long work, which is done in pieces: users get one piece each in turn (``FairQueue``), and short requests are served
/// after every `ControlLimits.turn`.
///
/// The pieces are turns of listings and searches, pages of histories and kept events, large requests, and large
/// messages.
extension ControlServer {
    /// Runs a piece of a user's work in its turn.
    func inTurn(of user: uid_t, _ work: @escaping () -> Void) {
        turns.append(work, of: user)
        scheduleTurns()
    }

    private func scheduleTurns() {
        guard !isTurnScheduled, !turns.isEmpty else { return }
        isTurnScheduled = true
        later { [self] in
            isTurnScheduled = false
            let end = SystemClock.now.boot + ControlLimits.turn
            while let work = turns.popFirst() {
                work()
                if SystemClock.now.boot >= end { break }
            }
            scheduleTurns()
        }
    }

    /// Passes a request to the engine in its turn, unless its client has disconnected or hung up by then.
    func handleInTurn(_ request: Request) {
        guard let peer = peers[request.id.peer] else { return }
        inTurn(of: peer.user) { [engine] in
            if peer.channel.state.isAnswering(request.id.number) { engine.handleNow(.requested(request)) }
        }
    }

    /// Reads from the store for a request, in turn with other users. At most `ControlLimits.readings` reads are in
    /// progress or have an unhandled result, which bounds the memory of their pages.
    ///
    /// - Parameter begin: starts the read, and calls `done` once, on any thread, with the event that carries the
    ///   result.
    func readInTurn(for request: Request.ID, _ begin: @escaping (_ done: @escaping @Sendable (Event) -> Void) -> Void) {
        guard let user = peers[request.peer]?.user else { return }
        readings.append((request, begin), of: user)
        beginReadings()
    }

    private func beginReadings() {
        while readingCount < ControlLimits.readings, let (request, begin) = readings.popFirst() {
            guard let peer = peers[request.peer], peer.channel.state.isAnswering(request.number) else { continue }
            readingCount += 1
            let queue = engine.executor.queue
            let (server, user) = (QueueConfined(self, onQueue: queue), peer.user)
            begin { event in
                queue.async { server.value.finishReading(of: user, event) }
            }
        }
    }

    private func finishReading(of user: uid_t, _ event: Event) {
        inTurn(of: user) { [self] in
            engine.handleNow(event)
            readingCount -= 1
            beginReadings()
        }
    }
}
