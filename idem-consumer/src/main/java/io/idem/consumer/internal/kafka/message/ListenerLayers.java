package io.idem.consumer.internal.kafka.message;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.DelegatingMessageListener;

/** The listener of a container, and the listeners behind it. */
public final class ListenerLayers {

    private ListenerLayers() {}

    /** Returns a listener and those to which it delegates, from the outermost on. */
    public static Stream<Object> of(@Nullable Object listener) {
        return Stream.iterate(listener, Objects::nonNull, ListenerLayers::behind);
    }

    private static @Nullable Object behind(Object listener) {
        return listener instanceof DelegatingMessageListener<?> delegating ? delegating.getDelegate() : null;
    }
}
