import Foundation
import HTTPTypes
import Hummingbird

/// Methods that a path does not have, and parameters of paths.
extension RouterMethods where Context == WebContext {
    /// Refuses the other methods of a path (RFC 9110, section 15.5.6), which would otherwise be reported as missing.
    ///
    /// - Parameter allowed: the methods that have routes.
    func only(_ allowed: HTTPRequest.Method..., at path: RouterPath) {
        let names = (allowed.contains(.get) ? [.head] : []) + allowed
        let allow = names.map(\.rawValue).sorted().joined(separator: ", ")
        for method in HTTPRequest.Method.known where !names.contains(method) {
            on(path, method: method) { _, _ throws(Problem) -> Response in
                throw Problem(
                    status: .methodNotAllowed, detail: "the method \(method.rawValue) is not allowed; use \(allow)",
                    headers: [.allow: allow])
            }
        }
    }
}

extension HTTPRequest.Method {
    fileprivate static let known: [Self] = [
        .get, .head, .post, .put, .delete, .patch, .options, .trace, .connect, Self("QUERY")!,
    ]
}

extension WebContext {
    /// The address in the path. Clients may send the colons of an IPv6 address in percent-encoding (RFC 3986).
    func address() throws -> String {
        let text = try parameters.require("address")
        return text.removingPercentEncoding ?? text
    }
}
