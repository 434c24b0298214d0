package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import java.util.AbstractMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A message's headers as texts, for key expressions: looked up by name, not enumerable. */
final class HeaderMap extends AbstractMap<String, String> {

    private final DeliveredMessage message;

    HeaderMap(DeliveredMessage message) {
        this.message = message;
    }

    @Override
    public @Nullable String get(Object name) {
        return HeaderText.read(message, name.toString()).orElse(null);
    }

    @Override
    public boolean containsKey(Object name) {
        return !message.header(name.toString()).isEmpty();
    }

    @Override
    public Set<Entry<String, String>> entrySet() {
        return Set.of();
    }
}
