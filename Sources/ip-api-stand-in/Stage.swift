import NIOConcurrencyHelpers
import ProviderModel
import RecordKeeping

/// The one model that all connections act on, each request as a whole.
final class Stage: Sendable {
    private struct State {
        var model: ProviderModel
        var connections: Set<String> = []
    }

    /// Not a Mutex, whose slow path the thread sanitizer does not see: here connections meet all the time.
    private let state: NIOLockedValueBox<State>

    /// More connections than this are not told apart any more.
    private static let countedConnections = 100_000

    init(_ settings: ModelSettings, faults: [FaultOrder]) {
        var model = ProviderModel(settings)
        for order in faults { model.inject(order.fault, calls: order.calls) }
        state = NIOLockedValueBox(State(model: model))
    }

    /// - Parameter connection: what tells the connection from others: the other end's address and port.
    func answer(_ request: ModelRequest, over connection: String) -> ModelResponse {
        state.withLockedValue { state in
            if state.connections.count < Self.countedConnections { state.connections.insert(connection) }
            return state.model.answer(request, at: .now())
        }
    }

    /// Looks at the model or changes it, for whoever administers it.
    func administer<Result: Sendable>(_ body: (inout ProviderModel) -> Result) -> Result {
        state.withLockedValue { body(&$0.model) }
    }

    /// How many connections calls came over.
    var connectionCount: Int { state.withLockedValue { $0.connections.count } }
}
