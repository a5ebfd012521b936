import Control
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Varlink

/// Routes that change the watch list.
struct ChangeRoutes {
    let daemon: DaemonClient

    private struct Added: Decodable {
        var addresses: [String]
        var tags: [String]?
        var note: String?
        var until: Int64?
    }

    private struct Labelled: Decodable {
        var addresses: [String]
        var pinned: Bool?
        var addTags: [String]?
        var removeTags: [String]?
        var note: String?
    }

    private struct Named: Decodable {
        var addresses: [String]?
    }

    /// Maximum size of a body in bytes: ten thousand of the longest addresses.
    private static let maxBody = 512 * 1_024

    func add(to router: RouterGroup<WebContext>) {
        router.post("entries") { request, _ in
            let body = try await Self.body(of: request, as: Added.self)
            let parameters = Add.Parameters(
                addresses: body.addresses, tags: body.tags, note: body.note, until: body.until)
            return try await json(daemon.call("Add", parameters, mayRepeat: false))
        }
        router.delete("entries/:address") { _, context in
            let parameters = Remove.Parameters(addresses: [try context.address()])
            return try await json(daemon.call("Remove", parameters, mayRepeat: false))
        }
        router.post("labels") { request, _ in
            let body = try await Self.body(of: request, as: Labelled.self)
            let parameters = Label.Parameters(
                addresses: body.addresses, pinned: body.pinned, addTags: body.addTags, removeTags: body.removeTags,
                note: body.note)
            return try await json(daemon.call("Label", parameters, mayRepeat: false))
        }
        router.post("refresh") { request, _ in
            let body = try await Self.body(of: request, as: Named.self)
            return try await json(
                daemon.call("Refresh", Refresh.Parameters(addresses: body.addresses), mayRepeat: false))
        }
    }

    private static func body<Body: Decodable>(of request: Request, as _: Body.Type) async throws -> Body {
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw Problem(status: .unsupportedMediaType, detail: "the body must be application/json")
        }
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: maxBody)
        } catch is NIOTooManyBytesError {
            throw Problem(status: .contentTooLarge, detail: "the body can have at most \(maxBody) bytes")
        }
        do {
            return try JSONDecoder().decode(Body.self, from: Data(buffer.readableBytesView))
        } catch {
            throw Problem(status: .badRequest, detail: "the body is not a JSON object with the expected members")
        }
    }
}
