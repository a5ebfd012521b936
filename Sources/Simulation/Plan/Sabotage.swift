/// A shell that does not keep its side of the contract, so that a promise has to break: by this it is known that a broken
/// promise is noticed.
package enum Sabotage: CaseIterable, Sendable {
    /// The disk says that all is written, and has written nothing.
    case forgetfulDisk
    /// The provider allows less than it documents and tells.
    case strictProvider
    /// The kernel tells of no change of its routes.
    case silentKernel
    /// The machine's clocks run ten times too fast.
    case fastClock
    /// Answers get lost on their way to the client.
    case lostAnswers
}
