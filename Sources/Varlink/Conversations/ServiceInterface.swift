/// The interface `org.varlink.service`, which every service implements: it describes the service and its interfaces.
package struct ServiceInterface: Hashable, Sendable {
    package static let name = "org.varlink.service"

    /// The encoded reply to `GetInfo`, which is always the same.
    private let info: [UInt8]
    /// The encoded replies to `GetInterfaceDescription`, by interface.
    private let descriptions: [String: [UInt8]]

    private struct Info: Hashable, Codable {
        var vendor: String
        var product: String
        var version: String
        var url: String
        var interfaces: [String]
    }

    private struct Description: Codable {
        var description: String
    }

    private struct NoParameters: CallParameters {
        static let names: Set<String> = []
        init(_: CallMembers) {}
    }

    private struct Asked: CallParameters {
        static let names: Set<String> = ["interface"]
        var interface: String

        init(_ members: CallMembers) throws(ServiceError) {
            interface = try members.required("interface", members.text)
        }
    }

    /// - Parameter descriptions: the definition of each interface of the service, by its name.
    package init(vendor: String, product: String, version: String, url: String, descriptions: [String: String]) {
        let texts = descriptions.merging([Self.name: Self.text]) { given, _ in given }
        self.descriptions = texts.mapValues { OutgoingReply.message(Description(description: $0)) }
        info = OutgoingReply.message(
            Info(vendor: vendor, product: product, version: version, url: url, interfaces: texts.keys.sorted()))
    }

    /// Returns the encoded reply to a call to this interface.
    package func answer(_ call: IncomingCall) throws(ServiceError) -> [UInt8] {
        switch call.name {
        case "GetInfo":
            _ = try call.parameters(NoParameters.self)
            return info
        case "GetInterfaceDescription":
            let name = try call.parameters(Asked.self).interface
            guard let description = descriptions[name] else { throw .interfaceNotFound(name) }
            return description
        default:
            throw .methodNotFound(call.method)
        }
    }

    /// From the Varlink specification (varlink.org, "Service Interface").
    private static let text = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid.
        error InvalidParameter (parameter: string)

        # Client is denied access
        error PermissionDenied ()

        # Method is expected to be called with 'more' set to true, but wasn't
        error ExpectedMore ()

        """
}
