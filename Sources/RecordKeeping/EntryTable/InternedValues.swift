/// The interners of the values that entries share.
package struct InternedValues: Sendable {
    package internal(set) var places = Interner<Interned<Place>>()
    package internal(set) var networks = Interner<Interned<Network>>()
    package internal(set) var labels = Interner<Interned<WatchLabel>>()
    /// Names of providers, and their reasons for having no record of an address.
    package internal(set) var texts = Interner<String>()

    /// The generation of each interner.
    struct Generations {
        let places: Int
        let networks: Int
        let labels: Int
        let texts: Int
    }

    var generations: Generations {
        Generations(
            places: places.generation, networks: networks.generation, labels: labels.generation, texts: texts.generation
        )
    }
}
