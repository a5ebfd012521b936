import Glibc

/// The properties of the system service and of its socket, from systemctl(1).
enum ServiceUnit {
    /// The mode that the socket unit sets; nil if there is no such unit, or if systemd is not running.
    static var socketMode: mode_t? {
        ServiceJournal.firstLine(of: "systemctl show -P SocketMode iprecordd.socket").flatMap { mode_t($0, radix: 8) }
    }

    /// The last exit status of the service; nil if it is unknown.
    static var exitStatus: Int32? {
        ServiceJournal.firstLine(of: "systemctl show -P ExecMainStatus iprecordd.service").flatMap { Int32($0) }
    }
}
