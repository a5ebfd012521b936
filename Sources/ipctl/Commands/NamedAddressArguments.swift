import ArgumentParser

/// The addresses of a command whose arguments can also be host names.
struct NamedAddressArguments: AddressGroup {
    @Argument(help: "IPv4 or IPv6 addresses, or host names.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(help: AddressArguments.fileHelp, completion: .file())
    var file: [String] = []
}
