import ArgumentParser
import Control

/// The options of `ipctl monitor` that run a command for each event.
struct HookOptions: ParsableArguments {
    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "Run this command for each event, which it gets as JSON on standard input; the last option.",
            discussion: "All arguments after --exec belong to the command, which runs without a shell.",
            valueName: "command"), completion: .file())
    var exec: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Run up to this many commands at once, one at a time for each address (default: 1).", valueName: "jobs"),
        transform: { try WholeNumber.option($0, in: 1...HookOptions.maxJobs) })
    var jobs: Int64?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Stop a command that runs for longer than this (default: 1m).", valueName: "duration"),
        transform: { try HookOptions.timeout($0) })
    var execTimeout: TimeSpan?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Skip an event after the command has failed this often (default: never).", valueName: "number"),
        transform: { try WholeNumber.option($0, in: 1...HookOptions.maxTries) })
    var execTries: Int64?

    /// Each job is a process.
    static let maxJobs: Int64 = 64
    private static let maxTries: Int64 = 10_000

    /// The time limit of each run.
    var timeout: TimeSpan { execTimeout ?? Self.defaultTimeout }

    private static let defaultTimeout = TimeSpan(milliseconds: 60_000, text: "1m")

    var policy: HookQueue.Policy { HookQueue.Policy(jobs: Int(jobs ?? 1), maxTries: execTries.map { Int($0) }) }

    func validate() throws {
        guard exec.isEmpty else { return }
        for (name, isGiven) in [
            ("--jobs", jobs != nil), ("--exec-timeout", execTimeout != nil), ("--exec-tries", execTries != nil),
        ] where isGiven {
            throw ValidationError("\(name) requires --exec")
        }
    }

    private static func timeout(_ text: String) throws -> TimeSpan {
        let span = try TimeSpan(option: text)
        guard span.milliseconds > 0 else {
            throw ValidationError("expected a duration above zero, such as 10s or 5m")
        }
        return span
    }

    /// - Throws: if the program of the command does not exist or cannot be executed.
    func checkProgram() throws(CommandError) {
        guard let program = exec.first, !Executable(program).isFound else { return }
        throw CommandError(
            status: .usage, message: "cannot run \"\(program.printable)\": not found, or not executable",
            advice: "--exec takes a program and its arguments; for a command line of the shell: --exec sh -c '…'")
    }
}
