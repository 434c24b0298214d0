package io.idem.servers.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback address, for tests of network failures between a client and a server.
 *
 * <p>The proxy passes everything by default, and keeps its port until it is closed. Thread-safe; no method waits for
 * clients.
 */
public final class TcpProxy implements AutoCloseable {

    private volatile InetSocketAddress target;
    private final InetSocketAddress address;
    private final Rules rules = new Rules();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private @Nullable Door door;

    private TcpProxy(InetSocketAddress target) {
        this.target = target;
        this.door = Door.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this::link);
        this.address = door.address();
    }

    /** Starts a proxy in front of a server, which need not run yet. */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(new InetSocketAddress(host, port));
    }

    /** Returns the address for clients. */
    public String host() {
        return address.getAddress().getHostAddress();
    }

    /** Returns the port for clients. */
    public int port() {
        return address.getPort();
    }

    /** Returns the number of open connections. */
    public int connections() {
        return links.size();
    }

    /** Ends {@link #refuse()} and {@link #blackHole()}; data that was held back arrives now. */
    public synchronized void pass() {
        if (door == null) {
            door = Door.open(address, this::link);
        }
        rules.pass();
    }

    /** Resets all open connections; new ones are accepted. */
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

    /** Holds back all traffic in both directions until {@link #pass()}; connections stay open. */
    public void blackHole() {
        rules.hold();
    }

    /**
     * Swallows from now on what comes on the open connections, in both directions and without a reset, as a firewall
     * does that has forgotten them; new connections pass.
     */
    public void forget() {
        links.forEach(Link::forget);
    }

    /** Leads new connections to another server, as an address does after a failover; open ones stay where they are. */
    public void leadTo(String host, int port) {
        target = new InetSocketAddress(host, port);
    }

    /**
     * Loses the reply to the next request that contains a text. The request reaches the server, but instead of the
     * first bytes that the server sends afterwards on that connection, the client gets a reset. Happens once.
     *
     * @param text text in ISO 8859-1 within one chunk of the client's data; the empty text matches any request
     * @return a future that completes when the loss has happened, that is, when the server had already answered
     */
    public CompletableFuture<Void> loseReplyTo(String text) {
        return rules.loseReplyTo(text);
    }

    /**
     * Loses the next request that contains a text. The request never reaches the server, and the client gets a reset.
     * Happens once; {@code text} is as for {@link #loseReplyTo}.
     *
     * @return a future that completes when the loss has happened
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
