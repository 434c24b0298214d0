package io.idem.consumer.internal.key;

import io.idem.IdempotencyKeys;
import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotentListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/** Digests the fields of {@link IdempotentListener#keyFields()}. A message that lacks one has no usable key. */
record FieldsKeyReader(List<KeyField> fields) implements KeyReader {

    @Override
    public Optional<String> read(DeliveredMessage message, @Nullable Object[] arguments) {
        Supplier<JsonBody> body = SingletonSupplier.of(() -> JsonBody.of(message));
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        fields.forEach(field -> found.put(field.name(), field.source().read(message, arguments, body)));
        try {
            return Optional.of(IdempotencyKeys.ofFields(found));
        } catch (InvalidKeyException missing) {
            throw new InvalidKeyException(message + " has no usable key: " + missing.getMessage());
        }
    }

    @Override
    public boolean readsArguments() {
        return fields.stream().anyMatch(field -> field.source().readsArguments());
    }

    @Override
    public String toString() {
        return "key fields " + fields.stream().map(KeyField::name).toList();
    }
}
