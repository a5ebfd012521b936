import Hummingbird
import Logging
import NIOCore

/// The context of a request.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Whether the client is connected to a Unix socket.
    let isOnUnixSocket: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        isOnUnixSocket = source.channel.localAddress?.protocol == .unix
    }
}
