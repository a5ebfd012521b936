/// An observed fault of a provider or an intermediary, for injection.
///
/// As text: `name` or `name=argument`, such as `hang`, `status5xx=503`, `slow=250ms`.
package enum Fault: Hashable, Sendable {
    /// 429, regardless of the quota.
    case status429
    /// A server error with an HTML page.
    case status5xx(Int)
    /// 503 with this time, in whole seconds, in `Retry-After` (RFC 9110 §10.2.3).
    case unavailable(Duration)
    /// 403 with the JSON of the free tier's response to https: `status` and `message`, no `query`.
    case forbidden
    /// 302 to another page.
    case redirect
    /// 200 with HTML, as a captive portal does.
    case html
    /// 200 with text that is not JSON.
    case notJSON
    case emptyBody
    case hang
    case reset
    /// The connection is closed before all bytes of `Content-Length` are sent.
    case truncated
    /// The reply is sent after this delay.
    case slow(Duration)
    /// The reply is sent byte by byte, with this pause after each.
    case drip(Duration)
    case endlessBody

    /// The elements of a batch are in reverse order.
    case wrongOrder
    /// The first element is missing.
    case missingElement
    /// This number of elements is missing at the beginning.
    case missingElements(Int)
    /// An element for an address that was not requested precedes the others.
    case extraElement
    /// The first element is sent twice.
    case duplicateElement
    /// Each address gets a record that differs from its previous one.
    case changedRecord
    case numbersAsStrings
    /// All fields except `status` and `query` are null.
    case nullFields

    /// Whether the fault changes the elements. Other faults replace the response or change its delivery.
    var isOfElements: Bool {
        switch self {
        case .wrongOrder, .missingElement, .missingElements, .extraElement, .duplicateElement, .changedRecord,
            .numbersAsStrings, .nullFields:
            true
        default: false
        }
    }
}
