package io.idem.jdbc;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/**
 * Sockets of pgjdbc that count its round trips: the driver writes to a socket once for all that it sends before it waits
 * for an answer. pgjdbc makes the factory by its name, and passes the name of the counter.
 */
public final class CountedWrites extends SocketFactory {

    private static final Map<String, AtomicInteger> COUNTERS = new ConcurrentHashMap<>();

    private final AtomicInteger writes;

    /** Creates a factory, called by pgjdbc with its property socketFactoryArg. */
    public CountedWrites(String counter) {
        this.writes = counter(counter);
    }

    /** Returns the number of writes of all sockets with a counter of this name. */
    static AtomicInteger counter(String name) {
        return COUNTERS.computeIfAbsent(name, unknown -> new AtomicInteger());
    }

    @Override
    public Socket createSocket() {
        return new CountingSocket(writes);
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException();
    }

    private static final class CountingSocket extends Socket {

        private final AtomicInteger writes;

        CountingSocket(AtomicInteger writes) {
            this.writes = writes;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    writes.incrementAndGet();
                    out.write(bytes, from, length);
                }
            };
        }
    }
}
