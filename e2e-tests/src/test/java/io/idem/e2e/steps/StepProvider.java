package io.idem.e2e.steps;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The system that the steps of {@link io.idem.workshop.child.StepsMain} call. It outlives every process, recognises no
 * repeated key, so that each call lands, and keeps a {@link Book} for each key of work. Thread-safe.
 */
public final class StepProvider implements AutoCloseable {

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;

    private final Map<String, Book> books = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    public StepProvider() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("No port for the provider", e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Returns the address in the form that the application takes. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Opens the book of a key whose work is stopped once at each of these moments. */
    public Book open(String key, List<Stop> stops) {
        Book book = new Book(stops);
        books.put(key, book);
        return book;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().substring(1).split("/", -1);
            Book book = Objects.requireNonNull(books.get(path[0]));
            if (exchange.getRequestMethod().equals("GET")) {
                Optional<String> found = book.find(path[1], path[2]);
                answer(exchange, found.isPresent() ? OK : NOT_FOUND, found.orElse(""));
            } else {
                String stepKey = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.US_ASCII);
                Optional<String> reference = book.take(path[1], stepKey);
                if (reference.isPresent()) {
                    answer(exchange, OK, reference.get());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
