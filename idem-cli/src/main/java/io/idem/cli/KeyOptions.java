package io.idem.cli;

import io.idem.IdempotencyKey;
import io.idem.internal.operations.AskedKey;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The options that name a key. */
final class KeyOptions {

    @Option(
            names = "--key",
            required = true,
            paramLabel = "KEY",
            description = "The idempotency key, as the client sent it.")
    private String key = "";

    @Option(
            names = "--tenant",
            paramLabel = "TENANT",
            defaultValue = IdempotencyKey.DEFAULT_TENANT,
            description = "Whose key it is. Default: ${DEFAULT-VALUE}")
    private String tenant = IdempotencyKey.DEFAULT_TENANT;

    IdempotencyKey key(Predicate<IdempotencyKey> known) {
        return AskedKey.of(tenant, key, known);
    }
}
