import Control
import DequeModule
import Glibc
import RecordKeeping
import Varlink

/// The daemon as `ipctl enrich` uses it: the connections, the calls in flight, and the attempts to reconnect.
struct EnrichDaemon {
    private enum State {
        case connected
        /// Without a reply since the connection was lost.
        case away(DaemonAbsence)
    }

    private let path: String
    private let limits: TimeLimits
    private let interruption: SignalPipe?
    /// Milliseconds for which the daemon is asked to wait for the provider; nil if addresses are not looked up.
    private let lookupWait: Int64?
    /// Milliseconds for which addresses are watched; nil if they are not.
    private let watchTime: Int64?
    private var state = State.connected
    private var channels: [EnrichChannel]
    /// The addresses to look up.
    private var lookups: Deque<AddressAnswer> = []
    /// The error with which the last connection was lost; nil if none was.
    private(set) var lastLoss: CommandError?

    /// Addresses per call that reads what is known: the call fits into the socket's buffer, and the reply is parsed
    /// within some ten milliseconds.
    private static let addressesPerRead = 1_000
    /// Addresses per lookup: the provider's maximum batch size.
    private static let addressesPerLookup = 100
    /// Maximum number of queued lookups: lines do not wait for them for longer than `--wait`.
    private static let maxQueuedLookups = 100_000
    /// Addresses per change to the watch list.
    private static let addressesPerWatch = 1_000
    /// Lookups in flight: as many as the daemon's calls.
    private static let maxLookups = Limits.callsInFlight

    init(_ connection: DaemonConnection, lookupWait: Int64?, watchTime: Int64?) {
        (path, limits, interruption) = (connection.path, connection.limits, connection.interruption)
        (self.lookupWait, self.watchTime) = (lookupWait, watchTime)
        channels = [EnrichChannel(.reading, connection)]
    }

    /// The channels that wait for a reply.
    var busyChannels: [EnrichChannel] { channels.filter(\.isBusy) }

    /// Milliseconds until the absence requires an action, or until a channel counts as silent; nil for no limit.
    ///
    /// - Parameter isPassingOn: whether lines no longer wait for the daemon.
    func remaining(isPassingOn: Bool) -> Int32? {
        var moments = channels.compactMap(\.remaining)
        if case .away(let absence) = state {
            let isConnected = !channels.isEmpty
            let rest = absence.remaining(at: Deadline.now, isConnected: isConnected, isPassingOn: isPassingOn)
            if let rest { moments.append(rest) }
        }
        return moments.min()
    }

    /// Whether addresses are still to be added to the watch list.
    func isWatching(with lines: EnrichedLines) -> Bool {
        lines.hasUnwatched || channels.contains { $0.purpose == .watching && $0.isBusy }
    }

    /// Whether lookups are still to begin for which no line waits. With a wait of 0, the daemon replies when they have
    /// begun.
    var isBeginningLookups: Bool {
        lookupWait == 0 && (!lookups.isEmpty || channels.contains { $0.purpose == .lookup && $0.isBusy })
    }

    /// Queues a lookup. If too many are queued, the answer is used without one for `EntryAnswers.minUse`.
    mutating func lookUp(_ answer: AddressAnswer, at now: Int64) {
        guard lookups.count < Self.maxQueuedLookups else { return answer.complete(until: now + EntryAnswers.minUse) }
        lookups.append(answer)
    }

    // MARK: Calls

    /// Reconnects if it is time, and sends the calls for which there are idle channels.
    mutating func work(on lines: inout EnrichedLines) throws(CommandError) {
        let now = Deadline.now
        if case .away(let absence) = state {
            if !lines.isPassingOn, absence.endsWaits(at: now) { passOn(&lines, at: now) }
            if channels.isEmpty, absence.isAttemptDue(at: now) { reconnect(absence, at: now) }
        }
        do throws(CommandError) {
            try sendReads(&lines)
            guard case .connected = state else { return }
            try sendLookups()
            try sendWatches(&lines)
        } catch {
            try lose(&lines, error)
        }
    }

    private mutating func passOn(_ lines: inout EnrichedLines, at now: Int64) {
        lines.startPassingOn(at: now)
        for answer in lookups { answer.complete(until: now + EntryAnswers.minUse) }
        lookups = []
    }

    private func sendReads(_ lines: inout EnrichedLines) throws(CommandError) {
        guard let channel = channels.first, !channel.isBusy else { return }
        var addresses = lines.takeQuestions(Self.addressesPerRead)
        if addresses.isEmpty, case .away = state {
            // Any reply shows that the daemon is back.
            addresses = [AddressAnswer(IPAddress(v4: 0))]
        }
        guard !addresses.isEmpty else { return }
        let parameters = Control.Show.Parameters(addresses: addresses.map { "\($0.address)" }, lookup: false)
        try channel.send(DaemonConnection.message("Show", parameters), about: addresses)
    }

