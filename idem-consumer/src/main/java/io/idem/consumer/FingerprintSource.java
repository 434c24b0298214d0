package io.idem.consumer;

/** The part of a message by which the payloads of two messages under one key are compared. */
public enum FingerprintSource {
    /**
     * The header {@link IdempotencyHeaders#FINGERPRINT}, which the producer writes; idem's templates do not. A message
     * without it is taken for a copy of the first one under its key, whatever its payload is.
     */
    HEADER,
    /**
     * The bytes of the body as they were received, whatever headers say. For producers that send the same bytes again.
     * On Kafka the value must reach the listener container as bytes or as text, which counts as UTF-8; converters
     * behind the container do not matter.
     */
    BODY
}
