/// The kinds of effects that a test can ignore, because it is about something else.
enum EffectKind: Hashable, Sendable, CaseIterable {
    case commit, call, routeCheck, resolution, timer, answer, publication, reading, turn, log, status, finish
}

extension EffectOutline {
    var kind: EffectKind {
        switch self {
        case .commit: .commit
        case .call, .cancel: .call
        case .checkRoute, .resolve: .routeCheck
        case .resolveName: .resolution
        case .timer, .stopTimer: .timer
        case .answer, .entries, .part: .answer
        case .publish: .publication
        case .reading: .reading
        case .turn: .turn
        case .log, .logRefusedReading, .logStoreFailure, .logStoreRecovery: .log
        case .status: .status
        case .finish: .finish
        }
    }
}

extension Set<EffectKind> {
    /// For a test that selects the effects that it is about, and states none of the others.
    static let all = Set(EffectKind.allCases)
    /// The effects that set timers and notify the service manager: for a test about replies and commits.
    static let upkeep: Set = [EffectKind.timer, .status, .turn]
    /// The effects of fetching records: for a test about the number, the sizes or the results of many calls.
    static let fetching = upkeep.union([.call, .commit, .log])
}
