package io.idem.internal.redis.script;

import io.idem.RecordId;
import java.util.List;
import java.util.Locale;

/**
 * The arguments of a script for one record.
 *
 * @param run the script with its shared arguments
 * @param record the record
 * @param arguments the record's own arguments
 */
public record ScriptArguments(ScriptRun run, RecordId record, List<byte[]> arguments) {

    /** Returns the number of bytes of the arguments. */
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
