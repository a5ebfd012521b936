import Control
import Hummingbird
import NIOCore
import Varlink

/// Routes that read entries, counts, the history, host names and the state. The replies are the daemon's, unchanged.
struct EntryRoutes {
    let daemon: DaemonClient
    let settings: ProtectionSettings

    private struct Nothing: Encodable, Sendable {}

    func add(to router: RouterGroup<WebContext>) {
        router.get("status") { request, context in
            _ = try QueryParameters(request, names: [])
            let permission = settings.permission(onUnixSocket: context.isOnUnixSocket)
            var response = try await json(daemon.call("Status", Nothing()))
            response.headers[.changes] = permission.headerValue
            return response
        }
        router.get("fleet") { request, _ in
            _ = try QueryParameters(request, names: [])
            do {
                return try await json(daemon.call("Fleet", Nothing()))
            } catch DaemonError.refused(.service(.methodNotImplemented)) {
                throw Problem(status: .notFound, detail: "this daemon does not belong to a fleet")
            }
        }
        router.get("entries") { request, _ in
            let query = try QueryParameters(
                request, names: QueryParameters.filterNames.union(["sort", "descending", "after", "limit"]))
            let parameters = List.Parameters(
                filter: try query.filter(), sort: query.text("sort"), descending: try query.flag("descending"),
                after: query.text("after"), limit: try query.number("limit"))
            return try await json(daemon.call("List", parameters))
        }
        router.get("entries/:address") { request, context in
            let query = try QueryParameters(request, names: ["wait"])
            let wait = try query.number("wait")
            guard (0...3_600_000).contains(wait ?? 0) else { throw Problem.invalid("wait", "at most 3600000") }
            let parameters = Show.Parameters(addresses: [try context.address()], wait: wait)
            let limit = TimeAmount.milliseconds(wait ?? 0)
            let reply = try await daemon.call("Show", parameters, wait: limit)
            return json(try Self.onlyEntry(of: reply))
        }
        router.get("entries/:address/history") { request, context in
            let query = try QueryParameters(request, names: ["since", "until", "field", "before", "limit"])
            let parameters = History.Parameters(
                address: try context.address(), since: try query.number("since"), until: try query.number("until"),
                fields: try query.texts("field"), before: try query.number("before"), limit: try query.number("limit"))
            return try await json(daemon.call("History", parameters))
        }
        router.get("count") { request, _ in
            let query = try QueryParameters(request, names: QueryParameters.filterNames.union(["by", "limit"]))
            guard let by = query.text("by") else { throw Problem.invalid("by", "the name of a field") }
            let parameters = Count.Parameters(by: by, filter: try query.filter(), limit: try query.number("limit"))
            return try await json(daemon.call("Count", parameters))
        }
        router.get("names") { request, _ in
            _ = try QueryParameters(request, names: [])
            return try await json(daemon.call("Names", Nothing()))
        }
        router.get("outages") { request, _ in
            let query = try QueryParameters(request, names: ["before", "limit"])
            let parameters = Outages.Parameters(before: try query.number("before"), limit: try query.number("limit"))
            return try await json(daemon.call("Outages", parameters))
        }
        router.only(.get, .post, at: "entries")
        router.only(.get, .delete, at: "entries/:address")
        for path in ["status", "fleet", "entries/:address/history", "count", "names", "outages", "events"] {
            router.only(.get, at: RouterPath(path))
        }
        for path in ["labels", "refresh"] { router.only(.post, at: RouterPath(path)) }
    }

    /// Returns the entry of a reply to `Show` with one address.
    private static func onlyEntry(of reply: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        guard let entry = try JSONMember.firstElement(of: "entries", in: reply) else { throw DaemonError.invalidReply }
        return entry
    }
}

func json(_ bytes: ArraySlice<UInt8>, status: HTTPResponse.Status = .ok) -> Response {
    Response(
        status: status, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
}
