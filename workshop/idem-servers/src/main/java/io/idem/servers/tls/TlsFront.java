package io.idem.servers.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Terminates TLS in front of a server that speaks plain TCP. */
public final class TlsFront implements AutoCloseable {

    private final SSLServerSocket door;
    private final String host;
    private final int port;

    /** Starts a front; {@code asksForCertificate} turns on mutual TLS. */
    public TlsFront(SSLContext context, boolean asksForCertificate, String host, int port) {
        this.host = host;
        this.port = port;
        try {
            door = (SSLServerSocket)
                    context.getServerSocketFactory().createServerSocket(0, 0, InetAddress.getLoopbackAddress());
            door.setNeedClientAuth(asksForCertificate);
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        start(this::accept);
    }

    /** Returns the port on the loopback address. */
    public int port() {
        return door.getLocalPort();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "tls-front");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Socket server = new Socket(host, port);
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException gone) {
            return;
        }
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException stillOpen) {
            throw new UncheckedIOException(stillOpen);
        }
    }
}
