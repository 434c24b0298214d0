package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import io.idem.internal.OutgoingTransports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes the messages of some rows at once and waits for their confirmations. Used once, by one thread. */
final class RelayPass {

    private static final Logger LOG = LoggerFactory.getLogger(RelayPass.class);

    private final OutgoingTransports transports;
    private final Duration timeout;
    private final Duration slow;
    private final Set<String> away = new HashSet<>();
    private @Nullable Throwable firstFailure;

    /**
     * @param timeout the longest time for the confirmations of all rows together
     * @param slow the time to take one message over after which a transport counts as unreachable, so that messages of
     *     other transports do not wait behind its messages
     */
    RelayPass(OutgoingTransports transports, Duration timeout, Duration slow) {
        this.transports = transports;
        this.timeout = timeout;
        this.slow = slow;
    }

    /** Returns the rows whose messages were all confirmed. Does not throw for the others. */
    List<RelayedRow> send(List<RelayedRow> rows) {
        List<CompletableFuture<?>> confirmations =
                rows.stream().<CompletableFuture<?>>map(this::publish).toList();
        long end = System.nanoTime() + timeout.toNanos();
        List<RelayedRow> confirmed = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (confirmed(confirmations.get(i), end - System.nanoTime())) {
                confirmed.add(rows.get(i));
            }
        }
        if (confirmed.size() < rows.size()) {
            LOG.warn(
                    "{} of {} rows of the outbox have messages that were not confirmed; they are sent again later",
                    rows.size() - confirmed.size(),
                    rows.size(),
                    firstFailure);
        }
        return confirmed;
    }

    private CompletableFuture<?> publish(RelayedRow row) {
        if (row.messages().isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalStateException(row + " cannot be read"));
        }
        return CompletableFuture.allOf(
                row.messages().stream().map(this::publish).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<?> publish(OutgoingMessage message) {
        if (away.contains(message.transport())) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("The transport " + message.transport() + " did not answer in time"));
        }
        long begun = System.nanoTime();
        CompletableFuture<?> confirmation = transports.publish(message).toCompletableFuture();
        if (System.nanoTime() - begun > slow.toNanos()) {
            away.add(message.transport());
        }
        return confirmation;
    }

    private boolean confirmed(CompletableFuture<?> confirmation, long nanos) {
        try {
            confirmation.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException refused) {
            note(refused.getCause() == null ? refused : refused.getCause());
        } catch (TimeoutException | RuntimeException notConfirmed) {
            note(notConfirmed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            note(interrupted);
        }
        return false;
    }

    private void note(Throwable failure) {
        if (firstFailure == null) {
            firstFailure = failure;
        }
    }
}
