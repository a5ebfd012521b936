import RecordKeeping

/// The time at which the call for a record was sent, and the state of the machine's clocks at that time.
struct ScanTime {
    let moment: Moment
    let wall: WallTime
    /// The version of the local databases from which the record was read; nil for a remote provider.
    let version: DataVersion.ID?
    private let clocks: SimulatedMachine.Clocks

    init(moment: Moment, wall: WallTime, version: DataVersion.ID?, clocks: SimulatedMachine.Clocks) {
        (self.moment, self.wall, self.version, self.clocks) = (moment, wall, version, clocks)
    }

    /// Returns the age of the record; nil if the daemon cannot know it, because the machine has rebooted and its wall
    /// clock has been set since the call.
    func age(at now: Moment, on machine: SimulatedMachine) -> Duration? {
        clocks.boots == machine.clocks.boots || clocks.steps == machine.clocks.steps ? now - moment : nil
    }

    /// The error of the age that the daemon computes: wall times, which determine the age after a reboot, are whole
    /// milliseconds.
    func error(on machine: SimulatedMachine) -> Duration {
        clocks.boots == machine.clocks.boots ? .zero : .milliseconds(2)
    }
}
