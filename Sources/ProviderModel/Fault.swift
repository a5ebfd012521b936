/// What a provider, or what stands between, has been seen to do wrong, on demand.
///
/// As text: `name` or `name=argument`, such as `hang`, `status5xx=503`, `slow=250ms`.
package enum Fault: Hashable, Sendable {
    /// 429, whatever the quota says.
    case status429
    /// A server error with an HTML page.
    case status5xx(Int)
    /// 403 with the JSON that the free tier answers https with: `status` and `message`, no `query`.
    case forbidden
    /// 302 to another page.
    case redirect
    /// 200 with HTML, as a captive portal does.
    case html
    /// 200 with a text that is no JSON.
    case notJSON
    case emptyBody
    case hang
    case reset
    /// `Content-Length` promises more than is sent before the connection is closed.
    case truncated
    /// The reply comes after this time.
    case slow(Duration)
    /// The reply comes a byte at a time, so far apart.
    case drip(Duration)
    case endlessBody

    /// The elements of a batch in the opposite order.
    case wrongOrder
    /// The first element is left out.
    case missingElement
    /// An element for an address that nobody asked about comes first.
    case extraElement
    /// The first element comes twice.
    case duplicateElement
    /// Each address gets a record unlike the one before.
    case changedRecord
    case numbersAsStrings
    /// All fields are null but `status` and `query`.
    case nullFields

    /// Whether the fault changes the elements; the others replace the response or the way it travels.
    var isOfElements: Bool {
        switch self {
        case .wrongOrder, .missingElement, .extraElement, .duplicateElement, .changedRecord, .numbersAsStrings,
            .nullFields:
            true
        default: false
        }
    }
}
