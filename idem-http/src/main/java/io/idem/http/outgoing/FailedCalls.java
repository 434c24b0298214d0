package io.idem.http.outgoing;

import io.idem.Fingerprint;
import io.idem.Publications;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpMethod;

/** The failed calls of running work and their keys, until an equal call takes a key over. Thread-safe. */
final class FailedCalls {

    private static final Logger LOG = LoggerFactory.getLogger(FailedCalls.class);

    private final Map<Publications, Map<Call, Queue<String>>> keys = new WeakHashMap<>();
    private boolean warned;

    /**
     * What equal calls have in common.
     *
     * @param place thread that calls, or the kind of client if its calls change threads
     * @param body null if the body is a stream
     */
    record Call(
            Object place,
            HttpMethod method,
            URI uri,
            @Nullable Fingerprint body) {}

    synchronized void add(Publications work, Call call, String key) {
        keys.computeIfAbsent(work, unused -> new HashMap<>())
                .computeIfAbsent(call, unused -> new ArrayDeque<>())
                .add(key);
    }

    synchronized boolean any(Publications work) {
        return keys.containsKey(work);
    }

    /** Returns the key of a failed call that equals this one, and forgets it; null if there is none. */
    synchronized @Nullable String take(Publications work, Call call) {
        Queue<String> failed = keysOf(work, call);
        if (call.body() != null) {
            return failed.poll();
        }
        if (!failed.isEmpty() && !warned) {
            warned = true;
            LOG.warn(
                    "{} {}://{}{} was called after a failed call to it, from the same work. Both bodies are streams, so nothing shows"
                            + " whether the call is repeated; it got a new key, and the other service may do the work twice. Name such"
                            + " calls with the request attribute {}: then a repeated call keeps its key. This is said once.",
                    call.method(),
                    call.uri().getScheme(),
                    call.uri().getRawAuthority(),
                    call.uri().getRawPath(),
                    OutgoingKeys.CALL_NAME);
        }
        return null;
    }

    /** Forgets a failed call. Returns false if its key was taken over. */
    synchronized boolean remove(Publications work, Call call, String key) {
        return keysOf(work, call).remove(key);
    }

    private Queue<String> keysOf(Publications work, Call call) {
        return keys.getOrDefault(work, Map.of()).getOrDefault(call, new ArrayDeque<>());
    }
}
