package io.idem.consumer.internal.key;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.KeySource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the key from headers, message id and CloudEvents attributes, in the order of the settings. */
record SourceKeyReader(List<KeySource> sources) implements KeyReader {

    @Override
    public Optional<String> read(DeliveredMessage message, @Nullable Object[] arguments) {
        for (KeySource source : sources) {
            Optional<String> key = readFrom(source, message);
            if (key.isPresent()) {
                return key;
            }
        }
        return Optional.empty();
    }

    static Optional<String> readFrom(KeySource source, DeliveredMessage message) {
        return switch (source) {
            case HEADERS ->
                HeaderText.read(message, IdempotencyHeaders.KEY)
                        .or(() -> HeaderText.read(message, IdempotencyHeaders.STANDARD_KEY));
            case MESSAGE_ID ->
                Optional.ofNullable(message.messageId()).map(id -> HeaderText.text("The message id of " + message, id));
            case CLOUD_EVENTS -> CloudEventKey.read(message);
            case POSITION -> Optional.ofNullable(message.position());
        };
    }

    @Override
    public String toString() {
        return sources.stream()
                .map(source -> source.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .collect(Collectors.joining(", "));
    }
}
