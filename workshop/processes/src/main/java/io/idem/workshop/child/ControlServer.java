package io.idem.workshop.child;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * The HTTP server with which a test controls the tripwire of this process: {@code PUT /POINT/scope/key} sets it,
 * {@code DELETE} releases it, {@code GET} returns its state and the record whose thread is stopped. An empty scope or
 * key stands for any. Keys must be valid in a path.
 */
final class ControlServer {

    private static final int OK = 200;

    private final Tripwire tripwire;
    private final HttpServer server;

    ControlServer(Tripwire tripwire) {
        this.tripwire = tripwire;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("No port for the control server", e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "e2e-control");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestMethod()) {
                case "PUT" -> tripwire.set(trap(exchange.getRequestURI().getPath()));
                case "DELETE" -> tripwire.release();
                default -> {}
            }
            byte[] state = tripwire.report().getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(OK, state.length);
            exchange.getResponseBody().write(state);
        }
    }

    private static Tripwire.Trap trap(String path) {
        String[] parts = path.substring(1).split("/", -1);
        return new Tripwire.Trap(Point.valueOf(parts[0]), parts[1], parts[2]);
    }
}
