package io.idem.servers.zookeeper;

import io.idem.servers.process.ParentWatch;
import io.idem.servers.process.ReadyFile;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * Main class of the JVM of a ZooKeeper server, which runs until SIGTERM or the end of its parent. It reports that it is
 * up before it serves clients, because a member of an ensemble serves none before there is a quorum.
 */
public final class ZooKeeperMain {

    private ZooKeeperMain() {}

    /**
     * Runs the server.
     *
     * @param arguments the path of {@code zoo.cfg}
     */
    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        ReadyFile.announce();
        QuorumPeerMain.main(arguments);
    }
}