    private mutating func sendLookups() throws(CommandError) {
        guard let lookupWait else { return }
        let wait = min(lookupWait, Limits.maxWait.wholeMilliseconds)
        while !lookups.isEmpty {
            guard let channel = try idleChannel(.lookup, atMost: Self.maxLookups) else { return }
            let addresses = Array(lookups.prefix(Self.addressesPerLookup))
            let parameters = Control.Show.Parameters(addresses: addresses.map { "\($0.address)" }, wait: wait)
            lookups.removeFirst(addresses.count)
            try channel.send(
                DaemonConnection.message("Show", parameters), about: addresses, wait: .milliseconds(wait))
        }
    }

    private mutating func sendWatches(_ lines: inout EnrichedLines) throws(CommandError) {
        guard let watchTime, lines.hasUnwatched, let channel = try idleChannel(.watching, atMost: 1) else { return }
        let addresses = lines.takeUnwatched(Self.addressesPerWatch)
        let parameters = Control.Add.Parameters(
            addresses: addresses.map { "\($0.address)" }, tags: nil, note: nil, until: Times.now + watchTime)
        try channel.send(DaemonConnection.message("Add", parameters), about: addresses)
    }

    private mutating func idleChannel(
        _ purpose: EnrichChannel.Purpose, atMost maximum: Int
    ) throws(CommandError) -> EnrichChannel? {
        let existing = channels.filter { $0.purpose == purpose }
        if let idle = existing.first(where: { !$0.isBusy }) { return idle }
        guard existing.count < maximum, let first = channels.first else { return nil }
        let channel = EnrichChannel(purpose, try first.connection.duplicate())
        channels.append(channel)
        return channel
    }

    // MARK: Replies

    /// Returns the reply on a channel; nil if there is none yet.
    mutating func receive(
        on channel: EnrichChannel, _ lines: inout EnrichedLines
    ) throws(CommandError) -> EnrichChannel.Received? {
        // The channel may have been lost together with an earlier one.
        guard channels.contains(where: { $0 === channel }) else { return nil }
        do throws(CommandError) {
            guard let received = try channel.receive() else { return nil }
            if case .away = state { Output.printMessage("reconnected") }
            state = .connected
            lines.stopPassingOn()
            return received
        } catch {
            try lose(&lines, error)
            return nil
        }
    }

    /// Sends the next call of a search in the history on the channel on which its entries arrived. A line waits for it
    /// as long as for the entries.
    mutating func send(
        _ parameters: Control.History.Parameters, of search: ChangedEntries, about addresses: [AddressAnswer],
        on channel: EnrichChannel, _ lines: inout EnrichedLines
    ) throws(CommandError) {
        do throws(CommandError) {
            try channel.send(DaemonConnection.message("History", parameters), about: addresses, search: search)
        } catch {
            try lose(&lines, error)
        }
    }

    mutating func checkSilence(_ lines: inout EnrichedLines) throws(CommandError) {
        do throws(CommandError) {
            for channel in channels { try channel.checkSilence() }
        } catch {
            try lose(&lines, error)
        }
    }

    // MARK: Losses

    /// Closes all connections after the daemon was lost, and keeps the addresses of their calls.
    ///
    /// - Throws: any other error.
    private mutating func lose(_ lines: inout EnrichedLines, _ error: CommandError) throws(CommandError) {
        guard error.status == .noDaemon || error.isUnresponsive, !error.isTimeout else { throw error }
        let now = Deadline.now
        for channel in channels {
            switch channel.purpose {
            case .reading: lines.askAgain(channel.addresses, at: now)
            case .lookup: lookups.prepend(contentsOf: channel.addresses)
            case .watching: lines.watchAgain(channel.addresses, at: now)
            }
        }
        channels = []
        guard case .away(let absence) = state else {
            Output.printMessage("\(error.message); reconnecting")
            state = .away(DaemonAbsence(at: now, isSilent: error.isUnresponsive))
            return lastLoss = error
        }
        postponeAttempt(after: absence, at: now)
    }

    private mutating func postponeAttempt(after absence: DaemonAbsence, at now: Int64) {
        var absence = absence
        absence.postponeAttempt(at: now)
        state = .away(absence)
    }

    private mutating func reconnect(_ absence: DaemonAbsence, at now: Int64) {
        do throws(DaemonConnection.Unreachable) {
            // The daemon accepts at once, unless its backlog is full.
            let attempt = TimeLimits(silence: .milliseconds(DaemonAbsence.minDelay), deadline: limits.deadline)
            let connection = try DaemonConnection(path: path, limits: attempt)
            (connection.limits, connection.interruption) = (limits, interruption)
            channels = [EnrichChannel(.reading, connection)]
        } catch {
            postponeAttempt(after: absence, at: now)
        }
    }
}
