package io.idem.internal.redis.script;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

/** What a script answered for one record: a word and what belongs to it, or a number alone. */
public record ScriptReply(List<Object> parts) {

    public ScriptReply {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("an empty reply");
        }
    }

    /**
     * The reply to each record of a call, in an answer for all of them together or for each.
     *
     * @throws RuntimeException the answer is none to so many records
     */
    public static List<ScriptReply> each(List<Object> answer, int records) {
        if (answer.size() == 1) {
            return Collections.nCopies(records, of(answer.get(0)));
        }
        if (answer.size() != records) {
            throw new IllegalArgumentException(answer.size() + " replies");
        }
        return answer.stream().map(ScriptReply::of).toList();
    }

    private static ScriptReply of(Object reply) {
        return new ScriptReply(reply instanceof List<?> words ? List.copyOf(words) : List.of(reply));
    }

    public boolean isNumber() {
        return parts.get(0) instanceof Long;
    }

    /** The number, which {@link #isNumber()} must have told of. */
    long number() {
        return (Long) parts.get(0);
    }

    /** The first word; for a number its digits. */
    public String word() {
        return isNumber() ? String.valueOf(number()) : text(0);
    }

    String text(int index) {
        return new String(bytes(index), StandardCharsets.UTF_8);
    }

    byte[] bytes(int index) {
        return (byte[]) parts.get(index);
    }

    int size() {
        return parts.size();
    }
}
