package io.idem.internal.redis.script;

import static io.idem.internal.value.Arguments.require;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

/** The reply of a script for one record: a word with its values, or only a number. */
public record ScriptReply(List<Object> parts) {

    public ScriptReply {
        require(!parts.isEmpty(), "an empty reply");
    }

    /**
     * Returns the reply to each record of a call.
     *
     * @param answer one reply per record, or one that stands for all records
     * @throws RuntimeException if the number of replies does not fit the number of records
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

    /** Returns the number; call only if {@link #isNumber()}. */
    long number() {
        return (Long) parts.get(0);
    }

    /** Returns the first word; of a number its digits. */
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
