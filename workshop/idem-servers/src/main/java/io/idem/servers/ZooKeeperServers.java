package io.idem.servers;

import io.idem.servers.process.FreePorts;
import io.idem.servers.process.RunDirectory;
import io.idem.servers.zookeeper.ZooKeeperMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Starts ZooKeeper servers in JVMs of their own, without root. A module that uses this names ZooKeeper among the
 * dependencies of its tests. The servers do not wait for the disk, but for those of {@link #syncedEnsemble}: their data
 * survives their death, not the machine's.
 */
public final class ZooKeeperServers {

    private static final int HEAP_MEGABYTES = 128;

    /** A tick of 500 ms: sessions of a second, a new leader within two. */
    private static final String SETTINGS = """
            tickTime=500
            initLimit=40
            syncLimit=4
            clientPortAddress=127.0.0.1
            maxClientCnxns=0
            admin.enableServer=false
            4lw.commands.whitelist=srvr
            """;

    private static final String UNSYNCED = "forceSync=no\n";

    private ZooKeeperServers() {}

    /** Starts a server that is alone. Returns when it serves clients. */
    public static RunningZooKeeper start() {
        RunningZooKeeper server = member(FreePorts.next(), UNSYNCED, 1);
        server.awaitService();
        return server;
    }

    /** Starts an ensemble with this number of members. Returns when all of them serve clients. */
    public static ZooKeeperEnsemble ensemble(int size) {
        return ensemble(size, UNSYNCED);
    }

    /** Starts an ensemble that answers a write when a majority has it on disk, as ZooKeeper does by default. */
    public static ZooKeeperEnsemble syncedEnsemble(int size) {
        return ensemble(size, "");
    }

    private static ZooKeeperEnsemble ensemble(int size, String settings) {
        String peers = IntStream.rangeClosed(1, size)
                .mapToObj(id -> "server." + id + "=127.0.0.1:" + FreePorts.next() + ":" + FreePorts.next() + "\n")
                .collect(Collectors.joining());
        List<RunningZooKeeper> members = new ArrayList<>();
        for (int id = 1; id <= size; id++) {
            members.add(member(FreePorts.next(), settings + peers, id));
        }
        members.forEach(RunningZooKeeper::awaitService);
        return new ZooKeeperEnsemble(members);
    }

    private static RunningZooKeeper member(int port, String settings, int id) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("zookeeper");
        BrokerJvm jvm = new BrokerJvm("zookeeper", ZooKeeperMain.class, directory, HEAP_MEGABYTES);
        Lifecycle server =
                jvm.lifecycle(configuration(directory, port, settings, id).toString());
        server.start();
        return new RunningZooKeeper(port, server, jvm.log());
    }

    private static Path configuration(Path directory, int port, String settings, int id) {
        Path data = directory.resolve("data");
        Path file = directory.resolve("zoo.cfg");
        try {
            Files.createDirectory(data);
            Files.writeString(data.resolve("myid"), Integer.toString(id));
            Files.writeString(file, SETTINGS + settings + "clientPort=" + port + "\ndataDir=" + data + "\n");
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot configure ZooKeeper in " + directory, e);
        }
    }
}
