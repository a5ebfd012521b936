import RecordKeeping
import Varlink

@testable import Daemon

/// The states of a connection, for tests.
enum ClientConnectionStart: CaseIterable {
    case silent, idle, callsWaiting, firstLargeMessageWaiting, largeMessageWaiting, largeMessageAdmitted
    case answeringQuery, answeringChange, answeringListener, paused, ended, hungUp, dismissed, closed

    /// A connection that events brought to this state.
    var connection: ClientConnectionState<Int> {
        var connection = ClientConnectionState<Int>()
        if self == .silent { return connection }
        if self == .firstLargeMessageWaiting {
            _ = connection.received(.drained, .large)
            _ = connection.sent(isConnected: true, .large)
            return connection
        }
        _ = connection.received(.drained, .init())
        _ = connection.handledAll()
        switch self {
        case .silent, .firstLargeMessageWaiting, .idle: break
        case .callsWaiting:
            _ = connection.received(.drained, .oneCall)
            _ = connection.handled(ControlLimits.addressesPerTurn, .oneCall)
        case .largeMessageWaiting:
            _ = connection.received(.drained, .large)
            _ = connection.sent(isConnected: true, .large)
        case .largeMessageAdmitted:
            _ = connection.received(.drained, .large)
            _ = connection.admitted(.largeBehindReplies)
        case .answeringQuery: connection.answer(.show([IPAddress(v4: 1)], wait: .seconds(1)))
        case .answeringChange: connection.answer(.remove([IPAddress(v4: 1)]))
        case .answeringListener: connection.answer(.monitor(after: nil, EventSelection()))
        case .paused: _ = connection.sent(isConnected: true, .init(unsent: ControlLimits.unreadBytes + 1))
        case .ended:
            connection.answer(.remove([IPAddress(v4: 1)]))
            _ = connection.received(.ended, .init())
        case .hungUp:
            connection.answer(.remove([IPAddress(v4: 1)]))
            _ = connection.hungUp()
            _ = connection.readRest(.init())
            _ = connection.received(.ended, .init())
        case .dismissed:
            connection.answer(.remove([IPAddress(v4: 1)]))
            _ = connection.dismissed(.init())
            _ = connection.received(.drained, .init())
        case .closed: _ = connection.close(.dropped)
        }
        return connection
    }
}

extension ClientConnectionState {
    /// Brings the connection to the state in which a request waits for its last reply.
    fileprivate mutating func answer(_ body: Request.Body) {
        _ = received(.drained, .oneCall)
        _ = began(body)
        _ = handled(1, Buffers())
        _ = sent(isConnected: true, Buffers())
    }

    /// Makes and buffers the last reply to a request, which must be the current one.
    mutating func sendAnswer(_ number: UInt64) -> Action {
        precondition(answered(number))
        return buffered()
    }
}

extension ClientConnectionState.Buffers {
    init(unsent: Int = 0, received: Int, nextMessage: Int? = nil, isFull: Bool = false) {
        let backlog = ServerConversation.Backlog(bytes: received, nextMessage: nextMessage, isFull: isFull)
        self.init(unsent: unsent, backlog: backlog)
    }

    static var oneCall: Self { Self(received: 100, nextMessage: 100) }
    static var large: Self { Self(received: 5_000, nextMessage: ControlLimits.bytesPerSmallMessage + 1) }
    static var largeBehindReplies: Self {
        Self(unsent: ControlLimits.unreadBytes + 1, received: 5_000, nextMessage: large.backlog.nextMessage)
    }
}
