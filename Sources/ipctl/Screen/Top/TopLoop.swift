import Control
import Glibc
import Varlink

/// The main loop of `ipctl top`. It waits for keys, signals, replies, events and the next second, updates the model,
/// and draws the screen.
final class TopLoop {
    private let path: String
    private let deadline: Deadline?
    private let reconnects: Bool
    /// The connections; nil while there is no connection to the daemon.
    private var link: Link?
    /// The time of the next connection attempt, while there is no connection.
    private var nextAttempt = Deadline(in: .zero)
    private let screen: TerminalScreen
    private let signals: SignalPipe
    private var keys = KeyReader()
    private var model: TopModel
    /// The time until which the rest of an escape sequence is awaited; nil if the input is complete.
    private var sequenceDeadline: Deadline?
    private var drawnAt: Int64 = 0
    private var isDrawn = false

    /// The minimum time between two frames, in milliseconds. It limits redrawing when events arrive in bursts.
    private static let minFrameMilliseconds: Int64 = 40
    private static let endingSignals: Set<Int32> = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Time between connection attempts: each attempt may start a daemon that fails at startup.
    private static let attemptInterval = Duration.seconds(1)
    /// Maximum duration of a connection attempt, during which keys are not handled.
    private static let connectDuration = Duration.milliseconds(100)
    /// Maximum time between the parts of an escape sequence, which may arrive in several packets over a network.
    private static let sequenceDuration = Duration.milliseconds(50)

    /// The connections to one run of the daemon.
    private struct Link {
        let connection: DaemonConnection
        /// A separate connection for events, because a connection that receives events carries nothing else.
        var listener: DaemonConnection
    }

    /// - Parameter filter: the filter of the command line; nil for the whole list.
    init(
        _ connection: DaemonConnection, _ screen: TerminalScreen, filter: Interface.Filter?, reconnects: Bool
    ) throws(CommandError) {
        self.screen = screen
        model = TopModel(size: .standardOutput, filter: filter)
        self.reconnects = reconnects
        (path, deadline) = (connection.path, connection.limits.deadline)
        // The daemon sends nothing while there are no events.
        connection.limits = TimeLimits(silence: nil, deadline: deadline)
        link = Link(connection: connection, listener: try Self.listener(beside: connection))
        signals = try SignalPipe(Self.endingSignals + [SIGTSTP, SIGCONT, SIGWINCH])
    }

    private static func listener(beside connection: DaemonConnection) throws(CommandError) -> DaemonConnection {
        let listener = try connection.duplicate()
        let parameters = Control.Monitor.Parameters(after: nil, kinds: nil, addresses: nil)
        try listener.send(DaemonConnection.message("Monitor", parameters, more: true)[...])
        return listener
    }

    /// - Returns: the signal that ended the loop and still has to take effect; nil if the user quit.
    func run() throws(CommandError) -> Int32? {
        screen.enter()
        defer { screen.leave() }
        while !model.isOver {
            if let deadline, deadline.isOver { throw CommandError(timeLimit: deadline) }
            if link == nil, nextAttempt.isOver { connect() }
            try whileConnected { () throws(CommandError) in try sendRequest() }
            draw()
            let ready = wait()
            if ready.contains(signals.descriptor) {
                var numbers = signals.receivedSignals()[...]
                while let number = numbers.popFirst() {
                    if Self.endingSignals.contains(number) { return number }
                    numbers += try handle(number)
                }
            }
            if ready.contains(STDIN_FILENO) {
                let typed = screen.readInput()
                // End of file: the terminal is gone.
                if typed.isEmpty { return nil }
                for key in keys.keys(in: typed) { handle(key) }
                sequenceDeadline = keys.isPending ? Deadline(in: Self.sequenceDuration) : nil
            } else if sequenceDeadline?.isOver == true {
                for key in keys.pendingKeys() { handle(key) }
                sequenceDeadline = nil
            }
            try whileConnected { () throws(CommandError) in
                guard let link else { return }
                if ready.contains(link.connection.descriptor) { try handleReplies(on: link.connection) }
                if ready.contains(link.listener.descriptor) { try handleEvents(on: link.listener) }
            }
        }
        return nil
    }

    // MARK: The daemon

    /// Runs work that needs the daemon, and handles the loss of the connection.
    private func whileConnected(_ work: () throws(CommandError) -> Void) throws(CommandError) {
        do throws(CommandError) {
            try work()
        } catch {
            guard reconnects, error.status == .noDaemon else { throw error }
            link = nil
            nextAttempt = Deadline(in: Self.attemptInterval)
            isDrawn = false
            model.didDisconnect()
        }
    }

    private func connect() {
        nextAttempt = Deadline(in: Self.attemptInterval)
        do throws(CommandError) {
            let limits = TimeLimits(silence: Self.connectDuration)
            let connection = try DaemonConnection(to: SocketPath(option: path), limits: limits)
            let listener = try Self.listener(beside: connection)
            for part in [connection, listener] { part.limits = TimeLimits(silence: nil, deadline: deadline) }
            link = Link(connection: connection, listener: listener)
        } catch {
            // The screen shows that there is no connection, and the next attempt follows.
            link = nil
        }
    }

