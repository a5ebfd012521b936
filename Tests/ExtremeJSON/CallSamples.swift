/// Sample calls of the methods of the control interface, with every parameter.
package enum CallSamples {
    /// A call of `Monitor`, which has any number of replies.
    package static let monitor = """
        {"method":"io.iprecord.Control.Monitor","parameters":{"after":0,"kinds":["added"],"addresses":["::1"]},"more":true}
        """

    /// One call of each method that has a single reply.
    package static let all = [
        #"{"method":"io.iprecord.Control.Add","parameters":{"addresses":["10.0.0.2"],"tags":["a"],"note":"n"}}"#,
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["10.0.0.1"],"wait":5}}"#,
        """
        {"method":"io.iprecord.Control.List","parameters":{"search":"a","state":"fresh","tag":"a","pinned":false,
        "changedSince":5,"after":"listed/10.0.0.1/1","limit":5},"more":false,"oneway":false,"upgrade":false}
        """,
        """
        {"method":"io.iprecord.Control.Label","parameters":{"addresses":["10.0.0.1"],"pinned":true,"addTags":["a"],
        "removeTags":["b"],"note":"n"}}
        """,
        #"{"method":"io.iprecord.Control.Refresh","parameters":{"addresses":["10.0.0.1"]}}"#,
        #"{"method":"io.iprecord.Control.History","parameters":{"address":"10.0.0.1","before":5,"limit":5}}"#,
        #"{"method":"io.iprecord.Control.Outages","parameters":{"before":5,"limit":5}}"#,
        #"{"method":"io.iprecord.Control.Status","parameters":{}}"#,
        #"{"method":"io.iprecord.Control.Reload","parameters":{}}"#,
        #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a"}}"#,
        #"{"method":"io.iprecord.Control.Remove","parameters":{"addresses":["10.0.0.2"]}}"#,
    ]
}
