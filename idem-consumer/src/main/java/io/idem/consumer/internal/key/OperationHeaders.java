package io.idem.consumer.internal.key;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;

/** Reads the headers of idem beside the key, or refuses them with the reason. Never guesses. */
public final class OperationHeaders {

    private OperationHeaders() {}

    /**
     * Returns the tenant of the key: the header's, unless that is the default one, or else the message's own.
     *
     * @param trusted whether the header counts
     * @throws InvalidKeyException if the header cannot be read as text
     */
    public static String tenant(DeliveredMessage message, boolean trusted) {
        return trusted
                ? HeaderText.read(message, IdempotencyHeaders.TENANT)
                        .filter(named -> !named.equals(IdempotencyKey.DEFAULT_TENANT))
                        .orElseGet(message::tenant)
                : message.tenant();
    }

    /**
     * Returns the fingerprint that the publisher wrote.
     *
     * @return {@link Fingerprint#NONE} if there is none
     * @throws InvalidKeyException if the header is not a fingerprint
     */
    public static Fingerprint fingerprint(DeliveredMessage message) {
        try {
            return HeaderText.read(message, IdempotencyHeaders.FINGERPRINT)
                    .map(Fingerprint::parse)
                    .orElse(Fingerprint.NONE);
        } catch (IllegalArgumentException malformed) {
            throw new InvalidKeyException("Header " + IdempotencyHeaders.FINGERPRINT + " of " + message
                    + " is not 32 hexadecimal digits: " + malformed.getMessage());
        }
    }
}
