package io.idem.servers.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free TCP ports of the loopback address.
 *
 * <p>They lie below the range from which Linux and macOS take the ports of outgoing connections, so that the port of a
 * stopped server is free when it starts again.
 */
public final class FreePorts {

    private static final int FIRST = 12_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 1_000;

    private FreePorts() {}

    /**
     * Returns a random port that was free a moment ago. Because it is random, two JVMs hardly ever choose the same one.
     */
    public static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port between " + FIRST + " and " + END + " on the loopback address");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
