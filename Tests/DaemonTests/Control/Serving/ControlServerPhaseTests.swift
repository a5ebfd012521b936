import Testing

@testable import Daemon

/// The phases of the control server, without sockets.
struct ControlServerPhaseTests {
    private typealias Phase = ControlServerPhase<String>

    /// A server in each phase, by the events that lead to it.
    private enum Stage: CaseIterable {
        case idle, accepting, draining, drained, dismissing, dismissed, ended

        var phase: Phase {
            var phase = Phase()
            if self == .idle { return phase }
            _ = phase.begin()
            if self == .accepting { return phase }
            if self == .ended {
                _ = phase.end()
                return phase
            }
            _ = phase.stopAccepting("drained")
            if self == .draining { return phase }
            _ = phase.drain()
            if self == .drained { return phase }
            _ = phase.dismiss("dismissed")
            if self == .dismissing { return phase }
            _ = phase.lastClientLeft()
            return phase
        }
    }

    /// Expects that exactly these stages satisfy a predicate, which may change the phase.
    private static func expect(
        _ stages: [Stage], sourceLocation: SourceLocation = #_sourceLocation, satisfy isSo: (inout Phase) -> Bool
    ) {
        let found = Stage.allCases.filter { stage in
            var phase = stage.phase
            return isSo(&phase)
        }
        #expect(found == stages, sourceLocation: sourceLocation)
    }

    @Test func `each event has an effect only in its phases, and only once`() {
        Self.expect([.idle]) { $0.begin() }
        Self.expect([]) { $0.begin() && $0.begin() }
        Self.expect([.accepting]) { $0.stopAccepting("") }
        Self.expect([]) { $0.stopAccepting("") && $0.stopAccepting("") }
        Self.expect([.draining]) { $0.drain() == "drained" }
        Self.expect([]) { $0.drain() != nil && $0.drain() != nil }
        Self.expect([.idle, .accepting, .draining, .drained]) { $0.dismiss("") }
        Self.expect([]) { $0.dismiss("") && $0.dismiss("") }
        Self.expect([.dismissing]) { $0.lastClientLeft() == "dismissed" }
        Self.expect([]) { $0.lastClientLeft() != nil && $0.lastClientLeft() != nil }
        Self.expect(Stage.allCases.dropLast()) { $0.end() }
        Self.expect([]) { $0.end() && $0.end() }
    }

    @Test func `clients are being dismissed from the dismissal until the last one has left`() {
        Self.expect([.dismissing]) { $0.isDismissing }
        Self.expect([.idle, .accepting, .draining, .drained]) {
            $0.dismiss("done") && $0.isDismissing && $0.lastClientLeft() == "done" && !$0.isDismissing
        }
    }

    @Test func `nothing begins again after the end`() {
        var phase = Phase()
        _ = phase.end()
        let hasEffect = phase.begin() || phase.stopAccepting("") || phase.dismiss("")
        let done = phase.drain() ?? phase.lastClientLeft()
        #expect(!hasEffect && done == nil)
    }
}
