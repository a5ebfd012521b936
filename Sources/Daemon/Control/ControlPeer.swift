import Control
import Dispatch
import Glibc
import Logging
import RecordKeeping
import Varlink

/// One client: its connection, the call that it waits for, and what it has not read yet.
///
/// Belongs to the queue that it is made with, which is the engine's.
final class ControlPeer {
    let id: PeerID
    private let descriptor: Int32
    private let isAdministrator: Bool
    private let service: ServiceInterface
    private unowned let server: ControlServer

    private var conversation = ServerConversation(limitBytes: ControlLimits.messageBytes)
    private var outbox = Outbox()
    private var requests: UInt64 = 0
    /// The request that has not had its last answer; nil while none is with the engine.
    private var current: UInt64?
    private var isListener = false
    private var isProcessing = false
    private var hasEnded = false
    private var isClosed = false

    private let readSource: any DispatchSourceRead
    private let writeSource: any DispatchSourceWrite
    private var isReading = true
    private var isWriting = false

    /// - Parameter descriptor: connected and non-blocking; it belongs to the peer from now on.
    init(
        id: PeerID, descriptor: Int32, isAdministrator: Bool, service: ServiceInterface, server: ControlServer,
        queue: DispatchQueue
    ) {
        self.id = id
        self.descriptor = descriptor
        self.isAdministrator = isAdministrator
        self.service = service
        self.server = server
        readSource = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        writeSource = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        readSource.setEventHandler { [weak self] in self?.read() }
        writeSource.setEventHandler { [weak self] in self?.flush() }
        // Dispatch watches the descriptor until both have been cancelled.
        let group = DispatchGroup()
        group.enter()
        group.enter()
        readSource.setCancelHandler { group.leave() }
        writeSource.setCancelHandler { group.leave() }
        group.notify(queue: queue) { Glibc.close(descriptor) }
        readSource.activate()
    }

    // MARK: In

    private func read() {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var room = ControlLimits.bytesPerTurn
        while room > 0, !hasEnded, !isClosed {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count > 0 {
                conversation.receive(chunk[..<count])
                room -= count
            } else if count == 0 {
                hasEnded = true
            } else if errno == EINTR {
                continue
            } else if errno == EAGAIN {
                break
            } else {
                close()
                return
            }
            if count < chunk.count { break }
        }
        process()
    }

    /// Hands out calls, until one has to wait for its answer.
    private func process() {
        guard !isClosed, !isProcessing else { return }
        isProcessing = true
        do throws(ConversationError) {
            while !isClosed, let call = try conversation.next() { take(call) }
        } catch {
            server.log.debug("a client is dropped: \(error)")
            // What was answered before goes out still, if the socket takes it.
            outbox.write(to: descriptor)
            close()
        }
        isProcessing = false
        flush()
    }

    private func take(_ call: IncomingCall) {
        do throws(ControlError) {
            guard !call.wantsUpgrade else { throw .service(.invalidParameter("upgrade")) }
            switch call.interface {
            case ServiceInterface.name:
                finish(try answer(call))
            case Interface.name:
                let body = try Request.Body(call)
                requests += 1
                current = requests
                if case .monitor = body { isListener = true }
                let request = Request(
                    id: Request.ID(peer: id, number: requests), isByAdministrator: isAdministrator, body: body)
                server.handle(.requested(request))
            default:
                throw .service(.interfaceNotFound(call.interface))
            }
        } catch {
            finish(OutgoingReply.error(error))
        }
    }

    private func answer(_ call: IncomingCall) throws(ControlError) -> [UInt8] {
        do throws(ServiceError) {
            return try service.answer(call)
        } catch {
            throw .service(error)
        }
    }

    // MARK: Out

    /// The last answer to a request.
    func answer(_ number: UInt64, _ message: [UInt8]) {
        guard number == current else { return }
        current = nil
        isListener = false
        finish(message)
        guard !isProcessing else { return }
        // The next call is taken outside of the event that brought this answer.
        server.later { [weak self] in self?.process() }
    }

    /// One answer of many.
    func tell(_ number: UInt64, _ message: [UInt8]) {
        guard number == current, !isClosed else { return }
        guard outbox.bytes <= ControlLimits.unreadBytes else {
            server.log.notice("a listener is dropped: it left \(outbox.bytes) bytes unread")
            close()
            return
        }
        outbox.append(conversation.continued(message))
        flush()
    }

    private func finish(_ message: [UInt8]) {
        outbox.append(conversation.finished(message))
        if !isProcessing { flush() }
    }

    private func flush() {
        guard !isClosed, !isProcessing else { return }
        guard outbox.write(to: descriptor) else {
            close()
            return
        }
        // Who has stopped sending gets what it asked for; a listener that does so has gone.
        if hasEnded, outbox.bytes == 0, current == nil || isListener {
            close()
            return
        }
        setWriting(outbox.bytes > 0)
        setReading(!hasEnded && !conversation.isFull && outbox.bytes <= ControlLimits.unreadBytes)
    }

    private func setWriting(_ wanted: Bool) {
        guard wanted != isWriting else { return }
        isWriting = wanted
        if wanted { writeSource.resume() } else { writeSource.suspend() }
    }

    private func setReading(_ wanted: Bool) {
        guard wanted != isReading else { return }
        isReading = wanted
        if wanted { readSource.resume() } else { readSource.suspend() }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        readSource.cancel()
        writeSource.cancel()
        // Dispatch runs the cancel handler of a suspended source only once it is resumed.
        setReading(true)
        setWriting(true)
        server.left(id)
    }
}
