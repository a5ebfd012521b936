/// Which iprecord this is.
package enum Version {
    package static let text = "0.1.0"
    package static let vendor = "iprecord"
    package static let product = "iprecordd"
    package static let url = "https://iprecord.io"
}
