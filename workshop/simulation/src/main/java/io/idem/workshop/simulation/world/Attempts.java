package io.idem.workshop.simulation.world;

import io.idem.AcquireRequest;
import io.idem.OwnerToken;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of attempts, for the trace. An attempt is named after its owner token. The token of a restored record belongs to
 * the attempt that restores it, whose acquire knows no limit of attempts.
 */
final class Attempts {

    /** Name of a message that no attempt has looked at. */
    static final String NOBODY = "";

    private final Map<Thread, String> current = new HashMap<>();
    private final Map<OwnerToken, String> names = new HashMap<>();

    /** Notes that the calling thread begins with another message. */
    void begin() {
        current.put(Thread.currentThread(), NOBODY);
    }

    /** Notes that the calling thread is done with its message. */
    void end() {
        current.remove(Thread.currentThread());
    }

    /** Notes that the calling thread asks the store in the name of a token. */
    void ask(AcquireRequest request) {
        String before = current.get(Thread.currentThread());
        boolean restores = request.maxAttempts() == 0 && before != null && !before.equals(NOBODY);
        String name = names.computeIfAbsent(request.owner(), fresh -> restores ? before : fresh.toString());
        if (before != null) {
            current.put(Thread.currentThread(), name);
        }
    }

    String of(OwnerToken token) {
        return names.getOrDefault(token, token.toString());
    }

    /** Returns the name of the attempt that the calling thread is about. */
    String current() {
        return current.getOrDefault(Thread.currentThread(), NOBODY);
    }
}
