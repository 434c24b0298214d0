package io.idem.servers.proxy;

import io.idem.servers.proxy.Rules.ReplyLoss;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Consumer;

/** A connection through the proxy, with a socket to each side and a thread for each direction. */
final class Link {

    private static final int CHUNK = 64 * 1024;
    private static final int CONNECT_MILLIS = 5_000;

    private final Socket client;
    private final Socket server = new Socket();
    private final Rules rules;
    private final Consumer<Link> onEnd;
    private volatile Optional<ReplyLoss> replyLoss = Optional.empty();
    private volatile boolean forgotten;

    private interface Filter {
        /** Returns whether the chunk may pass. */
        boolean passes(byte[] chunk, int length);
    }

    Link(Socket client, Rules rules, Consumer<Link> onEnd) {
        this.client = client;
        this.rules = rules;
        this.onEnd = onEnd;
    }

    /** Connects to the server, or resets the client if the server cannot be reached. */
    void connect(InetSocketAddress target) {
        try {
            server.connect(target, CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) {
            reset();
            return;
        }
        Threads.start("proxy-requests", () -> pump(client, server, this::request));
        Threads.start("proxy-replies", () -> pump(server, client, this::reply));
    }

    private void pump(Socket from, Socket to, Filter filter) {
        byte[] chunk = new byte[CHUNK];
        try {
            for (int length = read(from, chunk); length >= 0; length = read(from, chunk)) {
                if (forgotten) {
                    continue;
                }
                if (!filter.passes(chunk, length)) {
                    reset();
                    return;
                }
                to.getOutputStream().write(chunk, 0, length);
            }
            to.shutdownOutput();
            endIfBothAreDone();
        } catch (IOException e) {
            reset();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reset();
        }
    }

    private int read(Socket from, byte[] chunk) throws IOException, InterruptedException {
        int length = from.getInputStream().read(chunk);
        rules.awaitPassage();
        return length;
    }

    private boolean request(byte[] chunk, int length) {
        if (!rules.passes(chunk, length)) {
            return false;
        }
        rules.lossFor(chunk, length).ifPresent(loss -> replyLoss = Optional.of(loss));
        return true;
    }

    private boolean reply(byte[] chunk, int length) {
        replyLoss.ifPresent(loss -> loss.happened().complete(null));
        return replyLoss.isEmpty();
    }

    private void endIfBothAreDone() {
        if (client.isOutputShutdown() && server.isOutputShutdown()) {
            reset();
        }
    }

    /** Swallows all that comes from now on. */
    void forget() {
        forgotten = true;
    }

    /** Closes both sides with a TCP reset; data on its way is lost. */
    void reset() {
        drop(client);
        drop(server);
        onEnd.accept(this);
    }

    private static void drop(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // Already closed, as intended.
            return;
        }
    }
}
