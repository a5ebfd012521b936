import Control
import HTTPTypes
import Hummingbird
import NIOCore
import Varlink

/// Metrics for Prometheus, and the checks of a supervisor.
struct MetricsRoute {
    let daemon: DaemonClient

    func add(to router: Router<WebContext>) {
        router.get("metrics") { request, _ in
            let format = Self.format(accepted: request.headers[.accept] ?? "")
            let metrics: [Interface.Metric]
            do {
                metrics = try await daemon.reply(to: "Metrics", [String: String]()).decoded(as: Metrics.Reply.self)
                    .metrics
            } catch DaemonError.unreachable {
                // Exporters report that their target is down, instead of failing
                // (prometheus.io/docs/instrumenting/writing_exporters, "Failed scrapes").
                metrics = [.isDown]
            }
            return Response(
                status: .ok, headers: [.contentType: format.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: MetricsText(metrics, format).text)))
        }
        router.get("healthz") { _, _ in Self.text("ok") }
        router.get("readyz") { _, _ in
            _ = try await daemon.call("Status", [String: String]())
            return Self.text("ok")
        }
        for path in ["metrics", "healthz", "readyz"] { router.only(.get, at: RouterPath(path)) }
    }

    /// Returns the format that a client prefers (RFC 9110, section 12.5.1). Prometheus lists its formats in the order
    /// of its preference.
    static func format(accepted: String) -> MetricsText.Format {
        accepted.contains("application/openmetrics-text") ? .openMetrics : .prometheus
    }

    private static func text(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}
