/// The errors of `org.varlink.service`, which every Varlink service may return.
package enum ServiceError: Error, Hashable, Sendable {
    case interfaceNotFound(String)
    case methodNotFound(String)
    case methodNotImplemented(String)
    case invalidParameter(String)
    case permissionDenied
    case expectedMore

    /// The full name of the error, with its interface.
    package var name: String {
        let member =
            switch self {
            case .interfaceNotFound: "InterfaceNotFound"
            case .methodNotFound: "MethodNotFound"
            case .methodNotImplemented: "MethodNotImplemented"
            case .invalidParameter: "InvalidParameter"
            case .permissionDenied: "PermissionDenied"
            case .expectedMore: "ExpectedMore"
            }
        return "\(ServiceInterface.name).\(member)"
    }

    package var parameters: Value {
        switch self {
        case .interfaceNotFound(let name): .object(["interface": .string(name)])
        case .methodNotFound(let name), .methodNotImplemented(let name): .object(["method": .string(name)])
        case .invalidParameter(let name): .object(["parameter": .string(name)])
        case .permissionDenied, .expectedMore: .object([:])
        }
    }

    /// Creates the error from a reply; nil if the name belongs to another interface.
    package init?(name: String, parameters: Value) {
        func text(_ member: String) -> String { parameters[member]?.string ?? "" }
        let all: [ServiceError] = [
            .interfaceNotFound(text("interface")), .methodNotFound(text("method")),
            .methodNotImplemented(text("method")), .invalidParameter(text("parameter")), .permissionDenied,
            .expectedMore,
        ]
        guard let error = all.first(where: { $0.name == name }) else { return nil }
        self = error
    }
}
