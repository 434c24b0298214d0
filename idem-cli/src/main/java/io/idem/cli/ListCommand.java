package io.idem.cli;

import static io.idem.internal.value.Arguments.require;

import io.idem.RecordState;
import io.idem.internal.operations.ShownRecord;
import io.idem.redis.store.RedisRecordLister;
import io.idem.spi.RecordLister;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** The command {@code idem list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Shows records in one state, a bounded part of Redis per call: go on with --cursor until next=0.",
            "A part may have none of them. Needs the permission to SCAN."
        })
final class ListCommand implements Callable<Integer> {

    private static final int MOST = 10_000;

    @ParentCommand
    private @Nullable IdemTool tool;

    @Option(
            names = "--state",
            defaultValue = "PENDING",
            description = "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
    private RecordState state = RecordState.PENDING;

    @Option(
            names = "--cursor",
            defaultValue = RecordLister.START,
            description = "Where to go on. Default: from the start")
    private String cursor = RecordLister.START;

    @Option(
            names = "--limit",
            defaultValue = "1000",
            description = "About how many records are looked at, from 1 to " + MOST + ". Default: ${DEFAULT-VALUE}")
    private int limit = 1000;

    @Override
    public Integer call() {
        require(limit >= 1 && limit <= MOST, "--limit " + limit + " is not between 1 and " + MOST);
        IdemTool idem = Objects.requireNonNull(tool);
        try (RedisRecordLister lister = idem.lister()) {
            RecordLister.Page page = lister.list(cursor, limit);
            List<Map<String, Object>> shown = page.records().stream()
                    .filter(listed -> listed.record().state() == state)
                    .map(listed -> Printer.record(ShownRecord.of(listed.keyId(), listed.record(), null, List.of())))
                    .toList();
            idem.printer().print("records", shown, Map.of("next", page.next()));
            return Exit.DONE;
        }
    }
}
