package io.idem.demo.supervisor;

import io.idem.demo.page.NotNowException;
import io.idem.demo.story.PlannedOperation;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Kills the worker that is at a certain operation, one at a time. Thread-safe. */
final class WorkerKill {

    private static final int GRANTED_WITHIN_SECONDS = 8;

    private final Map<String, Worker> workers;
    private final AtomicBoolean atIt = new AtomicBoolean();
    private final Map<String, CompletableFuture<WorkerEvent>> awaited = new ConcurrentHashMap<>();

    /** Creates the kills of {@code workers}, which are by name. */
    WorkerKill(Map<String, Worker> workers) {
        this.workers = Map.copyOf(workers);
    }

    /** Handles an event of a worker. */
    void on(WorkerEvent event) {
        CompletableFuture<WorkerEvent> waiting = event.what() == What.GRANTED ? awaited.get(event.key()) : null;
        if (waiting != null) {
            waiting.complete(event);
        }
    }

    /** A request that is to be sent while somebody waits for the grant. */
    @FunctionalInterface
    interface Request {
        void send() throws InterruptedException;
    }

    /**
     * SIGKILL for the worker that takes {@code slow} on; returns what it said when it did, or empty if nobody took it
     * on.
     */
    Optional<WorkerEvent> atWorkOn(PlannedOperation slow, Request request) throws InterruptedException {
        if (!atIt.compareAndSet(false, true)) {
            throw new NotNowException("A worker is being killed already.");
        }
        String id = slow.key().id();
        CompletableFuture<WorkerEvent> granted = new CompletableFuture<>();
        awaited.put(id, granted);
        try {
            request.send();
            WorkerEvent event = granted.get(GRANTED_WITHIN_SECONDS, TimeUnit.SECONDS);
            return Optional.of(event).filter(this::kill);
        } catch (TimeoutException nobody) {
            return Optional.empty();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("Waiting for a grant failed", impossible);
        } finally {
            awaited.remove(id);
            atIt.set(false);
        }
    }

    private boolean kill(WorkerEvent event) {
        Worker worker = workers.get(event.worker());
        if (worker == null || worker.pid() != event.pid()) {
            return false;
        }
        worker.replace();
        return true;
    }
}
