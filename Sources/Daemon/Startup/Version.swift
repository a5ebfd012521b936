/// The version of iprecord, and its description in the Varlink service interface.
package enum Version {
    package static let text = "0.1.0"
    package static let vendor = "iprecord"
    package static let product = "iprecordd"
    /// The documentation. There is no web site, and the manual page is installed together with the daemon.
    package static let url = "man:iprecordd(8)"
}
