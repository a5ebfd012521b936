import Control
import Glibc
import Varlink

/// Keeps the screen of `ipctl top` going: waits for keys, signals, answers, events and the next second, tells the model, and
/// draws.
final class TopLoop {
    private let connection: Connection
    /// A connection of its own, since a listener gets nothing else on its.
    private var listener: Connection
    private let screen: TerminalScreen
    private let signals: SignalPipe
    private var keys = KeyReader()
    private var model = TopModel(size: .standardOutput)
    private var drawnAt: Int64 = 0
    private var isDrawn = false

    /// So many milliseconds pass between two pictures at least: events come in bursts.
    private static let betweenPictures: Int64 = 40
    private static let ending: Set<Int32> = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    init(_ connection: Connection, _ screen: TerminalScreen) throws(Complaint) {
        self.connection = connection
        self.screen = screen
        listener = try Self.listener(beside: connection)
        signals = try SignalPipe(Self.ending + [SIGTSTP, SIGCONT, SIGWINCH])
    }

    private static func listener(beside connection: Connection) throws(Complaint) -> Connection {
        let listener = try connection.another()
        let parameters = Control.Monitor.Parameters(after: nil, kinds: nil, addresses: nil)
        try listener.send(Connection.message("Monitor", parameters, more: true)[...])
        return listener
    }

    /// - Returns: the signal that ended it, which is still to be obeyed; nil where a person did.
    func run() throws(Complaint) -> Int32? {
        screen.enter()
        defer { screen.leave() }
        while !model.isOver {
            try ask()
            draw()
            let ready = wait()
            if ready.contains(signals.descriptor) {
                var numbers = signals.numbers()[...]
                while let number = numbers.popFirst() {
                    if Self.ending.contains(number) { return number }
                    numbers += try take(number)
                }
            }
            if ready.contains(STDIN_FILENO) {
                let typed = screen.typed()
                // Readable and nothing to read: the terminal has gone.
                if typed.isEmpty { return nil }
                for key in keys.keys(in: typed) { take(key) }
            }
            if ready.contains(connection.descriptor) { try takeAnswers() }
            if ready.contains(listener.descriptor) { try takeEvents() }
        }
        return nil
    }

    // MARK: Out

    private func ask() throws(Complaint) {
        guard let request = model.nextRequest(at: Times.now) else { return }
        switch request {
        case .status: try connection.send(Connection.message("Status", Control.Status.Parameters())[...])
        case .page(let chunk, _): try connection.send(Connection.message("List", model.list.parameters(of: chunk))[...])
        }
    }

    private func draw() {
        let now = Times.now
        // A clock that was set back must not stop the pictures.
        guard !isDrawn || secondHasPassed(at: now), pictureDueIn(at: now) == 0 else { return }
        screen.show(TopFrame(model: model, now: now).canvas)
        (drawnAt, isDrawn) = (now, true)
    }

    private func secondHasPassed(at now: Int64) -> Bool { now / 1_000 != drawnAt / 1_000 }

    private func pictureDueIn(at now: Int64) -> Int64 {
        now < drawnAt ? 0 : max(0, drawnAt + Self.betweenPictures - now)
    }

    // MARK: In

    /// - Returns: the descriptors on which something has come.
    private func wait() -> Set<Int32> {
        let now = Times.now
        // The countdowns change with the second.
        var timeout = 1_000 - now % 1_000
        if !isDrawn { timeout = min(timeout, pictureDueIn(at: now)) }
        if let news = model.newsDueIn(at: now) { timeout = min(timeout, news) }
        let descriptors = [STDIN_FILENO, signals.descriptor, connection.descriptor, listener.descriptor]
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), Int32(timeout)) > 0 else { return [] }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd))
    }

    private func takeAnswers() throws(Complaint) {
        for reply in try connection.arrived() {
            isDrawn = false
            if let complaint = connection.complaint(of: reply) {
                guard model.take(ControlError(name: reply.error ?? "", parameters: reply.parameters)) else {
                    throw complaint
                }
            } else if model.isAwaitingStatus {
                model.take(try reply.decoded(Control.Status.Reply.self))
            } else {
                model.take(try reply.decoded(Control.List.Reply.self))
            }
        }
    }

    private func takeEvents() throws(Complaint) {
        for reply in try listener.arrived() {
            isDrawn = false
            if let complaint = listener.complaint(of: reply) { throw complaint }
            model.take(try reply.decoded(Control.Monitor.Reply.self).event)
        }
    }

    private func take(_ key: Key) {
        isDrawn = false
        if key == .redraw { screen.forget() }
        model.take(key)
    }

    /// - Returns: those that have come meanwhile.
    private func take(_ signal: Int32) throws(Complaint) -> [Int32] {
        isDrawn = false
        switch signal {
        case SIGWINCH:
            model.size = .standardOutput
            screen.forget()
        case SIGTSTP:
            screen.leave()
            SignalPipe.obey(SIGTSTP)
            // Who was stopped has been continued by now, and need not come back from that, too.
            let others = signals.numbers().filter { $0 != SIGCONT }
            try comeBack()
            return others
        default:
            // Stopped in a way that nobody can hear of, and continued.
            try comeBack()
        }
        return []
    }

    /// The program was stopped: others have used the terminal, and the daemon may have dropped a listener that does not listen.
    private func comeBack() throws(Complaint) {
        model.size = .standardOutput
        screen.enter()
        listener = try Self.listener(beside: connection)
        model.wakeUp()
    }
}
