package io.idem.internal.redis.script;

import io.idem.RecordId;
import java.util.List;
import java.util.Locale;

/** Arguments of a script for one record; {@code arguments} are the record's own. */
public record ScriptArguments(ScriptRun run, RecordId record, List<byte[]> arguments) {

    /** Bytes of its arguments. */
    public long size() {
        long size = 0;
        for (byte[] argument : arguments) {
            size += argument.length;
        }
        return size;
    }

    @Override
    public String toString() {
        return run.script().name().toUpperCase(Locale.ROOT) + " of " + record;
    }
}
