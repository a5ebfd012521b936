import ArgumentParser

/// A command with addresses, which may be many, on its line.
protocol TakesAddresses: ParsableCommand {
    /// As they stand on the line.
    var addresses: [String] { get set }
}
