package io.idem.servers.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback address, for tests of what happens when the network between a client and a server breaks.
 *
 * <p>It passes everything until told otherwise, and keeps its port for life. Thread-safe; no method waits for clients.
 */
public final class TcpProxy implements AutoCloseable {

    private final InetSocketAddress target;
    private final InetSocketAddress address;
    private final Rules rules = new Rules();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private @Nullable Door door;

    private TcpProxy(InetSocketAddress target) {
        this.target = target;
        this.door = Door.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::link);
        this.address = door.address();
    }

    /** Starts one in front of a server, which need not be there yet. */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(new InetSocketAddress(host, port));
    }

    /** The address for clients. */
    public String host() {
        return address.getAddress().getHostAddress();
    }

    /** The port for clients. */
    public int port() {
        return address.getPort();
    }

    /** How many connections are open. */
    public int connections() {
        return links.size();
    }

    /** Ends {@link #refuse()} and {@link #blackHole()}; what was held back arrives now. */
    public synchronized void pass() {
        if (door == null) {
            door = Door.open(address, this::link);
        }
        rules.pass();
    }

    /** Resets all open connections; new ones pass. */
    public void cut() {
        links.forEach(Link::reset);
    }

    /** Resets all open connections, and refuses new ones until {@link #pass()}. */
    public synchronized void refuse() {
        if (door != null) {
            door.close();
            door = null;
        }
        cut();
    }

    /** Holds everything back until {@link #pass()}, in both directions: connections stay open, and nothing arrives. */
    public void blackHole() {
        rules.hold();
    }

    /**
     * The next request that contains a text reaches the server, but its reply is lost: instead of the first bytes that the
     * server sends afterwards on that connection, the client sees a reset. Happens once.
     *
     * @param text in ISO 8859-1, to be found within one chunk of what the client sends; the empty text is in any request
     * @return completed when it has happened, that is, when the server had already answered
     */
    public CompletableFuture<Void> loseReplyTo(String text) {
        return rules.loseReplyTo(text);
    }

    /**
     * The next request that contains a text never reaches the server: the client sees a reset. Happens once; {@code text} is as
     * for {@link #loseReplyTo}.
     *
     * @return completed when it has happened
     */
    public CompletableFuture<Void> loseRequest(String text) {
        return rules.loseRequest(text);
    }

    /** Resets all connections and stops. */
    @Override
    public void close() {
        refuse();
        rules.pass();
    }

    private void link(Socket client) {
        Link link = new Link(client, rules, links::remove);
        links.add(link);
        link.connect(target);
    }
}
