import Glibc
import Simulation

/// The results of the runs that have ended, all of which kept every promise.
struct SeedSummary: CustomStringConvertible {
    /// The number of seeds, including those whose runs have not ended.
    private let seeds: Int
    private let started = ContinuousClock.now
    private(set) var coverage = Coverage()
    /// The simulated time of all runs together.
    private(set) var simulated = Duration.zero
    private(set) var digests: [UInt64: UInt64] = [:]

    init(seeds: Int) {
        self.seeds = seeds
    }

    mutating func add(_ outcome: Outcome, of seed: UInt64) {
        coverage.merge(outcome.coverage)
        simulated += outcome.simulated
        digests[seed] = outcome.digest
    }

    var description: String {
        let real = realSeconds
        let speed = "\(Int(simulated / .seconds(1) / real)) times real time"
        return "\(seeds) seeds, \(simulatedHours) hours in \(Int(real)) s: \(speed), every promise kept"
    }

    /// Draws a progress bar if the standard error is a terminal.
    func showProgress() {
        guard isatty(STDERR_FILENO) == 1 else { return }
        func tenths(_ number: Double) -> Double { (number * 10).rounded(.down) / 10 }
        let width = 30
        let (done, real) = (digests.count, realSeconds)
        let filled = done * width / seeds
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let speed =
            "\(tenths(Double(done) / real)) seeds/s, \(tenths(simulated / .seconds(3_600) / real)) h/s"
        let line = Array("\r\(bar) \(done) of \(seeds) seeds, \(simulatedHours) h, \(speed) \u{1B}[K".utf8)
        // A failed write only loses the progress bar.
        _ = write(STDERR_FILENO, line, line.count)
    }

    private var simulatedHours: Int { Int(simulated / .seconds(3_600)) }

    /// The seconds since the first run began, at least 0.001, so that rates are finite.
    private var realSeconds: Double { max(0.001, started.duration(to: .now) / .seconds(1)) }
}
