@testable import RecordKeeping

/// An effect as a test states it: its kind, and the data that tests compare.
enum EffectOutline: Hashable, Sendable {
    case commit([WriteOutline])
    case call([IPAddress], Call.Endpoint)
    case cancel(Call.ID)
    case checkRoute
    case resolve
    case resolveName(HostName)
    /// The timer is armed for this time from now.
    case timer(in: Duration)
    case stopTimer
    case answer(Request.ID, Response)
    /// The answer to a `Show`, with the states of the entries.
    case entries(Request.ID, [EntryState])
    /// A portion of an answer, or its resumption.
    case part(Request.ID)
    case publish(PublishedEvent.Kind, to: [Request.ID])
    case turn
    case reading(Request.ID)
    case log(PublishedEvent.Kind)
    case logRefusedReading(listed: Int)
    case logStoreFailure(reason: String)
    case logStoreRecovery
    case status(watched: Int, ProviderState, isOffline: Bool = false)
    case finish

    /// - Parameter now: the time of the effect.
    init(_ effect: Effect, at now: Instant) {
        self =
            switch effect {
            case .commit(let commit): .commit(WriteOutline.outlines(of: commit.writes))
            case .call(let call): .call(call.addresses, call.endpoint)
            case .cancel(let id): .cancel(id)
            case .checkRoute: .checkRoute
            case .resolve: .resolve
            case .resolveName(let name): .resolveName(name)
            case .arm(let deadline): deadline.map { .timer(in: $0 - now.boot) } ?? .stopTimer
            case .answer(let id, .entries(let views)): .entries(id, views.map(\.state))
            case .answer(let id, let response): .answer(id, response)
            case .answerPart(let id, _), .resume(let id): .part(id)
            case .publish(let event, _, let listeners): .publish(event.kind, to: listeners)
            case .scheduleTurn: .turn
            case .readEvents(let id, _, _), .readChanges(let id, _), .readOutages(let id, _, _),
                .readLists(let id, _, _), .readNameEvents(let id, _, _, _):
                .reading(id)
            case .announce(let event): .log(event.kind)
            case .logRefusedReading(let listed): .logRefusedReading(listed: listed)
            case .logStoreFailure(let reason): .logStoreFailure(reason: reason)
            case .logStoreRecovery: .logStoreRecovery
            case .describe(let summary):
                .status(watched: summary.watched, summary.provider, isOffline: summary.offlineSince != nil)
            case .finish: .finish
            }
    }
}
