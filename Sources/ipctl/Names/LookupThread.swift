import Glibc
import RecordKeeping
import Synchronization

/// A thread that looks up one name with getaddrinfo(3), which blocks and cannot be interrupted. The end of the program
/// ends the thread.
final class LookupThread: Sendable {
    let name: HostName
    private let signal: LookupSignal
    private let lookUp: @Sendable (String) -> NameLookup
    private let result = Mutex<NameLookup?>(nil)

    /// The result; nil while the lookup is in progress.
    var lookup: NameLookup? { result.withLock { $0 } }

    /// Starts the thread.
    init(
        _ name: HostName, signal: LookupSignal, _ lookUp: @escaping @Sendable (String) -> NameLookup
    ) throws(CommandError) {
        (self.name, self.signal, self.lookUp) = (name, signal, lookUp)
        // The thread releases this reference.
        let reference = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let number = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<LookupThread>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, reference.toOpaque())
        guard number == 0 else {
            reference.release()
            throw CommandError(status: .software, message: "cannot start a thread: \(meaning(of: number))")
        }
        pthread_detach(thread)
    }

    private func run() {
        let found = lookUp(name.description)
        result.withLock { $0 = found }
        signal.send()
    }
}
