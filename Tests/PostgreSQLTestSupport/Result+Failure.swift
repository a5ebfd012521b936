extension Result {
    /// Nil if the result is a success.
    package var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
