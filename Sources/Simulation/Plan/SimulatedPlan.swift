/// The events of one run, which determine its outcome.
package protocol SimulatedPlan: Sendable {
    associatedtype PlannedAct

    var seed: UInt64 { get }
    /// The acts in order of time. A plan with fewer acts is also valid.
    var acts: [(at: Duration, act: PlannedAct)] { get set }

    /// Runs the simulation of the plan.
    ///
    /// - Parameters:
    ///   - isTraced: whether to record the last events as text, which takes time and changes nothing else.
    ///   - end: the simulated time at which the run stops early; nil to run to the end.
    /// - Throws: `CancellationError` if the task is cancelled.
    func run(isTraced: Bool, until end: Duration?) throws -> Outcome
}
