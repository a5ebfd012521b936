// swift-tools-version: 6.3
import PackageDescription

/// Every target is built in the Swift 6 language mode, with imports that are internal unless they say otherwise.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let collections = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let ordered = Target.Dependency.product(name: "OrderedCollections", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let database = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
/// SQLite's own functions, for the few places where all rows go through.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
/// Locks that the thread sanitizer sees. Of the standard library's it misses what the kernel hands from one thread to the next,
/// where two want one at a time (FUTEX_LOCK_PI in futex(2)).
let locks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
    name: "iprecord",
    products: [
        .executable(name: "iprecordd", targets: ["iprecordd"]),
        .executable(name: "ipctl", targets: ["ipctl"]),
        .executable(name: "iprecord-web", targets: ["iprecord-web"]),
        .executable(name: "ip-api-stand-in", targets: ["ip-api-stand-in"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        // The core: decides everything, touches nothing.
        .target(name: "RecordKeeping", dependencies: [collections, ordered], swiftSettings: settings),
        .testTarget(name: "RecordKeepingTests", dependencies: ["RecordKeeping"], swiftSettings: settings),

        // One node's part of the fleet protocol: another core that touches nothing.
        .target(name: "Fleet", dependencies: ["RecordKeeping"], swiftSettings: settings),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "Fleet", "FleetSimulation", "RecordKeeping", "Simulation", "TestSupport", "simulate-fleet",
            ],
            swiftSettings: settings),

        // Joins both cores: so far, the encoding of what they exchange through the fleet's database.
        .target(name: "FleetBridge", dependencies: ["Fleet", "RecordKeeping"], swiftSettings: settings),
        .testTarget(
            name: "FleetBridgeTests", dependencies: ["Fleet", "FleetBridge", "RecordKeeping"], swiftSettings: settings),

        // The shells: each keeps one foreign thing in one room.
        // The scanner is bound to the lifetime of the text that it reads.
        .target(name: "JSON", swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]),
        .testTarget(
            name: "JSONTests", dependencies: ["ExtremeJSON", "JSON", "RecordKeeping"], swiftSettings: settings),
        .target(name: "Varlink", dependencies: ["JSON"], swiftSettings: settings),
        .testTarget(
            name: "VarlinkTests", dependencies: ["Varlink", "JSON", "RecordKeeping"], swiftSettings: settings),
        // The columns that are equal in the local database and in that of a fleet.
        .target(name: "StoredValues", dependencies: ["JSON", "RecordKeeping"], swiftSettings: settings),
        .testTarget(
            name: "StoredValuesTests", dependencies: ["RecordKeeping", "StoredValues"], swiftSettings: settings),
        .target(
            name: "Control", dependencies: ["JSON", "StoredValues", "Varlink", "RecordKeeping"],
            swiftSettings: settings),
        .testTarget(
            name: "ControlTests", dependencies: ["Control", "Varlink", "RecordKeeping"], swiftSettings: settings),
        .target(
            name: "IPAPI",
            dependencies: [
                "JSON", "RecordKeeping", locks,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "IPAPITests",
            dependencies: [
                "ExtremeJSON", "IPAPI", "RecordKeeping", "TestSupport", "check-provider", "ip-api-stand-in",
            ],
            swiftSettings: settings),
        .target(
            name: "RecordStore", dependencies: ["Files", "RecordKeeping", "StoredValues", database, sqlite, locks],
            swiftSettings: settings),
        .testTarget(
            name: "RecordStoreTests",
            dependencies: ["RecordStore", "RecordKeeping", "StoredValues", "TestSupport", database, locks],
            exclude: ["Fixtures"], swiftSettings: settings),
        .target(name: "RouteMonitor", dependencies: ["RecordKeeping", "CLinux", locks], swiftSettings: settings),
        .testTarget(
            name: "RouteMonitorTests", dependencies: ["RouteMonitor", "RecordKeeping", "TestSupport", "CLinux"],
            swiftSettings: settings),
        .target(
            name: "GeoDatabase", dependencies: ["RecordKeeping", "CLinux", "CMaxMindDB", locks], swiftSettings: settings
        ),
        .testTarget(
            name: "GeoDatabaseTests", dependencies: ["GeoDatabase", "MMDBSamples", "RecordKeeping", "TestSupport"],
            swiftSettings: settings),
        .target(name: "PostgreSQL", dependencies: ["CPostgres", "Confinement"], swiftSettings: settings),
        .testTarget(
            name: "PostgreSQLTests", dependencies: ["PostgreSQL", "PostgreSQLTestSupport"],
            swiftSettings: settings),
        .target(name: "Confinement", swiftSettings: settings),
        .testTarget(name: "ConfinementTests", dependencies: ["Confinement"], swiftSettings: settings),
        .target(
            name: "FleetStore", dependencies: ["Fleet", "PostgreSQL", "RecordKeeping", "StoredValues"],
            swiftSettings: settings),
        .testTarget(
            name: "FleetStoreTests",
            dependencies: [
                "Fleet", "FleetSimulation", "FleetStore", "PostgreSQL", "PostgreSQLTestSupport", "RecordKeeping",
                "Simulation",
            ],
            swiftSettings: settings),
        .target(name: "Files", swiftSettings: settings),
        .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: settings),
        .target(name: "Systemd", dependencies: ["Files", "CSystemd", logging], swiftSettings: settings),
        .executableTarget(
            name: "systemd-probe", dependencies: ["Systemd", logging], path: "Tests/Support/systemd-probe",
            swiftSettings: settings),
        .testTarget(
            name: "SystemdTests", dependencies: ["Systemd", "TestSupport", "systemd-probe", logging],
            swiftSettings: settings),
        .target(name: "CLinux"),
        .testTarget(name: "CLinuxTests", dependencies: ["CLinux"], swiftSettings: settings),
        .target(name: "CPostgres"),
        .systemLibrary(name: "CMaxMindDB", pkgConfig: "libmaxminddb", providers: [.apt(["libmaxminddb-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),

        .target(name: "Coastline", resources: [.embedInCode("coastline.bin")], swiftSettings: settings),
        .testTarget(name: "CoastlineTests", dependencies: ["Coastline"], swiftSettings: settings),

        // MMDB files. Real readers compare the databases of the sample program with what went into them.
        .target(name: "MMDBWriter", swiftSettings: settings),
        .target(
            name: "MMDBReading", dependencies: ["MMDBWriter"], path: "Tests/MMDBReading", swiftSettings: settings),
        .testTarget(name: "MMDBWriterTests", dependencies: ["MMDBReading", "MMDBWriter"], swiftSettings: settings),
        .executableTarget(
            name: "mmdb-sample", dependencies: ["MMDBWriter", "RecordKeeping"], path: "Tests/Support/mmdb-sample",
            swiftSettings: settings),

        // The daemon and its client.
        .target(
            name: "Daemon",
            dependencies: [
                "RecordKeeping", "JSON", "Varlink", "Control", "IPAPI", "RecordStore", "RouteMonitor", "Systemd",
                "CLinux", "Confinement", "Files", "GeoDatabase", arguments, logging, collections, locks,
                .product(name: "TOMLKit", package: "TOMLKit"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "CLinux", "Confinement", "Daemon", "RecordKeeping", "Control", "Varlink", "ExtremeJSON", "GeoDatabase",
                "IPAPI", "MMDBSamples", "RecordStore", "Systemd", "TestSupport", logging,
            ],
            swiftSettings: settings),
        // Keeps the 34 MB of ICU's data out of the daemon.
        .target(name: "CICUData"),
        .executableTarget(name: "iprecordd", dependencies: ["Daemon", "CICUData"], swiftSettings: settings),
        .executableTarget(
            name: "ipctl",
            dependencies: [
                "Coastline", "Files", "Control", "JSON", "MMDBWriter", "Varlink", "RecordKeeping", arguments,
                collections,
            ],
            swiftSettings: settings,
            // Loading the C++ libraries would take a sixth of a command's run time. The C library stays shared, because
            // it loads the host's name service modules. `make release` puts a libstdc++.a into that directory. Nothing
            // looks up the program's own symbols, so the dynamic loader need not read them.
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-Xclang-linker", "-static-libgcc", "-L", "\(Context.packageDirectory)/.build/static",
                        "-Xlinker", "--no-export-dynamic",
                    ],
                    .when(configuration: .release))
            ]),
        .testTarget(
            name: "IpctlTests",
            dependencies: [
                "ipctl", "iprecordd", "Control", "ExtremeJSON", "JSON", "MMDBReading", "MMDBWriter", "Varlink",
                "RecordKeeping", "TestSupport",
            ],
            swiftSettings: settings),

        // The watch list in the browser and in Prometheus: a client of the daemon.
        .executableTarget(
            name: "iprecord-web",
            dependencies: [
                "Coastline", "Control", "Files", "JSON", "RecordKeeping", "Systemd", "Varlink", arguments, logging,
                locks, .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            resources: [
                "api.js", "card.js", "icon.svg", "index.html", "list.js", "map.js", "openapi.json",
                "page.css", "page.js", "state.js", "text.js",
            ].map { .embedInCode("Page/\($0)") },
            swiftSettings: settings),

        // The provider as a value, and over HTTP: for development, tests and the try-out.
        .target(name: "ProviderModel", dependencies: ["JSON", "RecordKeeping"], swiftSettings: settings),
        .testTarget(
            name: "ProviderModelTests", dependencies: ["IPAPI", "ProviderModel", "RecordKeeping"],
            swiftSettings: settings),
        .executableTarget(
            name: "ip-api-stand-in",
            dependencies: [
                "ProviderModel", "RecordKeeping", arguments, logging,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),

        // Compares a provider with the model.
        .executableTarget(
            name: "check-provider", dependencies: ["IPAPI", "JSON", "ProviderModel", "RecordKeeping", arguments],
            swiftSettings: settings),

        // The core in simulated time, with everything going wrong.
        .target(
            name: "Simulation",
            dependencies: ["RecordKeeping", "JSON", "IPAPI", "ProviderModel", "Control", "Varlink", heap],
            swiftSettings: settings),
        .testTarget(
            name: "SimulationTests", dependencies: ["Simulation", "TestSupport", "simulate"], swiftSettings: settings),
        .target(name: "SimulationCommands", dependencies: ["Simulation", arguments], swiftSettings: settings),
        .testTarget(
            name: "SimulationCommandsTests", dependencies: ["Simulation", "SimulationCommands", arguments],
            swiftSettings: settings),
        .executableTarget(
            name: "simulate", dependencies: ["Simulation", "SimulationCommands", arguments], swiftSettings: settings),
        .target(
            name: "FleetSimulation", dependencies: ["Fleet", "RecordKeeping", "Simulation"], swiftSettings: settings),
        .executableTarget(
            name: "simulate-fleet", dependencies: ["FleetSimulation", "Simulation", "SimulationCommands", arguments],
            swiftSettings: settings),

        // The whole, with the built binaries; and what the compiler does not check.
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["iprecordd", "ipctl", "ip-api-stand-in", "MMDBSamples", "TestSupport"],
            swiftSettings: settings),
        .testTarget(name: "TidyTests", swiftSettings: settings),

        // Valid JSON with the extreme values of every type, and documents of a sample's shape that contain them.
        .target(name: "ExtremeJSON", path: "Tests/ExtremeJSON", swiftSettings: settings),
        .testTarget(name: "ExtremeJSONTests", dependencies: ["ExtremeJSON"], swiftSettings: settings),

        // Small MMDB files, valid and damaged.
        .target(
            name: "MMDBSamples", dependencies: ["RecordKeeping", "TestSupport"], path: "Tests/MMDBSamples",
            swiftSettings: settings),

        // Starts programs, and gives tests files and pipes.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/TestSupport", swiftSettings: settings),
        // Starts PostgreSQL servers in temporary directories.
        .target(
            name: "PostgreSQLTestSupport", dependencies: ["Confinement", "PostgreSQL", "TestSupport"],
            path: "Tests/PostgreSQLTestSupport", swiftSettings: settings),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),

        // The parsers of untrusted data, as the fuzzer's targets; its corpora are run as tests.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CMaxMindDB", "Control", "Daemon", "ExtremeJSON", "IPAPI", "MMDBReading", "MMDBWriter",
                "RecordKeeping", "RouteMonitor", "Varlink",
            ],
            path: "Tests/FuzzTargets", swiftSettings: settings),
        .testTarget(
            name: "FuzzTests", dependencies: ["FuzzTargets", "RecordKeeping"], exclude: ["Corpus"],
            swiftSettings: settings),

        // Sends the same to two servers, and measures what they answer.
        .executableTarget(
            name: "load", dependencies: [arguments], path: "Tests/Bench",
            exclude: [
                "bench", "builds.py", "curve.py", "enriching.py", "exporting.py", "figures.py", "instructions",
                "questions.py", "refreshing.py", "rows.py", "scanner.py", "servers.py",
            ],
            swiftSettings: settings),

        // The manual pages, against what the programs know.
        .testTarget(
            name: "ManualTests",
            dependencies: [
                "ipctl", "iprecord-web", "iprecordd", "Daemon", "Control", "RecordKeeping", "Systemd", "TestSupport",
            ],
            swiftSettings: settings),
    ]
)

// libFuzzer brings a main() of its own: `make fuzz` builds it apart, with all of our modules instrumented.
if Context.environment["IPRECORD_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzer",
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
    for target in package.targets where target.swiftSettings != nil && target.type != .test {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer"]))
    }
}
