package io.idem.http.outgoing;

import io.idem.IdempotencyContext;
import io.idem.Publications;
import io.idem.http.outgoing.FailedCalls.Call;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * A call of idempotent work, from the moment at which its request is built. The request may be sent several times and on other threads,
 * with the same key unless an equal call has taken it over after a failure. Thread-safe.
 */
final class OutgoingCall {

    private final IdempotencyContext context;
    private final FailedCalls failures;
    private @Nullable String key;
    private @Nullable Supplier<Call> sent;
    private @Nullable Call failed;
    private boolean answered;

    OutgoingCall(IdempotencyContext context, FailedCalls failures) {
        this.context = context;
        this.failures = failures;
    }

    synchronized boolean hasKey(String other) {
        return other.equals(key);
    }

    /** Returns the key with which the request is sent. */
    synchronized String key() {
        return Objects.requireNonNull(key, "not sent");
    }

    synchronized void sendNamed(String destination, String name) {
        key = context.publications().namedCallKey(destination, name).value();
    }

    /**
     * Chooses the key with which the request is sent now.
     *
     * @param call returns what tells it from other calls; asked only if calls of the work fail
     */
    synchronized void send(String destination, Supplier<Call> call) {
        Publications work = context.publications();
        if (key != null && failed != null && !failures.remove(work, failed, key)) {
            key = null;
        }
        sent = call;
        failed = null;
        if (key == null && failures.any(work)) {
            key = failures.take(work, call.get());
        }
        if (key == null) {
            key = work.nextCallKey(destination).value();
        }
    }

    /** Notes that nobody knows what became of the call: the next equal one repeats it. */
    synchronized void failed() {
        if (key != null && sent != null && failed == null && !answered) {
            failed = sent.get();
            failures.add(context.publications(), failed, key);
        }
    }

    /** Notes that the whole answer has come. */
    synchronized void answered() {
        answered = true;
        if (key != null && failed != null) {
            failures.remove(context.publications(), failed, key);
        }
    }

    /** Returns whether the sender of an answer asks, or invites, to repeat the call. */
    static boolean isOpen(HttpStatusCode status, HttpHeaders headers) {
        return switch (status.value()) {
            case 408, 425, 429 -> true;
            case 409 -> headers.containsHeader(HttpHeaders.RETRY_AFTER);
            default -> status.is5xxServerError();
        };
    }
}
