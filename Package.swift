// swift-tools-version: 6.1
import PackageDescription

/// Every target is built in the Swift 6 language mode, with imports that are internal unless they say otherwise.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let collections = Target.Dependency.product(name: "DequeModule", package: "swift-collections")

let package = Package(
    name: "iprecord",
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        // The core: decides everything, touches nothing.
        .target(name: "RecordKeeping", dependencies: [collections], swiftSettings: settings),
        .testTarget(name: "RecordKeepingTests", dependencies: ["RecordKeeping"], swiftSettings: settings),
    ]
)
