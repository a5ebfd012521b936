import RecordKeeping
import Testing
import Varlink

@testable import Daemon

/// The actions that follow each event, without sockets.
@Suite struct ClientConnectionStateTests {
    typealias Connection = ClientConnectionState<Int>
    typealias Buffers = Connection.Buffers
    typealias Start = ClientConnectionStart

    private static let change = Request.Body.remove([IPAddress(v4: 1)])

    @Test(arguments: [
        (Start.silent, Connection.Action.read(isLast: false)), (.idle, .read(isLast: false)),
        (.callsWaiting, .read(isLast: false)), (.answeringQuery, .read(isLast: false)),
        (.answeringListener, .read(isLast: false)), (.paused, .send), (.ended, .send), (.hungUp, .send),
        (.dismissed, .send), (.closed, .none),
    ])
    func `a readable socket is read unless reading is paused or over`(start: Start, action: Connection.Action) {
        #expect(start.connection.ready(canRead: true) == action)
        #expect(start.connection.ready(canRead: false) == (start == .closed ? .none : .send))
    }

    @Test(arguments: [
        (Start.silent, Connection.Action.hangUp(abandonsQuery: false)), (.idle, .hangUp(abandonsQuery: false)),
        (.callsWaiting, .hangUp(abandonsQuery: false)), (.largeMessageWaiting, .hangUp(abandonsQuery: false)),
        (.answeringQuery, .hangUp(abandonsQuery: true)), (.answeringListener, .hangUp(abandonsQuery: true)),
        (.answeringChange, .hangUp(abandonsQuery: false)), (.ended, .hangUp(abandonsQuery: false)),
        (.dismissed, .hangUp(abandonsQuery: false)), (.hungUp, .none), (.closed, .none),
    ])
    func `a hang-up abandons a query once, and no change`(start: Start, action: Connection.Action) {
        var connection = start.connection
        #expect(connection.hungUp() == action)
        #expect(connection.hungUp() == .none)
        #expect(connection.isAnswering(1) == [.answeringChange, .ended, .hungUp, .dismissed].contains(start))
    }

    @Test(arguments: [
        (Start.silent, Connection.Action.read(isLast: true)), (.idle, .read(isLast: true)),
        (.callsWaiting, .read(isLast: true)), (.answeringQuery, .read(isLast: true)), (.paused, .handleCall),
        (.firstLargeMessageWaiting, .handleCall), (.largeMessageWaiting, .handleCall),
        (.ended, .send), (.hungUp, .send), (.dismissed, .none), (.closed, .none),
    ])
    func `a dismissed client is read once more, and then only its buffered calls are handled`(
        start: Start, action: Connection.Action
    ) {
        var connection = start.connection
        #expect(connection.dismissed(.large) == action)
        #expect(connection.dismissed(.large) == .none)
        #expect(connection.ready(canRead: true) == (start == .closed ? .none : .send))
    }

    @Test(arguments: Start.allCases) func `a closed connection ignores every event`(start: Start) {
        var connection = start.connection
        #expect(connection.close(.dropped) == (start == .closed ? .none : .close(.dropped)))
        let actions = [
            connection.ready(canRead: true), connection.received(.drained, .oneCall), connection.hungUp(),
            connection.readRest(.oneCall), connection.dismissed(.oneCall), connection.turnCame(.oneCall),
            connection.admitted(.large), connection.handled(1, .oneCall), connection.handledAll(),
            connection.buffered(), connection.bufferedEvent(unsentBefore: 0, unsent: 1),
            connection.paused(1, unsent: 0, then: 1), connection.sent(isConnected: true, Buffers()),
            connection.sent(isConnected: false, Buffers()), connection.close(.finished),
        ]
        #expect(actions.allSatisfy { $0 == .none })
        let isIgnored = [connection.answered(1), connection.madePortion(1)] == [false, false]
        #expect(isIgnored && connection.request == nil && connection.hasSentFirstCall)
    }

    @Test(arguments: Start.allCases)
    func `a first call was sent once bytes were read, and a large one when its turn has come`(start: Start) {
        #expect(start.connection.hasSentFirstCall == ![.silent, .firstLargeMessageWaiting].contains(start))
    }

    @Test func `passed descriptors, an invalid message and a finished client end the connection`() {
        var connection = Connection()
        #expect(connection.received(.descriptors, Buffers()) == .close(.passedDescriptors))
        connection = Start.idle.connection
        #expect(connection.close(.invalidMessage(.noCall)) == .close(.invalidMessage(.noCall)))
        #expect(connection.handled(1, Buffers()) == .none)
    }

