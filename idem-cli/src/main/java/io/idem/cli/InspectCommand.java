package io.idem.cli;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.internal.operations.ShownRecord;
import io.idem.redis.store.RedisIdempotencyStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** The command {@code idem inspect}. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = "Shows a key's records in all announced scopes, with the steps that each remembers.")
final class InspectCommand implements Callable<Integer> {

    @ParentCommand
    private @Nullable IdemTool tool;

    @Mixin
    private final KeyOptions options = new KeyOptions();

    @Override
    public Integer call() {
        IdemTool idem = Objects.requireNonNull(tool);
        try (RedisIdempotencyStore store = idem.store()) {
            IdempotencyKey key = options.key();
            List<RecordSnapshot> found = store.inspectAll(key);
            idem.printer()
                    .print(
                            "records",
                            found.stream()
                                    .map(record -> ShownRecord.of(
                                            key.id(),
                                            record,
                                            store.steps(new RecordId(key, record.scope())),
                                            List.of()))
                                    .map(Printer::record)
                                    .toList(),
                            found.isEmpty()
                                    ? Map.of("keyId", key.id(), "note", ShownRecord.NOTHING)
                                    : Map.of("keyId", key.id()));
            return found.isEmpty() ? Exit.REFUSED : Exit.DONE;
        }
    }
}
