/// An assumption about the world that the simulation violates, so that the daemon cannot keep a promise. The checks
/// must detect the broken promise.
package enum Sabotage: CaseIterable, Sendable {
    /// The disk acknowledges all commits and writes nothing.
    case forgetfulDisk
    /// The provider allows fewer requests than it documents.
    case strictProvider
    /// The kernel reports no route changes.
    case silentKernel
    /// The machine's clocks run ten times too fast.
    case fastClock
    /// Replies to clients get lost.
    case lostAnswers
}
