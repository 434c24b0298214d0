package io.idem.workshop.process;

import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.Reply;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Clients that send payment after payment, and repeat each request with its key until it is accepted. Thread-safe. */
public final class Load implements AutoCloseable {

    private static final int CLIENTS = 4;

    private final String prefix = Money.freshKey("load");
    private final List<String> keys;
    private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    private final CompletableFuture<?> done;

    private Load(HttpProbe http, int payments) {
        this.keys = IntStream.range(0, payments)
                .mapToObj(index -> prefix + "-" + index)
                .toList();
        this.done = CompletableFuture.allOf(keys.stream()
                .map(key -> CompletableFuture.runAsync(() -> pay(http, key), clients))
                .toArray(CompletableFuture[]::new));
    }

    /** Starts clients that send that many payments. */
    public static Load of(HttpProbe http, int payments) {
        return new Load(http, payments);
    }

    private void pay(HttpProbe http, String key) {
        Waiting.waitUntil(key + " is accepted").ignoreExceptions().until(() -> post(http, key), Reply::accepted);
        accepted.incrementAndGet();
    }

    private Reply post(HttpProbe http, String key) {
        Reply reply = Tenant.NORTH.post(http, Money.PAYMENTS, key, Money.cents(1));
        replies.add(reply);
        return reply;
    }

    /** Returns when that many payments have been accepted. */
    public void awaitAccepted(int number) {
        Waiting.waitUntil(number + " payments are accepted").until(() -> accepted.get() >= number);
    }

    /** Returns when all payments have been accepted. */
    public void awaitAllAccepted() {
        done.join();
    }

    /** Returns the keys of the payments. */
    public List<String> keys() {
        return keys;
    }

    /** Returns the keys in the ledger, one for each row, in order. */
    public List<String> ledger(World world) {
        return world.ledger().keysStartingWith(prefix);
    }

    /** Returns the replies so far. */
    public List<Reply> replies() {
        return List.copyOf(replies);
    }

    @Override
    public void close() {
        clients.shutdownNow();
    }
}
