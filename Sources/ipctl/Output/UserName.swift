import Glibc

/// The name of a user for display: the login name, or the user id if the system does not know the user.
struct UserName: CustomStringConvertible {
    let description: String

    /// - Parameter user: the user id.
    init(of user: uid_t) {
        // ipctl runs one command on one thread, so the static buffer of getpwuid(3) is not shared.
        description = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "user \(user)"
    }
}
