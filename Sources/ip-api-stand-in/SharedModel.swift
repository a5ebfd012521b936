import NIOConcurrencyHelpers
import ProviderModel
import RecordKeeping

/// The model, shared by all connections. Each request is handled atomically.
final class SharedModel: Sendable {
    private struct State {
        var model: ProviderModel
        var connections: Set<String> = []
    }

    /// Not a `Mutex`: the thread sanitizer does not see its slow path, and connections contend for this lock
    /// constantly.
    private let state: NIOLockedValueBox<State>

    /// Maximum number of distinct connections that are counted.
    private static let countedConnections = 100_000

    init(_ settings: ModelSettings, faults: [FaultOption]) {
        var model = ProviderModel(settings)
        for order in faults { model.inject(order.fault, calls: order.calls) }
        state = NIOLockedValueBox(State(model: model))
    }

    /// - Parameter connection: an identifier of the connection: the peer's address and port.
    func answer(_ request: ModelRequest, over connection: String) -> ModelResponse {
        state.withLockedValue { state in
            if state.connections.count < Self.countedConnections { state.connections.insert(connection) }
            return state.model.answer(request, at: .now())
        }
    }

    /// Reads or changes the model, for administrative requests.
    func administer<Result: Sendable>(_ body: (inout ProviderModel) -> Result) -> Result {
        state.withLockedValue { body(&$0.model) }
    }

    /// The number of connections that carried calls.
    var connectionCount: Int { state.withLockedValue { $0.connections.count } }
}
