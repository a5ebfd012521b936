import Glibc
import MMDBWriter

/// Writes a random database and the networks in it: mmdb-sample SEED COUNT DIRECTORY [PADDING].
///
/// With PADDING, in MiB, values that no network has precede the others, so that the tree needs larger records.
///
/// Each line of DIRECTORY/networks is the address of a network in hexadecimal, its prefix length, and its value in the
/// form that Tests/MMDB/model.py describes.
func writeSample(seed: UInt64, count: Int, directory: String, paddingMiB: Int) throws {
    var sample = RandomSample(seed: seed)
    var builder = MMDBBuilder(RandomSample.metadata)
    for number in 0..<paddingMiB {
        // A mebibyte with the number and the field's control bytes.
        _ = try builder.store(.string("\(number + 1_000_000)" + String(repeating: "x", count: 1 << 20 - 11)))
    }
    let networks = try OutputFile(directory + "/networks")
    for (network, value) in try sample.networks(count) {
        try builder.insert(value, for: network)
        let address = String(network.address, radix: 16)
        try networks.write(Array("\(address) \(network.prefixLength) \(value.typedText)\n".utf8))
    }
    let database = try OutputFile(directory + "/sample.mmdb")
    try builder.finish().write { portion throws(OutputFile.Failure) in try database.write(portion) }
}

let arguments = CommandLine.arguments
guard (4...5).contains(arguments.count), let seed = UInt64(arguments[1]), let count = Int(arguments[2]),
    let paddingMiB = Int(arguments.count > 4 ? arguments[4] : "0")
else {
    print("usage: mmdb-sample SEED COUNT DIRECTORY [PADDING]")
    exit(64)
}
do {
    try writeSample(seed: seed, count: count, directory: arguments[3], paddingMiB: paddingMiB)
} catch {
    print("mmdb-sample: \(error)")
    exit(1)
}
