import ArgumentParser

/// The addresses of a command, from its arguments and from files.
struct AddressArguments: AddressGroup {
    @Argument(help: "IPv4 or IPv6 addresses.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(help: AddressArguments.fileHelp, completion: .file())
    var file: [String] = []

    static let fileHelp = ArgumentHelp(
        "Read addresses from a file, one per line, in the format of iprecord.watch(5); - for standard input.",
        valueName: "file")
}
