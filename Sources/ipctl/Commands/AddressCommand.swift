import ArgumentParser

/// A command that takes addresses as arguments and from files.
protocol AddressCommand: Command, TakesAddresses {
    associatedtype Arguments: AddressGroup

    var addressArguments: Arguments { get set }
}

extension AddressCommand {
    static var repeatableOptions: Set<String> { ["--file", "--tag", "--field"] }

    var addresses: [String] {
        get { addressArguments.addresses }
        set { addressArguments.addresses = newValue }
    }
}
