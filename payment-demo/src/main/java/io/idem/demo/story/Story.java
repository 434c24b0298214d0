package io.idem.demo.story;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** The execution of a plan by all customers at the same time. */
public final class Story {

    private static final int CUSTOMERS = 8;

    private final StoryPlan plan;
    private final HttpClients http;
    private final DuplicateMessages duplicates;
    private final AtomicInteger done = new AtomicInteger();

    /** A story of clients that talk to {@code server} with the API keys of their tenants. */
    public Story(StoryPlan plan, URI server, Map<String, String> apiKeys, DuplicateMessages duplicates, ClientLog log) {
        this.plan = plan;
        this.http = new HttpClients(server, apiKeys, log);
        this.duplicates = duplicates;
    }

    /** Returns the number of operations that are finished so far. */
    public int done() {
        return done.get();
    }

    /** Runs it; returns when every client has what it wanted or has given up. */
    public void run() throws InterruptedException {
        ExecutorService customers = Executors.newFixedThreadPool(CUSTOMERS);
        ExecutorService helpers = Executors.newCachedThreadPool();
        try {
            Customer customer = new Customer(http, duplicates, helpers);
            List<Future<?>> visits = new ArrayList<>();
            for (PlannedOperation operation : plan.operations()) {
                visits.add(customers.submit(() -> {
                    customer.perform(operation);
                    return done.incrementAndGet();
                }));
            }
            await(visits);
        } finally {
            customers.shutdownNow();
            helpers.shutdownNow();
        }
    }

    private static void await(List<Future<?>> visits) throws InterruptedException {
        for (Future<?> visit : visits) {
            try {
                visit.get();
            } catch (ExecutionException failed) {
                throw new IllegalStateException("A customer broke down", failed.getCause());
            }
        }
    }
}
