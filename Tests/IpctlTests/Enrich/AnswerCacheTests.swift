import RecordKeeping
import Testing

@testable import ipctl

@Suite struct AnswerCacheTests {
    @Test func `recent addresses are kept, and the number of addresses is bounded`() {
        var cache = AnswerCache(addressesPerGeneration: 10)
        let often = AddressAnswer(IPAddress(v4: 0))
        cache.insert(often)
        for number in 1...1_000 {
            let address = IPAddress(v4: UInt32(number))
            #expect(cache.answer(about: address)?.address == nil)
            cache.insert(AddressAnswer(address))
            #expect(cache.answer(about: address)?.address == address)
            #expect(cache.answer(about: often.address) === often)
            #expect(cache.count <= 21)
        }
        #expect(cache.answer(about: IPAddress(v4: 1))?.address == nil)
    }

    @Test func `a newer answer replaces an older one`() {
        var cache = AnswerCache(addressesPerGeneration: 1)
        let (old, new) = (AddressAnswer(IPAddress(v4: 1)), AddressAnswer(IPAddress(v4: 1)))
        cache.insert(old)
        cache.insert(AddressAnswer(IPAddress(v4: 2)))
        cache.insert(new)
        #expect(cache.answer(about: IPAddress(v4: 1)) === new)
    }
}
