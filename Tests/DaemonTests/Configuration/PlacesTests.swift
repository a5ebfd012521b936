import Testing

@testable import Daemon

@Suite struct PlacesTests {
    @Test func `a service keeps to the system's folders`() {
        #expect(
            Places.system
                == Places(runtime: "/run/iprecord", state: "/var/lib/iprecord", configuration: "/etc/iprecord"))
    }

    @Test func `a user's folders are those of the variables`() {
        let variables = ["XDG_RUNTIME_DIR": "/run/user/7", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c"]
        let places = Places(runtime: "/run/user/7/iprecord", state: "/s/iprecord", configuration: "/c/iprecord")
        #expect(Places.user(environment: variables) == places)
        #expect(Places.user(environment: variables.merging(["HOME": "/home/me"]) { $1 }) == places)
    }

    @Test(arguments: [
        [:], ["XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""], ["XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "."],
    ])
    func `variables that are missing, empty or relative stand for the specification's folders`(
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
    func `where nothing says where to keep things there is no place`(variables: [String: String]) {
        #expect(Places.user(environment: variables) == nil)
    }

    @Test func `the defaults stand in the places`() {
        let configuration = Configuration(places: Places(runtime: "/r", state: "/s", configuration: "/c"))
        #expect(configuration.socket == "/r/control.sock")
        #expect(configuration.storePath == "/s/records.db")
        #expect(configuration.watchDirectory == "/c/watch.d")
    }
}
