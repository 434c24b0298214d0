package io.idem.workshop.chaos.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The transitions of one record in the order of its Redis.
 *
 * @param transitions at least one transition
 */
public record RecordTrace(List<Transition> transitions) {

    /** A record's name in Redis: namespace, key id in braces, scope. */
    private static final Pattern NAME = Pattern.compile("[^{]*\\{([^}]*)}:(.*)");

    /** A call that takes back a grant, which no step of the comparison does. */
    private static final String WITHDRAW = "WITHDRAW";

    static String keyId(String record) {
        return part(record, 1);
    }

    /** Returns the id of the key. */
    public String keyId() {
        return keyId(transitions.get(0).record());
    }

    /** Returns the scope of the record. */
    public String scope() {
        return part(transitions.get(0).record(), 2);
    }

    private static String part(String record, int group) {
        Matcher name = NAME.matcher(record);
        return name.matches() ? name.group(group) : "";
    }

    /**
     * Returns the lines that the trace checker of the model reads, until a grant was taken back.
     *
     * @param losesData whether Redis may have lost the record or set it back; otherwise the checker sees what changed by
     *     itself
     */
    public List<String> lines(boolean losesData) {
        List<String> lines = new ArrayList<>();
        Transition earlier = null;
        for (Transition next : transitions) {
            if (next.step().equals(WITHDRAW)) {
                break;
            }
            Transition.Stored found = next.before();
            if (earlier != null && next.isOfOneCallWith(earlier)) {
                found = earlier.after();
            } else if (losesData && earlier != null && !found.equals(earlier.after())) {
                lines.add(next.set(found));
            }
            lines.add(next.text(found));
            earlier = next;
        }
        return List.copyOf(lines);
    }
}
