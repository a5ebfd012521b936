import Testing

@testable import Daemon

@Suite struct PlacesTests {
    @Test func `a system service uses the system's directories`() {
        #expect(
            Places.system
                == Places(runtime: "/run/iprecord", state: "/var/lib/iprecord", configuration: "/etc/iprecord"))
    }

    @Test func `a user's directories are those of the environment variables`() {
        let variables = ["XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"]
        let places = Places(runtime: "/run/user/7/iprecord", state: "/s/iprecord", configuration: "/c/iprecord")
        #expect(Places.user(environment: variables) == places)
        #expect(Places.user(environment: variables.merging(["HOME": "/home/me"]) { $1 }) == places)
    }

    @Test(arguments: [
        [:], ["XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""], ["XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "."],
    ])
    func `missing, empty or relative variables select the specification's default directories`(
        variables: [String: String]
    ) {
        let places = Places.user(
            environment: variables.merging(["HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/7"]) { $1 })
        #expect(
            places
                == Places(
                    runtime: "/run/user/7/iprecord", state: "/home/me/.local/state/iprecord",
                    configuration: "/home/me/.config/iprecord"))
    }

    @Test(
        arguments: [
            [:], ["HOME": "/home/me"], ["XDG_RUNTIME_DIR": "/run/user/7"],
            ["XDG_RUNTIME_DIR": "run", "HOME": "/home/me"],
            ["XDG_RUNTIME_DIR": "/run/user/7", "HOME": "home"],
        ])
    func `without the required variables there are no directories`(variables: [String: String]) {
        #expect(Places.user(environment: variables) == nil)
    }

    @Test func `the default paths are in the given directories`() {
        let configuration = Configuration(places: Places(runtime: "/r", state: "/s", configuration: "/c"))
        #expect(configuration.socket == "/r/control.sock")
        #expect(configuration.storePath == "/s/records.db")
        #expect(configuration.watchDirectory == "/c/watch.d")
    }
}
