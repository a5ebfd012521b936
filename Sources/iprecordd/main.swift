import Daemon

await DaemonCommand.start()
