package io.idem.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a script answered for one record: a word and what belongs to it, or a number alone. */
record ScriptReply(List<Object> parts) {

    /** The reply at a position, in an answer for all records together or for each of them. */
    static ScriptReply of(List<Object> answer, int position) {
        Object reply = answer.get(answer.size() == 1 ? 0 : position);
        return new ScriptReply(reply instanceof List<?> words ? List.copyOf(words) : List.of(reply));
    }

    boolean isNumber() {
        return parts.get(0) instanceof Long;
    }

    /** The number, which {@link #isNumber()} must have told of. */
    long number() {
        return (Long) parts.get(0);
    }

    /** The first word; for a number its digits. */
    String word() {
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
