import Daemon

DaemonCommand.start()
