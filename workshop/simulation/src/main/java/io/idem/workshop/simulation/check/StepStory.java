package io.idem.workshop.simulation.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The events of one step of one key at its provider, and what it returned to the work. */
final class StepStory {

    private final Set<String> keys = new HashSet<>();
    private final List<Long> landings = new ArrayList<>();
    private final Map<Long, Integer> returned = new HashMap<>();
    private long highestFence;
    private int late;

    /** Records that the provider was given a key by an attempt. */
    void heard(String key, long fence) {
        keys.add(key);
        highestFence = Math.max(highestFence, fence);
    }

    /** Records that the provider acted. Returns whether the landing is late: a later attempt was heard of before. */
    boolean landed(String key, long fence) {
        boolean overtaken = fence < highestFence;
        late += overtaken ? 1 : 0;
        heard(key, fence);
        landings.add(fence);
        return overtaken;
    }

    /** Records that the step returned the landing with this number, from 1, to an attempt. */
    void returned(long fence, int landing) {
        returned.put(fence, landing);
        highestFence = Math.max(highestFence, fence);
    }

    boolean hasSeveralKeys() {
        return keys.size() > 1;
    }

    boolean isBegunAgain() {
        return landings.stream().anyMatch(fence -> returned.keySet().stream().anyMatch(earlier -> earlier < fence));
    }

    /** Returns whether there were more calls than one, and one for each attempt that ended inside of the step. */
    boolean isCalledTooOften() {
        long endedInside = landings.stream()
                .filter(fence -> !returned.containsKey(fence))
                .distinct()
                .count();
        return landings.size() > 1 + endedInside;
    }

    /** Returns whether it landed again, other than by a call of an attempt that had a successor. */
    boolean isLandedAgain() {
        return landings.size() - late > 1;
    }

    boolean hasOtherResults() {
        return new HashSet<>(returned.values()).size() > 1;
    }

    boolean hasForeignResult() {
        return returned.values().stream().anyMatch(landing -> landing > landings.size());
    }
}
