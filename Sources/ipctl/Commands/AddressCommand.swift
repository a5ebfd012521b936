import ArgumentParser

/// A command that does something with addresses of its line and of files.
protocol AddressCommand: Command, TakesAddresses {
    var given: AddressArguments { get set }
}

extension AddressCommand {
    static var optionsTakenAgain: Set<String> { ["--file", "--tag", "--field"] }

    var addresses: [String] {
        get { given.addresses }
        set { given.addresses = newValue }
    }
}