    // MARK: Output

    private func sendRequest() throws(CommandError) {
        guard let connection = link?.connection, let request = model.nextRequest(at: Times.now) else { return }
        try connection.send(message(for: request)[...])
    }

    private func message(for request: TopModel.Request) -> [UInt8] {
        switch request {
        case .status: DaemonConnection.message("Status", Control.Status.Parameters())
        case .page(let chunks, _): DaemonConnection.message("List", model.list.parameters(of: chunks))
        case .entry(let address): DaemonConnection.message("List", TopCard.entryParameters(of: address))
        case .history(let address):
            DaemonConnection.message("History", Control.History.Parameters(address: address))
        case .act(.refresh(let addresses)):
            DaemonConnection.message("Refresh", Control.Refresh.Parameters(addresses: addresses))
        case .act(.label(let labelling)):
            DaemonConnection.message("Label", labelling.parameters(for: labelling.addresses))
        }
    }

    private func draw() {
        let now = Times.now
        // A clock that was set back must not stop the display.
        guard !isDrawn || now / 1_000 != drawnAt / 1_000, frameDueIn(at: now) == 0 else { return }
        screen.show(TopFrame(model: model, now: now).canvas)
        (drawnAt, isDrawn) = (now, true)
    }

    private func frameDueIn(at now: Int64) -> Int64 {
        now < drawnAt ? 0 : max(0, drawnAt + Self.minFrameMilliseconds - now)
    }

    // MARK: Input

    /// - Returns: the descriptors that are readable.
    private func wait() -> Set<Int32> {
        let now = Times.now
        // The countdowns change every second.
        var timeout = 1_000 - now % 1_000
        if !isDrawn { timeout = min(timeout, frameDueIn(at: now)) }
        if let news = model.roundDueIn(at: now) { timeout = min(timeout, news) }
        if link == nil { timeout = min(timeout, Int64(nextAttempt.remaining)) }
        if let sequenceDeadline { timeout = min(timeout, Int64(sequenceDeadline.remaining)) }
        if let deadline { timeout = min(timeout, Int64(deadline.remaining)) }
        let daemon = link.map { [$0.connection.descriptor, $0.listener.descriptor] } ?? []
        let descriptors = [STDIN_FILENO, signals.descriptor] + daemon
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), Int32(timeout)) > 0 else { return [] }
        return Set(polled.filter { $0.revents != 0 }.map(\.fd))
    }

    private func handleReplies(on connection: DaemonConnection) throws(CommandError) {
        for reply in try connection.receivedReplies() {
            isDrawn = false
            if let commandError = connection.commandError(of: reply) {
                guard model.handle(commandError) else { throw commandError }
                continue
            }
            switch model.outstanding {
            case .status?: model.handle(try reply.decoded(Control.Status.Reply.self))
            case .page?, .entry?: model.handle(try reply.decoded(Control.List.Reply.self))
            case .history?: model.handle(try reply.decoded(Control.History.Reply.self))
            case .act(.refresh)?: model.handle(try reply.decoded(Control.Refresh.Reply.self))
            case .act(.label)?: model.handle(try reply.decoded(Control.Label.Reply.self))
            case nil: break
            }
        }
    }

    private func handleEvents(on listener: DaemonConnection) throws(CommandError) {
        for reply in try listener.receivedReplies() {
            isDrawn = false
            if let commandError = listener.commandError(of: reply) { throw commandError }
            model.handle(try reply.decoded(Control.Monitor.Reply.self).event)
        }
    }

    private func handle(_ key: KeyPress) {
        isDrawn = false
        if key == .redraw { screen.invalidate() }
        model.handle(key)
    }

    /// - Returns: the signals that arrived meanwhile.
    private func handle(_ signal: Int32) throws(CommandError) -> [Int32] {
        isDrawn = false
        switch signal {
        case SIGWINCH:
            model.size = .standardOutput
            screen.invalidate()
        case SIGTSTP:
            screen.leave()
            SignalPipe.performDefaultAction(SIGTSTP)
            // The SIGCONT that ended the suspension needs no second redraw.
            let others = signals.receivedSignals().filter { $0 != SIGCONT }
            try resume()
            return others
        default:
            // SIGCONT after a suspension that could not be handled (SIGSTOP).
            try resume()
        }
        return []
    }

    /// Resumes after a suspension: other programs used the terminal, and the daemon may have dropped the listener.
    private func resume() throws(CommandError) {
        model.size = .standardOutput
        screen.enter()
        try whileConnected { () throws(CommandError) in
            guard let connection = link?.connection else { return }
            link?.listener = try Self.listener(beside: connection)
        }
        model.requireRound()
    }
}
