import ArgumentParser

/// The arguments and options with which a command gets its addresses.
protocol AddressGroup: ParsableArguments {
    /// The arguments as the user wrote them.
    var addresses: [String] { get set }
    /// The paths of the files; `-` for standard input.
    var file: [String] { get set }
}

extension AddressGroup {
    func validate() throws {
        guard !addresses.isEmpty || !file.isEmpty else {
            throw ValidationError("give addresses, or a file with --file")
        }
    }

    /// Returns all addresses with the labels of their lines.
    ///
    /// - Parameter resolve: returns the addresses of host names; nil if the arguments cannot be host names.
    func list(resolve: AddressList.Resolve? = nil) throws(CommandError) -> AddressList {
        try AddressList(arguments: addresses, files: file, resolve: resolve)
    }
}
