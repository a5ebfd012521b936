import ArgumentParser

/// The addresses of a command, from its arguments and from files.
struct AddressArguments: ParsableArguments {
    @Argument(help: "IPv4 or IPv6 addresses.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(help: AddressArguments.fileHelp, completion: .file())
    var file: [String] = []

    static let fileHelp = ArgumentHelp(
        "Read addresses from a file, one per line, in the format of iprecord.watch(5); - for standard input.",
        valueName: "file")

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
