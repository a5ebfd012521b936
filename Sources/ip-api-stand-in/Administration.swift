import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import ProviderModel
import RecordKeeping

/// The administrative requests under `/_admin/`, for tests and manual inspection.
struct Administration {
    let model: SharedModel

    /// The reason why an administrative request is refused.
    private struct Refusal: Error {
        let status: HTTPResponse.Status
        let text: String
    }

    private struct Done: Encodable { let ok = true }
    private struct CommandError: Encodable { let error: String }

    func answer(_ request: ModelRequest) -> Response {
        do {
            return try respond(to: request)
        } catch {
            return json(CommandError(error: error.text), status: error.status)
        }
    }

    private func respond(to request: ModelRequest) throws(Refusal) -> Response {
        let parameters = request.parameters
        switch (request.method, request.path.dropFirst("/_admin/".count)) {
        case ("GET", "calls"):
            let after = parameters["after"].flatMap { Int($0) } ?? 0
            return json(model.administer { $0.calls }.filter { $0.number > after }.map(CallView.init))
        case ("DELETE", "calls"):
            model.administer { $0.forgetCalls() }
        case ("POST", "fault"), ("PUT", "fault"):
            try inject(parameters)
        case ("DELETE", "fault"):
            model.administer { $0.clearFaults() }
        case ("POST", "change"), ("PUT", "change"):
            try change(parameters)
        case ("GET", "state"):
            let connections = model.connectionCount
            return json(model.administer { StateView(of: $0, connections: connections, at: .now()) })
        default:
            throw Refusal(
                status: .notFound,
                text: "unknown request; expected calls, fault, change or state: see ip-api-stand-in --help")
        }
        return json(Done())
    }

    private func inject(_ parameters: [String: String]) throws(Refusal) {
        guard let name = parameters["name"] else { throw Refusal(status: .badRequest, text: "missing parameter: name") }
        let calls = parameters["count"].map { Int($0) ?? 0 }
        guard calls.map({ $0 > 0 }) ?? true else {
            throw Refusal(status: .badRequest, text: "count must be a positive number; omit it to affect all calls")
        }
        let endpoint = parameters["endpoint"].map { Call.Endpoint(rawValue: $0) }
        if case .some(nil) = endpoint { throw Refusal(status: .badRequest, text: "endpoint must be single or batch") }
        do {
            let fault = try Fault(name)
            model.administer { $0.inject(fault, at: endpoint ?? nil, calls: calls) }
        } catch {
            throw Refusal(status: .badRequest, text: error.description)
        }
    }

    private func change(_ parameters: [String: String]) throws(Refusal) {
        guard let text = parameters["address"] else { return model.administer { $0.changeAll() } }
        do {
            let address = try IPAddress(text)
            model.administer { $0.change(address) }
        } catch {
            throw Refusal(status: .badRequest, text: "\"\(text.prefix(60))\" is not an IP address: \(error)")
        }
    }

    private func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // The program's own values contain only strings, integers and Booleans, which can always be encoded.
        guard let data = try? encoder.encode(value) else { return Response(status: .internalServerError) }
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: Array(data) + [UInt8(ascii: "\n")])))
    }
}
