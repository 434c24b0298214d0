package io.idem.servers;

import io.idem.servers.process.ChildJvm;
import io.idem.servers.process.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One ZooKeeper server: alone, or a member of an ensemble. Keeps its data from stop or kill to start. */
public final class RunningZooKeeper extends RunningServer {

    private static final Pattern MODE = Pattern.compile("Mode: (\\w+)");
    private static final int PATIENCE_MILLIS = 1_000;

    private final int port;
    private final Path log;

    RunningZooKeeper(int port, Lifecycle lifecycle, Path log) {
        super(Origin.EMBEDDED, lifecycle);
        this.port = port;
        this.log = log;
    }

    /** Returns the address for clients as {@code host:port}. */
    public String connectString() {
        return "127.0.0.1:" + port;
    }

    /** Returns the log, which is appended to at each start. */
    public Path log() {
        return log;
    }

    /**
     * Asks the server for its part: {@code standalone}, {@code leader} or {@code follower}. Empty if it serves no
     * clients, because it is stopped or there is no quorum.
     */
    public Optional<String> mode() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            Matcher mode = MODE.matcher(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            return mode.find() ? Optional.of(mode.group(1)) : Optional.empty();
        } catch (IOException silent) {
            return Optional.empty();
        }
    }

    /**
     * Waits until the server serves clients.
     *
     * @throws IllegalStateException if it has ended, or hangs
     */
    public void awaitService() {
        boolean over = Waiting.until(ChildJvm.LONGEST_START, () -> pid().isEmpty() || mode().isPresent());
        if (!over || pid().isEmpty()) {
            throw new IllegalStateException(description() + " serves no clients; its log is " + log);
        }
    }

    @Override
    public String description() {
        return "ZooKeeper at " + connectString();
    }
}
