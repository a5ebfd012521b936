import Daemon

// Before there is any other thread.
DaemonCommand.holdSignals()
await DaemonCommand.start()
