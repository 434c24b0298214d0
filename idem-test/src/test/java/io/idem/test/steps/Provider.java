package io.idem.test.steps;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The system that steps call. It outlives every process, recognises no repeated key, so that each call lands, and keeps a
 * {@link Book} for each key of work. Thread-safe.
 */
final class Provider implements AutoCloseable {

    private final ServerSocket server;
    private final Map<String, Book> books = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> stopped = new ConcurrentHashMap<>();
    private final Set<String> settled = ConcurrentHashMap.newKeySet();
    private final AtomicInteger references = new AtomicInteger();

    Provider() {
        try {
            server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("No port for the provider", e);
        }
        start("provider", this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    Book book(String key) {
        return books.computeIfAbsent(key, unknown -> new Book());
    }

    boolean isStopped(String process, String key) {
        return stopped.containsKey(process + " " + key);
    }

    boolean isSettled(String process, String key) {
        return settled.contains(process + " " + key);
    }

    /** Lets stopped work go on. */
    void release(String process, String key) {
        CountDownLatch latch = stopped.get(process + " " + key);
        if (latch == null) {
            throw new IllegalStateException(key + " is not stopped in " + process);
        }
        latch.countDown();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                start("provider-connection", () -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String answer = answer(List.of(line.split("\t", -1))) + "\n";
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException killed) {
            // The process was killed.
        }
    }

    private String answer(List<String> words) {
        String sender = words.get(0) + " " + words.get(1);
        Book book = book(words.get(1));
        String first = words.get(3);
        switch (Report.valueOf(words.get(2))) {
            case CALL -> {
                return book.land(first, words.get(4), "reference-" + references.incrementAndGet());
            }
            case FIND -> {
                return book.find(first, words.get(4));
            }
            case REMEMBERED -> book.remembered(first);
            case RETURNED -> book.returned(first, words.get(4));
            case DEFERRED -> book.deferred(words.get(0) + " " + first);
            case SETTLED -> settled.add(sender);
            case STOPPED -> hold(sender);
        }
        return "";
    }

    private void hold(String sender) {
        CountDownLatch latch = new CountDownLatch(1);
        stopped.put(sender, latch);
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The provider does not end", e);
        }
    }
}
