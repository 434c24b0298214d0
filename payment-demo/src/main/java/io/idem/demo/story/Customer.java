package io.idem.demo.story;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Somebody who wants an operation to happen once, and does everything to make it happen twice. Thread-safe. */
final class Customer {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration NO_PATIENCE = Duration.ofMillis(3);
    private static final Duration GIVES_UP_AFTER = Duration.ofMinutes(1);
    private static final int AT_ONCE = 4;

    /** Shorter than most Retry-After headers ask for: this customer is to be a nuisance. */
    private static final long PAUSE_MILLIS = 200;

    private final HttpClients http;
    private final DuplicateMessages duplicates;
    private final ExecutorService helpers;

    Customer(HttpClients http, DuplicateMessages duplicates, ExecutorService helpers) {
        this.http = http;
        this.duplicates = duplicates;
        this.helpers = helpers;
    }

    void perform(PlannedOperation operation) throws InterruptedException {
        if (operation.has(Trouble.HANGS_UP)) {
            http.post(operation, operation.body(), NO_PATIENCE);
        }
        if (operation.has(Trouble.SAME_KEY_AT_ONCE)) {
            atOnce(operation);
        } else {
            postUntilAccepted(operation);
        }
        if (operation.has(Trouble.ASKS_AGAIN)) {
            postUntilAccepted(operation);
        }
        if (operation.has(Trouble.CHANGES_AMOUNT)) {
            http.post(operation, operation.body().changed(), PATIENCE);
        }
        if (operation.has(Trouble.DUPLICATED_MESSAGE)) {
            duplicates.publish(operation);
        }
    }

    private void atOnce(PlannedOperation operation) throws InterruptedException {
        List<Future<?>> posts = new ArrayList<>();
        for (int client = 0; client < AT_ONCE; client++) {
            posts.add(helpers.submit(() -> {
                postUntilAccepted(operation);
                return null;
            }));
        }
        for (Future<?> post : posts) {
            await(post);
        }
    }

    private static void await(Future<?> post) throws InterruptedException {
        try {
            post.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A client broke down", failed.getCause());
        }
    }

    private void postUntilAccepted(PlannedOperation operation) throws InterruptedException {
        long end = System.nanoTime() + GIVES_UP_AFTER.toNanos();
        while (!http.post(operation, operation.body(), PATIENCE).accepted() && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
