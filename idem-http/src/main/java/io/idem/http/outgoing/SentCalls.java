package io.idem.http.outgoing;

import io.idem.Fingerprint;
import io.idem.Publications;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of running work, with the keys of failed ones until an equal call takes a key over. Thread-safe. */
final class SentCalls {

    private static final Logger LOG = LoggerFactory.getLogger(SentCalls.class);

    private final Map<Publications, Map<Call, Queue<String>>> keys = new WeakHashMap<>();
    private final Set<String> said = new HashSet<>();

    /**
     * The properties that equal calls have in common.
     *
     * @param place thread that calls, or the kind of client if its calls change threads
     * @param destination method and address without query
     * @param body null if the body is a stream
     */
    record Call(
            Object place,
            String destination,
            URI uri,
            @Nullable Fingerprint body) {}

    synchronized void add(Publications work, Call call, String key) {
        of(work).computeIfAbsent(call, unused -> new ArrayDeque<>()).add(key);
    }

    /** Notes a call. Returns the key of a failed one that equals it, and forgets that; null if there is none. */
    synchronized @Nullable String take(Publications work, Call call) {
        Map<Call, Queue<String>> calls = of(work);
        Queue<String> failed = calls.putIfAbsent(call, new ArrayDeque<>());
        if (failed == null) {
            return null;
        }
        boolean stream = call.body() == null;
        if (stream && !failed.isEmpty()) {
            warn(call, "after a failed call to it. Both bodies are streams, so nothing shows whether it is repeated");
        } else if (!stream && failed.isEmpty() && calls.values().stream().anyMatch(others -> !others.isEmpty())) {
            warn(call, "again with the same body, after another call of the work failed, as by a retry around both");
        }
        return stream ? null : failed.poll();
    }

    private void warn(Call call, String how) {
        if (said.add(how)) {
            LOG.warn(
                    "{} was called {}; it got a new key, and the other service may do the work twice. Name such calls with"
                            + " the request attribute {}: then a repeated call keeps its key. This is said once.",
                    call.destination(),
                    how,
                    OutgoingKeys.CALL_NAME);
        }
    }

    /** Forgets a failed call. Returns false if its key was taken over. */
    synchronized boolean remove(Publications work, Call call, String key) {
        return of(work).getOrDefault(call, new ArrayDeque<>()).remove(key);
    }

    private Map<Call, Queue<String>> of(Publications work) {
        return keys.computeIfAbsent(work, unused -> new HashMap<>());
    }
}
