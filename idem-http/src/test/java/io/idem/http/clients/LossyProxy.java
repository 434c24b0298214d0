package io.idem.http.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes connections on to a server, and counts what goes each way. Can lose an answer: it hangs up instead. */
final class LossyProxy implements AutoCloseable {

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean losing = new AtomicBoolean();
    private final AtomicInteger forth = new AtomicInteger();
    private final AtomicInteger back = new AtomicInteger();
    private final int port;

    LossyProxy(int port) throws IOException {
        this.port = port;
        threads.execute(this::accept);
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort() + path);
    }

    /** The next answer does not arrive. */
    void loseAnswer() {
        losing.set(true);
    }

    boolean hasForwarded() {
        return forth.get() > 0;
    }

    boolean hasAnswered() {
        return back.get() > 0;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                threads.execute(() -> pass(client, server, forth, new AtomicBoolean()));
                threads.execute(() -> pass(server, client, back, losing));
            }
        } catch (IOException closed) {
            threads.shutdown();
        }
    }

    private static void pass(Socket from, Socket to, AtomicInteger count, AtomicBoolean losing) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0 && !losing.getAndSet(false); read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
                count.incrementAndGet();
            }
        } catch (IOException hungUp) {
            // The other direction ends too.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
