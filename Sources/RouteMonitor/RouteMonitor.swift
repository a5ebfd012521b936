import CLinux
package import Dispatch
import Glibc
package import RecordKeeping
import Synchronization

/// Tells that the kernel's routes changed, and says whether there is a way to an address.
///
///     let monitor = RouteMonitor(queue: queue) { keeper.handle(.routesChanged) } onBlindness: { log($0) }
///     switch monitor.ask([address]) { … }
///
/// It belongs to the network namespace of the thread that makes it. Where the kernel's events cannot be had, `blindness`
/// says why and each question is answered with that, so that a way is presumed: who cannot hear of its return must not
/// believe that it is lost.
package final class RouteMonitor: Sendable {
    private struct State {
        var source: (any DispatchSourceRead)?
        var blindness: NetlinkError?
    }

    private let state = Mutex(State())
    private let asker: Mutex<Result<RouteAsker, NetlinkError>>
    private let onBlindness: @Sendable (NetlinkError) -> Void

    /// Listens from now on.
    ///
    /// - Parameters:
    ///   - queue: a serial queue, on which the source fires and both of these are called.
    ///   - onChange: something changed, or may have: ask again. Called once for each wake-up, whatever it brought; after
    ///     `cancel` on the same queue never again.
    ///   - onBlindness: the events cannot be had, for this reason; called once, on the caller's thread where that is so
    ///     from the beginning, and before the `onChange` that follows where it comes about later.
    package convenience init(
        queue: DispatchQueue, onChange: @escaping @Sendable () -> Void,
        onBlindness: @escaping @Sendable (NetlinkError) -> Void
    ) {
        self.init(
            queue: queue, events: Result { () throws(NetlinkError) in try Self.eventSocket() }, onChange: onChange,
            onBlindness: onBlindness)
    }

    /// As above, with the event socket made by the caller, or the reason why there is none.
    package init(
        queue: DispatchQueue, events: Result<NetlinkSocket, NetlinkError>, onChange: @escaping @Sendable () -> Void,
        onBlindness: @escaping @Sendable (NetlinkError) -> Void
    ) {
        self.onBlindness = onBlindness
        asker = Mutex(Result { () throws(NetlinkError) in try RouteAsker() })
        do throws(NetlinkError) {
            let socket = try events.get()
            state.withLock { state in
                let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
                source.setEventHandler { [weak self] in
                    if self?.hasChange(at: socket) == true { onChange() }
                }
                // Dispatch watches the descriptor until this runs; the reference keeps it open until then.
                source.setCancelHandler { _ = socket }
                source.activate()
                state.source = source
            }
        } catch {
            goBlind(error)
        }
    }

    deinit { cancel() }

    /// Why the kernel's events cannot be had; nil while they can.
    package var blindness: NetlinkError? { state.withLock { $0.blindness } }

    /// Whether the kernel would send a packet to one of these now.
    ///
    /// Synchronous: some 10 µs for each address. May be called from any thread.
    package func ask(_ addresses: [IPAddress]) -> Way {
        if let blindness { return .unknown(reason: "\(blindness)") }
        let answers = asker.withLock { asker in
            var answers: [RouteAnswer] = []
            for address in addresses {
                let answer = Self.ask(address, &asker)
                answers.append(answer)
                if answer == .way { break }
            }
            return answers
        }
        return RouteAnswer.way(of: answers, name: Self.interfaceName)
    }

    /// Stops listening and closes the event socket. Questions are still answered.
    package func cancel() {
        state.withLock { state in
            state.source?.cancel()
            state.source = nil
        }
    }

    /// A socket that hears from the kernel, and from it alone, of all that can change a route.
    package static func eventSocket() throws(NetlinkError) -> NetlinkSocket {
        let socket = try NetlinkSocket(isBlocking: false)
        try socket.connectToKernel()
        for group in NetlinkGroup.allCases {
            do throws(NetlinkError) {
                try socket.join(group)
            } catch .failed(.join(group), EINVAL) where group.mayBeMissing {
                continue
            }
        }
        return socket
    }

    private func hasChange(at socket: NetlinkSocket) -> Bool {
        do throws(NetlinkError) {
            return try socket.drain(atMost: Self.datagramsPerWakeUp).isChange
        } catch {
            // The socket is of no use any more. Ask again: the answer will say so.
            goBlind(error)
            cancel()
            return true
        }
    }

    private func goBlind(_ reason: NetlinkError) {
        state.withLock { $0.blindness = reason }
        onBlindness(reason)
    }

    private static func ask(_ address: IPAddress, _ asker: inout Result<RouteAsker, NetlinkError>) -> RouteAnswer {
        do throws(NetlinkError) {
            var working = try asker.get()
            defer { asker = .success(working) }
            return try working.ask(address)
        } catch {
            return .unusable("\(error)")
        }
    }

    private static func interfaceName(_ index: Int32) -> String? {
        guard let index = UInt32(exactly: index) else { return nil }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A fraction of what waits when a storm has filled the default buffer (some 270), so that the queue is not held.
    private static let datagramsPerWakeUp = 64
}
