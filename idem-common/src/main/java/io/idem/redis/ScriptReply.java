package io.idem.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a script answered for one record: a word, and what belongs to it. */
record ScriptReply(List<Object> parts) {

    String word() {
        return text(0);
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
