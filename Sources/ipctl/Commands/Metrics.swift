import ArgumentParser
import Control
import Varlink

/// The command `ipctl metrics`.
struct Metrics: Command {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print the daemon's metrics in the text format of Prometheus.",
        discussion: """
            With --write, the metrics are written to a file for the textfile collector of node_exporter. The file is \
            replaced at once, so that the collector never reads a part of it; its name must end in .prom.

            Examples:
              ipctl metrics
              ipctl metrics --write /var/lib/prometheus/node-exporter/iprecord.prom
              ipctl metrics --json | jq '.metrics[].name'
            """)

    @OptionGroup var options: GlobalOptions

    @Option(
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "path"), completion: .file())
    var write: String?

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let reply = try connection.call("Metrics", Control.Metrics.Parameters())
        guard !output.isJSON || write != nil else {
            output.print(reply.parameters)
            return .done
        }
        let metrics = try reply.decoded(Control.Metrics.Reply.self).metrics
        guard let write else {
            output.print(bytes: Array(MetricsText(metrics, .prometheus).text.utf8))
            return .done
        }
        // node_exporter has metrics of its own with these names, and does not accept those of a file.
        let accepted = metrics.filter { !$0.name.hasPrefix("process_") }
        // node_exporter runs as another user.
        let file = try AtomicFile(write, permissions: 0o644)
        try file.write(Array(MetricsText(accepted, .prometheus).text.utf8))
        try file.finish()
        return .done
    }
}
