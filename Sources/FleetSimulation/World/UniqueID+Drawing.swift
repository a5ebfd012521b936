import Fleet
import RecordKeeping

extension UniqueID {
    /// Draws an id for a simulated world, in which 64 random bits are enough.
    init(from random: inout Random) {
        self.init(high: random.next(), low: random.next())
    }
}
