import ArgumentParser

/// A command that takes addresses, possibly many, as arguments.
protocol TakesAddresses: ParsableCommand {
    /// The addresses as the user wrote them.
    var addresses: [String] { get set }
}