    // MARK: Turns

    @Test func `at most sixteen calls are handled in a turn`() {
        var connection = Start.idle.connection
        var action = connection.received(.drained, .oneCall)
        for _ in 1...16 {
            #expect(action == .handleCall)
            action = connection.handled(1, .oneCall)
        }
        #expect(action == .send)
        #expect(connection.sent(isConnected: true, .oneCall) == .watch(.reading, then: .scheduleTurn))
        #expect(connection.sent(isConnected: true, .oneCall) == .watch(.reading, then: .wait))
        #expect(connection.turnCame(.oneCall) == .handleCall)
    }

    @Test func `calls wait until the client has read its replies`() {
        var connection = Start.idle.connection
        let unread = Buffers(unsent: ControlLimits.unreadBytes + 1, received: 100, nextMessage: 100)
        #expect(connection.received(.drained, unread) == .send)
        #expect(connection.sent(isConnected: true, unread) == .watch(.writing, then: .wait))
        #expect(connection.ready(canRead: true) == .send)
        #expect(connection.sent(isConnected: true, .oneCall) == .watch(.reading, then: .scheduleTurn))
    }

    @Test func `a client with many waiting calls is not read`() {
        var connection = Start.callsWaiting.connection
        let behind = Buffers(received: ControlLimits.bytesPerTurn + 1, nextMessage: 100)
        #expect(connection.sent(isConnected: true, behind) == .watch([], then: .scheduleTurn))
        connection = Start.answeringQuery.connection
        #expect(connection.sent(isConnected: true, Buffers(received: 9, isFull: true)) == .watch([], then: .wait))
    }

    @Test func `a large message waits for its turn, while nothing is read`() {
        var connection = Start.idle.connection
        #expect(connection.received(.drained, .large) == .awaitTurn)
        #expect(connection.sent(isConnected: true, .large) == .watch([], then: .wait))
        #expect(connection.turnCame(.large) == .send)
        #expect(connection.admitted(.large) == .handleCall)
        // The next large message waits for a turn of its own.
        #expect(connection.handled(1, .large) == .awaitTurn)
        connection = Start.largeMessageAdmitted.connection
        #expect(connection.sent(isConnected: true, .large) == .watch(.reading, then: .scheduleTurn))
        #expect(connection.turnCame(.large) == .handleCall)
    }

    // MARK: Replies

    @Test func `replies that are made while calls are handled are sent after the last call`() {
        var connection = Start.idle.connection
        #expect(connection.received(.drained, .oneCall) == .handleCall)
        let number = connection.began(Self.change)
        #expect(connection.sendAnswer(number) == .none)
        #expect(connection.handled(1, .oneCall) == .handleCall)
        #expect(connection.handledAll() == .send)
        #expect(connection.sent(isConnected: true, Buffers()) == .watch(.reading, then: .wait))
    }

    @Test func `a reply that is made later is sent at once, and later calls have their turn`() {
        var connection = Start.answeringChange.connection
        #expect(connection.answered(2) == false)
        #expect(connection.sendAnswer(1) == .send)
        #expect(connection.sent(isConnected: true, Buffers()) == .watch(.reading, then: .scheduleTurn))
        #expect(connection.answered(1) == false)
    }

    @Test func `the next portion is made when most of the previous ones are read`() {
        var connection = Start.answeringQuery.connection
        #expect(connection.hasSentPortion(of: 1) == false)
        #expect(connection.madePortion(1) == true)
        #expect(connection.hasSentPortion(of: 1) == true)
        let page = ControlLimits.pageBytes
        #expect(connection.paused(1, unsent: page, then: 7) == .followUp(.continueRequest(7)))
        #expect(connection.paused(2, unsent: page + 1, then: 7) == .none)
        #expect(connection.paused(1, unsent: page + 1, then: 8) == .none)
        let both: Poller.Interest = [.reading, .writing]
        #expect(connection.sent(isConnected: true, Buffers(unsent: page + 1)) == .watch(both, then: .wait))
        let due = Connection.FollowUp.continueRequest(8)
        #expect(connection.sent(isConnected: true, Buffers(unsent: page)) == .watch(both, then: due))
        #expect(connection.sent(isConnected: true, Buffers(unsent: page)) == .watch(both, then: .wait))
    }

