import HTTPTypes
import Hummingbird
import NIOCore

/// The rules for requests that are not a matter of one route.
struct ProtectionSettings: Sendable {
    /// Names of this server besides loopback names, in lower case and without ports.
    var allowedHosts: Set<String> = []
    /// Whether changes are allowed on Unix sockets, and with the token.
    var allowsChanges = false
    /// The token that allows changes on a TCP port; nil if there is none.
    var token: String?

    /// Returns whether clients may make changes on a connection.
    func permission(onUnixSocket isOnUnixSocket: Bool) -> ChangePermission {
        guard allowsChanges else { return .refused }
        if isOnUnixSocket { return .allowed }
        return token.map { .withToken($0) } ?? .refused
    }
}

/// Whether clients may make changes.
enum ChangePermission: Hashable, Sendable {
    case allowed
    case withToken(String)
    case refused

    /// The value of the header field `X-Iprecord-Changes`.
    var headerValue: String {
        switch self {
        case .allowed: "allowed"
        case .withToken: "token"
        case .refused: "refused"
        }
    }
}

/// Refuses requests that another site may have caused.
struct Protection: RouterMiddleware {
    typealias Context = WebContext

    let settings: ProtectionSettings

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        try checkHost(request)
        // Other sites may link to the page. The assets are public.
        let path = request.uri.path
        if path != "/", !path.hasPrefix("/assets/") { try checkSite(request) }
        return try await next(request, context)
    }

    /// A page of another site can make its name resolve to this machine (DNS rebinding). Its requests then have that
    /// name as their host.
    private func checkHost(_ request: Request) throws(Problem) {
        let authority = request.head.authority ?? ""
        let host = Self.host(of: authority)
        guard Self.loopbackNames.contains(host) || settings.allowedHosts.contains(host) else {
            throw Problem(
                status: .misdirectedRequest,
                detail: "the host \"\(authority)\" is not allowed; start iprecord-web with --allowed-host \(host)")
        }
    }

    private static let loopbackNames: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// Returns the host without its port, in lower case.
    static func host(of authority: String) -> String {
        let host = authority.lowercased()
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }

    /// A lookup spends quota, so other sites must not cause one, even if they cannot read the response.
    private func checkSite(_ request: Request) throws(Problem) {
        let site = request.headers[.secFetchSite] ?? "none"
        guard ["same-origin", "none"].contains(site) else {
            throw Problem(status: .forbidden, detail: "requests from other sites are not allowed")
        }
        guard let origin = request.headers[.origin] else { return }
        let authority = origin.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        guard authority == request.head.authority ?? "" else {
            throw Problem(status: .forbidden, detail: "requests from the origin \(origin) are not allowed")
        }
    }
}

/// Refuses changes that are not allowed.
struct ChangeProtection: RouterMiddleware {
    typealias Context = WebContext

    let settings: ProtectionSettings

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        try check(request, context)
        return try await next(request, context)
    }

    private func check(_ request: Request, _ context: WebContext) throws(Problem) {
        guard settings.allowsChanges else {
            throw Problem(
                status: .forbidden, detail: "changes are not allowed; start iprecord-web with --allow-changes")
        }
        // A form on another site cannot send this header.
        guard request.headers[.change] != nil else {
            throw Problem(status: .forbidden, detail: "changes require the header X-Iprecord-Change")
        }
        switch settings.permission(onUnixSocket: context.isOnUnixSocket) {
        case .allowed: return
        case .withToken(let token):
            if let given = request.headers[.authorization], Self.areEqual(given, "Bearer \(token)") { return }
        case .refused: break
        }
        throw Problem(
            status: .forbidden,
            detail: "changes over TCP require the token of --token-file (Authorization: Bearer)")
    }

    /// Compares strings in a time that depends only on their lengths.
    private static func areEqual(_ a: String, _ b: String) -> Bool {
        a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    /// Required in each request that makes a change; any value is accepted.
    static let change = HTTPField.Name("X-Iprecord-Change")!
    /// In a response to `GET /api/v1/status`: whether this client may make changes.
    static let changes = HTTPField.Name("X-Iprecord-Changes")!
}

/// Turns errors into problem details, and adds the headers that all responses have.
struct Responses: RouterMiddleware {
    typealias Context = WebContext

    func handle(
        _ request: Request, context: WebContext, next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let problem as Problem {
            response = problem.response
        } catch let error as DaemonError {
            response = Problem(error).response
        } catch let error as HTTPError where error.status == .notFound {
            response = Problem(status: .notFound, detail: "there is nothing at \(request.uri.path)").response
        }
        for (name, value) in Self.headers { response.headers[name] = value }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        Compression.mark(&response, to: request)
        return response
    }

    private static let headers: [(HTTPField.Name, String)] = [
        (
            .contentSecurityPolicy,
            "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
        ),
        (.xContentTypeOptions, "nosniff"), (HTTPField.Name("Referrer-Policy")!, "no-referrer"),
        (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),
        (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"),
        (HTTPField.Name("Cross-Origin-Embedder-Policy")!, "require-corp"),
        (HTTPField.Name("Permissions-Policy")!, "geolocation=(), camera=(), microphone=()"),
    ]
}
