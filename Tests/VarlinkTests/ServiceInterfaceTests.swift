import Testing

@testable import Varlink

/// The interface `org.varlink.service`, which every service implements.
struct ServiceInterfaceTests {
    private static let service = ServiceInterface(
        vendor: "v", product: "p", version: "1", url: "u", descriptions: ["a.b": "interface a.b\n"])

    private static func answer(_ method: String, _ parameters: String = "{}") throws -> ClientConversation.IncomingReply
    {
        let message = #"{"method":"org.varlink.service.\#(method)","parameters":\#(parameters)}"#
        let call = try #require(try ServerConversation.call(message))
        var client = ClientConversation(limitBytes: 100_000)
        client.receive(try service.answer(call))
        return try #require(try client.next())
    }

    @Test func `GetInfo returns the product and its interfaces`() throws {
        let expected: [String: Value] = [
            "vendor": .string("v"), "product": .string("p"), "version": .string("1"), "url": .string("u"),
            "interfaces": .array([.string("a.b"), .string("org.varlink.service")]),
        ]
        #expect(try Self.answer("GetInfo").parameters == .object(expected))
    }

    @Test func `GetInterfaceDescription describes every interface, including org.varlink.service`() throws {
        let described = try Self.answer("GetInterfaceDescription", #"{"interface":"a.b"}"#)
        #expect(described.parameters == .object(["description": .string("interface a.b\n")]))
        let own = try Self.answer("GetInterfaceDescription", #"{"interface":"org.varlink.service"}"#)
        let text = try #require(own.parameters["description"]?.string)
        for line in [
            "interface org.varlink.service",
            "method GetInterfaceDescription(interface: string) -> (description: string)",
            "error InterfaceNotFound (interface: string)", "error MethodNotFound (method: string)",
            "error MethodNotImplemented (method: string)", "error InvalidParameter (parameter: string)",
            "error PermissionDenied ()", "error ExpectedMore ()",
        ] {
            #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)")
        }
    }

    @Test func `the error names the unknown interface, method or parameter`() {
        #expect(throws: ServiceError.interfaceNotFound("a.c")) {
            try Self.answer("GetInterfaceDescription", #"{"interface":"a.c"}"#)
        }
        #expect(throws: ServiceError.methodNotFound("org.varlink.service.GetNothing")) { try Self.answer("GetNothing") }
        #expect(throws: ServiceError.invalidParameter("interface")) { try Self.answer("GetInterfaceDescription") }
        #expect(throws: ServiceError.invalidParameter("x")) { try Self.answer("GetInfo", #"{"x":1}"#) }
    }

    @Test(arguments: [
        (ServiceError.interfaceNotFound("x"), "InterfaceNotFound", "interface"),
        (.methodNotFound("x"), "MethodNotFound", "method"),
        (.methodNotImplemented("x"), "MethodNotImplemented", "method"),
        (.invalidParameter("x"), "InvalidParameter", "parameter"), (.permissionDenied, "PermissionDenied", ""),
        (.expectedMore, "ExpectedMore", ""),
    ])
    func `each error is encoded with its name and parameter, and survives a round trip`(
        error: ServiceError, name: String, parameter: String
    ) throws {
        var client = ClientConversation(limitBytes: 1_000)
        client.receive(OutgoingReply.error(error))
        let reply = try #require(try client.next())
        #expect(reply.error == "org.varlink.service.\(name)")
        #expect(reply.parameters == .object(parameter.isEmpty ? [:] : [parameter: .string("x")]))
        #expect(ServiceError(name: reply.error ?? "", parameters: reply.parameters) == error)
    }

    @Test func `an error of another interface is not decoded as a service error`() {
        #expect(ServiceError(name: "a.b.InvalidParameter", parameters: .object([:])) == nil)
        #expect(ServiceError(name: "org.varlink.service.Other", parameters: .object([:])) == nil)
    }
}
