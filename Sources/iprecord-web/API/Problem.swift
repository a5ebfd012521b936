import Control
import HTTPTypes
import Hummingbird
import NIOCore
import Varlink

/// The reason why a request has no result, as problem details (RFC 9457).
struct Problem: Error {
    let status: HTTPResponse.Status
    /// What is wrong, and what to do about it.
    let detail: String
    /// The full name of the daemon's error; nil if the daemon did not cause the problem.
    var error: String?
    /// The parameters of the daemon's error.
    var parameters: Value = .object([:])
    /// Header fields that belong to the status.
    var headers: HTTPFields = [:]

    private struct Details: Encodable {
        var type = "about:blank"
        var title: String
        var status: Int
        var detail: String
        var error: String?
        var parameters: Value?
    }

    var response: Response {
        let details = Details(
            title: status.reasonPhrase, status: status.code, detail: detail, error: error,
            parameters: error == nil ? nil : parameters)
        // A message ends with a NUL, which JSON does not need.
        let bytes = Wire.encode(details).dropLast()
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Problem {
    init(_ error: DaemonError) {
        switch error {
        case .unreachable(let reason):
            self.init(status: .serviceUnavailable, detail: "the daemon cannot be reached: \(reason)")
        case .invalidReply: self.init(status: .badGateway, detail: "the daemon sent an invalid reply")
        case .refused(let error):
            let (status, detail) = error.problem
            self.init(status: status, detail: detail, error: error.name, parameters: error.parameters)
        }
    }

    static func invalid(_ parameter: String, _ expected: String) -> Problem {
        Problem(status: .badRequest, detail: "the parameter \"\(parameter)\" must be \(expected)")
    }
}

extension ControlError {
    fileprivate var problem: (HTTPResponse.Status, String) {
        switch self {
        case .invalidAddress(let address, let reason):
            (.badRequest, "\"\(address)\" is not an IP address: \(reason)")
        case .notWatched(let address): (.notFound, "\(address) is not on the watch list")
        case .invalidName(let name, let reason): (.badRequest, "\"\(name)\" is not a host name: \(reason)")
        case .nameNotWatched(let name): (.notFound, "the host name \(name) is not watched")
        case .invalidSearch(let message): (.badRequest, message)
        case .invalidCursor: (.badRequest, "the cursor is invalid")
        case .eventsGone(let oldest): (.gone, "the events before \(oldest) have been deleted")
        case .tooMany(let limit, let resource):
            (.tooManyRequests, "the limit of \(limit)\(resource.map { " (\($0))" } ?? "") is exceeded")
        case .reloadFailed(let message): (.conflict, message)
        case .storeFailed(let message): (.serviceUnavailable, "the database cannot be written: \(message)")
        case .service(.permissionDenied): (.forbidden, "the daemon does not allow this process to make changes")
        case .service(.methodNotFound), .service(.methodNotImplemented):
            (.notImplemented, "this version of the daemon does not have this method")
        case .service(.invalidParameter(let name)): (.badRequest, "the parameter \"\(name)\" is invalid")
        case .service, .unknown: (.badGateway, "the daemon replied with the error \(name)")
        }
    }
}
