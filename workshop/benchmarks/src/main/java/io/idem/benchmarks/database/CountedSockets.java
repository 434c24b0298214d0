package io.idem.benchmarks.database;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.net.SocketFactory;

/**
 * Makes sockets for the PostgreSQL driver and counts its writes, each of which is a round trip. The driver makes the
 * factory itself, by the name of the class and with the name of a database, so the numbers of this JVM are kept by that
 * name. Thread-safe.
 */
public final class CountedSockets extends SocketFactory {

    private static final Map<String, LongAdder> WRITES = new ConcurrentHashMap<>();

    private final LongAdder writes;

    /** Creates a factory for connections to this database. Public for the driver. */
    public CountedSockets(String database) {
        this.writes = writesTo(database);
    }

    private static LongAdder writesTo(String database) {
        return WRITES.computeIfAbsent(database, first -> new LongAdder());
    }

    /** Returns the number of writes to a database so far, on all connections. */
    static long writes(String database) {
        return writesTo(database).sum();
    }

    @Override
    public Socket createSocket() {
        return new CountedSocket(writes);
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

        private final LongAdder writes;

        CountedSocket(LongAdder writes) {
            this.writes = writes;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    writes.increment();
                    out.write(bytes, from, length);
                }
            };
        }
    }
}
