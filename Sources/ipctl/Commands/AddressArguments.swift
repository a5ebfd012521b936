import ArgumentParser

/// The addresses that a command is about, from its line and from files.
struct AddressArguments: ParsableArguments {
    @Argument(help: "IPv4 or IPv6 addresses.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(help: AddressArguments.fileHelp, completion: .file())
    var file: [String] = []

    static let fileHelp = ArgumentHelp(
        "Read addresses from a file, one a line; - for standard input.", valueName: "file")

    func validate() throws {
        guard !addresses.isEmpty || !file.isEmpty else {
            throw ValidationError("give addresses, or a file of them with --file")
        }
    }

    /// All of them as the daemon tells them, in the order given; each is looked at before anything is sent.
    func all() throws(Complaint) -> [String] {
        try AddressList(arguments: addresses, files: file).addresses
    }

    /// All of them, each once.
    func each() throws(Complaint) -> [String] {
        try AddressList(arguments: addresses, files: file).eachOnce
    }
}
