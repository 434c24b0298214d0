package io.idem.http.outgoing;

import io.idem.IdempotencyContext;
import io.idem.Publications;
import io.idem.http.outgoing.SentCalls.Call;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * A call of idempotent work, from the moment at which its request is built. The request may be sent several times and on other threads,
 * with the same key unless an equal call has taken it over after a failure. Thread-safe.
 */
final class OutgoingCall {

    private final IdempotencyContext context;
    private final SentCalls calls;
    private @Nullable String key;
    private @Nullable Call sent;
    private @Nullable Call failed;
    private @Nullable Thread reader;
    private boolean answered;

    OutgoingCall(IdempotencyContext context, SentCalls calls) {
        this.context = context;
        this.calls = calls;
    }

    synchronized boolean hasKey(String other) {
        return other.equals(key);
    }

    /** Returns the key with which the request is sent. */
    synchronized String key() {
        return Objects.requireNonNull(key, "not sent");
    }

    /** Chooses the key with which the request is sent now: that of its name if it has one. */
    synchronized void send(Call call, @Nullable Object name) {
        Publications work = context.publications();
        if (name != null) {
            key = work.namedCallKey(call.destination(), name.toString()).value();
            return;
        }
        if (key != null && failed != null && !calls.remove(work, failed, key)) {
            key = null;
        }
        sent = call;
        failed = null;
        if (key == null) {
            key = calls.take(work, call);
        }
        if (key == null) {
            key = work.nextCallKey(call.destination()).value();
        }
    }

    /** Notes that nobody knows what became of the call: the next equal one repeats it. */
    synchronized void failed() {
        if (key != null && sent != null && failed == null && !answered) {
            failed = sent;
            calls.add(context.publications(), failed, key);
        }
    }

    /** Notes that a part of the answer is being read, on this thread. */
    synchronized void reading() {
        reader = Thread.currentThread();
    }

    /**
     * Notes that the rest is not waited for: by the reader, who has seen enough of the answer, or by another, as after a time-out. A
     * failure before stays one.
     */
    synchronized void cancelled() {
        if (failed == null && Thread.currentThread().equals(reader)) {
            answered();
        } else {
            failed();
        }
    }

    /** Notes that the answer has come. */
    synchronized void answered() {
        answered = true;
        if (key != null && failed != null) {
            calls.remove(context.publications(), failed, key);
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
