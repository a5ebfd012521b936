import Control
import NIOConcurrencyHelpers
import NIOCore
import Varlink

/// Calls the daemon. Connections are kept for later calls; many calls can be in progress, each on its own connection.
final class DaemonClient: Sendable {
    private let path: String
    private let group: any EventLoopGroup
    private let idle = NIOLockedValueBox<[DaemonChannel]>([])

    /// Maximum number of connections without a call. The daemon allows a user 500 connections.
    private static let maxIdle = 16
    /// Time in which the daemon must reply. A search of a million entries takes less than a second.
    private static let replyTime = TimeAmount.seconds(20)

    /// - Parameter path: the path of the daemon's socket.
    init(path: String, group: any EventLoopGroup) {
        self.path = path
        self.group = group
    }

    /// Calls a method.
    ///
    /// - Parameters:
    ///   - method: its name without the interface.
    ///   - mayRepeat: whether the call may be sent again if the daemon has closed a kept connection.
    ///   - wait: the time that the daemon may wait before it replies.
    /// - Returns: the parameters of the reply, as JSON.
    /// - Throws: `DaemonError`.
    func call(
        _ method: String, _ parameters: some Encodable & Sendable, mayRepeat: Bool = true, wait: TimeAmount = .zero
    ) async throws -> ArraySlice<UInt8> {
        try await reply(to: method, parameters, mayRepeat: mayRepeat, wait: wait).parametersJSON
    }

    /// Calls a method, and returns its successful reply.
    func reply(
        to method: String, _ parameters: some Encodable & Sendable, mayRepeat: Bool = true, wait: TimeAmount = .zero
    ) async throws -> ClientConversation.IncomingReply {
        let limit = wait + Self.replyTime
        let message = ClientConversation.call("\(Interface.name).\(method)", parameters)
        if mayRepeat, let connection = keptConnection() {
            do {
                return try await exchange(message, on: connection, within: limit)
            } catch DaemonError.unreachable {
                // The daemon has restarted since the last call.
            }
        }
        return try await exchange(message, on: try await DaemonChannel.open(path, on: group), within: limit)
    }

    /// Calls a method that replies repeatedly, on a connection of its own.
    func open(_ method: String, _ parameters: some Encodable & Sendable) async throws -> DaemonChannel {
        let connection = try await DaemonChannel.open(path, on: group)
        try await connection.send(ClientConversation.call("\(Interface.name).\(method)", parameters, more: true))
        return connection
    }

    private func exchange(
        _ message: [UInt8], on connection: DaemonChannel, within limit: TimeAmount
    ) async throws -> ClientConversation.IncomingReply {
        do {
            try await connection.send(message)
            guard let reply = try await connection.nextReply(within: limit) else {
                throw DaemonError.unreachable("no reply within \(limit.nanoseconds / 1_000_000_000) s")
            }
            keep(connection)
            return try reply.checked()
        } catch let error as DaemonError {
            if case .refused = error { throw error }
            connection.close()
            throw error
        }
    }

    private func keptConnection() -> DaemonChannel? {
        idle.withLockedValue { idle in
            while let connection = idle.popLast() {
                if connection.isOpen { return connection }
            }
            return nil
        }
    }

    private func keep(_ connection: DaemonChannel) {
        let isKept = idle.withLockedValue { idle in
            guard idle.count < Self.maxIdle else { return false }
            idle.append(connection)
            return true
        }
        if !isKept { connection.close() }
    }

    /// Closes the connections without a call.
    func close() {
        for connection in idle.withLockedValue({ idle in
            defer { idle = [] }
            return idle
        }) {
            connection.close()
        }
    }
}

extension ClientConversation.IncomingReply {
    /// Returns the decoded parameters.
    func decoded<Parameters: Decodable>(as type: Parameters.Type) throws(DaemonError) -> Parameters {
        do {
            return try parameters(as: type)
        } catch {
            throw .invalidReply
        }
    }

    /// Returns the reply, or throws its error.
    func checked() throws -> Self {
        guard let error else { return self }
        throw DaemonError.refused(ControlError(name: error, parameters: parameters))
    }
}
