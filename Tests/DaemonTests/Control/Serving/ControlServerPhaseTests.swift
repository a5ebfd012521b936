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

    private static func stages(where isSo: (inout Phase) -> Bool) -> [Stage] {
        Stage.allCases.filter { stage in
            var phase = stage.phase
            return isSo(&phase)
        }
    }

    @Test func `each event has an effect only in its phases, and only once`() {
        #expect(Self.stages { $0.begin() } == [.idle])
        #expect(Self.stages { $0.begin() && $0.begin() } == [])
        #expect(Self.stages { $0.stopAccepting("") } == [.accepting])
        #expect(Self.stages { $0.stopAccepting("") && $0.stopAccepting("") } == [])
        #expect(Self.stages { $0.drain() == "drained" } == [.draining])
        #expect(Self.stages { $0.drain() != nil && $0.drain() != nil } == [])
        #expect(Self.stages { $0.dismiss("") } == [.idle, .accepting, .draining, .drained])
        #expect(Self.stages { $0.dismiss("") && $0.dismiss("") } == [])
        #expect(Self.stages { $0.lastClientLeft() == "dismissed" } == [.dismissing])
        #expect(Self.stages { $0.lastClientLeft() != nil && $0.lastClientLeft() != nil } == [])
        #expect(Self.stages { $0.end() } == Stage.allCases.dropLast())
        #expect(Self.stages { $0.end() && $0.end() } == [])
    }

    @Test func `clients are being dismissed from the dismissal until the last one has left`() {
        #expect(Self.stages { $0.isDismissing } == [.dismissing])
        #expect(
            Self.stages { $0.dismiss("done") && $0.isDismissing && $0.lastClientLeft() == "done" && !$0.isDismissing }
                == [.idle, .accepting, .draining, .drained])
    }

    @Test func `nothing begins again after the end`() {
        var phase = Phase()
        #expect(phase.end())
        #expect(!phase.begin() && !phase.stopAccepting("") && !phase.dismiss(""))
        #expect(phase.drain() == nil && phase.lastClientLeft() == nil)
    }
}
