extension Result {
    /// Nil if the result is a success.
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