    @Test func `a listener's events are sent in a later turn, or at once if they are many`() {
        var connection = Start.answeringListener.connection
        #expect(connection.bufferedEvent(unsentBefore: 0, unsent: 1) == .followUp(.scheduleTurn))
        #expect(connection.bufferedEvent(unsentBefore: 1, unsent: 2) == .none)
        let many = ControlLimits.bytesPerFlush + 1
        #expect(connection.bufferedEvent(unsentBefore: 2, unsent: many) == .send)
        let limit = ControlLimits.unreadBytes
        #expect(connection.bufferedEvent(unsentBefore: limit, unsent: limit + 1) == .send)
        let slow = Connection.Action.close(.slowListener(unsent: limit + 1))
        #expect(connection.bufferedEvent(unsentBefore: limit + 1, unsent: limit + 2) == slow)
    }

    @Test func `a broken connection counts as a hang-up in a later turn`() {
        var connection = Start.answeringQuery.connection
        #expect(connection.sent(isConnected: false, Buffers(unsent: 1)) == .hangUpLater)
        #expect(connection.hungUp() == .hangUp(abandonsQuery: true))
    }

    // MARK: End

    @Test func `a client that has stopped sending gets its replies, and a listener does not wait for events`() {
        var connection = Start.ended.connection
        #expect(connection.sent(isConnected: true, Buffers()) == .watch([], then: .wait))
        #expect(connection.sendAnswer(1) == .send)
        #expect(connection.sent(isConnected: true, Buffers(unsent: 1)) == .watch(.writing, then: .scheduleTurn))
        #expect(connection.turnCame(Buffers(unsent: 1)) == .handleCall)
        #expect(connection.handledAll() == .send)
        #expect(connection.sent(isConnected: true, Buffers(unsent: 1)) == .watch(.writing, then: .wait))
        #expect(connection.sent(isConnected: true, Buffers()) == .close(.finished))
        connection = Start.answeringListener.connection
        #expect(connection.received(.ended, Buffers()) == .send)
        #expect(connection.sent(isConnected: true, Buffers()) == .close(.finished))
        connection = Start.largeMessageWaiting.connection
        #expect(connection.received(.ended, .large) == .send)
        #expect(connection.sent(isConnected: true, .large) == .watch([], then: .wait))
    }

    @Test func `bytes that arrived before a hang-up are read in turns`() {
        var connection = Start.answeringChange.connection
        #expect(connection.hungUp() == .hangUp(abandonsQuery: false))
        #expect(connection.readRest(Buffers()) == .read(isLast: true))
        #expect(connection.received(.more, Buffers(received: 9, isFull: true)) == .send)
        #expect(connection.sent(isConnected: true, Buffers(received: 9, isFull: true)) == .watch([], then: .wait))
        #expect(connection.sendAnswer(1) == .send)
        #expect(connection.sent(isConnected: true, .oneCall) == .watch([], then: .scheduleTurn))
        #expect(connection.turnCame(.oneCall) == .handleCall)
        #expect(connection.handledAll() == .send)
        #expect(connection.sent(isConnected: true, Buffers()) == .watch(.reading, then: .readLater))
        #expect(connection.readRest(Buffers()) == .read(isLast: true))
        #expect(connection.received(.ended, Buffers()) == .handleCall)
        #expect(connection.handledAll() == .send)
        #expect(connection.sent(isConnected: true, Buffers()) == .close(.finished))
    }

    @Test func `a dismissed client is closed when its changes are acknowledged and its replies are sent`() {
        var connection = Start.dismissed.connection
        #expect(connection.sent(isConnected: true, Buffers()) == .watch([], then: .wait))
        #expect(connection.sendAnswer(1) == .send)
        #expect(connection.sent(isConnected: true, .oneCall) == .watch([], then: .scheduleTurn))
        #expect(connection.turnCame(.large) == .handleCall)
        // The calls that have arrived are all handled in one turn.
        #expect(connection.handled(1_000_000, .oneCall) == .handleCall)
        #expect(connection.handledAll() == .send)
        #expect(connection.sent(isConnected: true, Buffers(unsent: 1)) == .watch(.writing, then: .wait))
        #expect(connection.sent(isConnected: true, Buffers()) == .close(.finished))
    }

    @Test func `a dismissed listener gets no further page`() {
        var connection = Start.answeringListener.connection
        #expect(connection.paused(1, unsent: ControlLimits.pageBytes + 1, then: 3) == .none)
        #expect(connection.dismissed(Buffers()) == .read(isLast: true))
        #expect(connection.received(.drained, Buffers()) == .send)
        #expect(connection.sent(isConnected: true, Buffers(unsent: 1)) == .watch(.writing, then: .wait))
        #expect(connection.sent(isConnected: true, Buffers()) == .close(.finished))
    }
}
