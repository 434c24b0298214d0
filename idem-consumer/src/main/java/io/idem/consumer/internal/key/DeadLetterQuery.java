package io.idem.consumer.internal.key;

import io.idem.InvalidKeyException;
import io.idem.RecordId;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.KeySource;
import io.idem.spi.DeadLetterSource.Sought;
import java.util.Optional;

/**
 * Query for the dead letter that an operator looks for: by key and tenant, by the scope where the letter names it, and
 * by the fingerprint where there is one. The key is looked for in the headers and where the settings say; one that an
 * annotation's expression made is not found, nor is a record's position, which a copy does not keep. Thread-safe.
 *
 * @param fingerprints of the listener that refused the letter
 */
public record DeadLetterQuery(Sought sought, ConsumerSettings settings, FingerprintReader fingerprints) {

    /**
     * Returns whether a letter is the one that is looked for. Never throws for a value that it cannot read: that letter
     * is another one.
     */
    public boolean is(DeliveredMessage letter) {
        return matches(letter) || matches(letter.asReadBefore());
    }

    private boolean matches(DeliveredMessage letter) {
        RecordId record = sought.record();
        try {
            return hasKey(letter, record.key().value())
                    && OperationHeaders.tenant(letter, settings.trustTenant())
                            .equals(record.key().tenant())
                    && HeaderText.read(letter, IdempotencyHeaders.SCOPE)
                            .map(record.scope().name()::equals)
                            .orElse(true)
                    && fingerprints.read(letter).matches(sought.fingerprint());
        } catch (InvalidKeyException unreadable) {
            return false;
        }
    }

    private boolean hasKey(DeliveredMessage letter, String key) {
        return SourceKeyReader.readFrom(KeySource.HEADERS, letter)
                .or(() -> fromSettings(letter))
                .filter(key::equals)
                .isPresent();
    }

    private Optional<String> fromSettings(DeliveredMessage letter) {
        return settings.keySources().stream()
                .filter(source -> source != KeySource.POSITION)
                .flatMap(source -> SourceKeyReader.readFrom(source, letter).stream())
                .findFirst();
    }
}
