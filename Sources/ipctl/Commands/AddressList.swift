import Control
import RecordKeeping

/// Addresses of a command line and of files, each looked at before anything is sent.
struct AddressList {
    /// In their canonical spelling.
    let addresses: [String]

    /// - Throws: a `Complaint` where one is none, or where there are none at all.
    init(arguments: [String], files: [String]) throws(Complaint) {
        var addresses: [String] = []
        addresses.reserveCapacity(arguments.count)
        for text in arguments {
            do {
                addresses.append(try IPAddress(text).description)
            } catch {
                throw Complaint(ControlError.invalidAddress(text, reason: error.description), from: "")
            }
        }
        for file in files { addresses += try AddressFile(file).addresses }
        guard !addresses.isEmpty else {
            let names = files.map { $0 == "-" ? "standard input" : $0 }.joined(separator: ", ")
            throw Complaint(status: .badData, message: "there is no address in \(names)")
        }
        self.addresses = addresses
    }

    /// Each where it came first.
    var eachOnce: [String] {
        var seen = Set<String>(minimumCapacity: addresses.count)
        return addresses.filter { seen.insert($0).inserted }
    }
}
