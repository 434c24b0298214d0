package io.idem.benchmarks.database;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import javax.net.SocketFactory;

/**
 * Makes sockets for the PostgreSQL driver and counts its writes, each of which is a round trip. The driver makes the
 * factory itself, by the name of the class, so the number is shared by all connections of this JVM. Thread-safe.
 */
public final class CountedSockets extends SocketFactory {

    private static final LongAdder WRITES = new LongAdder();

    /** Returns the number of writes so far. */
    static long writes() {
        return WRITES.sum();
    }

    @Override
    public Socket createSocket() {
        return new CountedSocket();
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw connected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw connected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
        throw connected();
    }

    private static UnsupportedOperationException connected() {
        return new UnsupportedOperationException("The driver connects its sockets itself");
    }

    private static final class CountedSocket extends Socket {

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    WRITES.increment();
                    out.write(bytes, from, length);
                }
            };
        }
    }
}
