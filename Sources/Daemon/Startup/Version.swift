/// Which iprecord this is.
package enum Version {
    package static let text = "0.1.0"
    package static let vendor = "iprecord"
    package static let product = "iprecordd"
    /// Where it is told what it does. It has no site of its own: the manual page of whoever has it is at hand.
    package static let url = "man:iprecordd(8)"
}
