import Control
import Varlink

/// The reason why a call to the daemon has no result.
enum DaemonError: Error {
    /// The socket could not be connected, or the daemon closed the connection.
    case unreachable(String)
    /// The daemon replied with an error.
    case refused(ControlError)
    /// The daemon sent something other than a reply.
    case invalidReply
}
