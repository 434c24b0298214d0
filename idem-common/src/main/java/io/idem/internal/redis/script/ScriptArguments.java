package io.idem.internal.redis.script;

import io.idem.RecordId;
import io.idem.internal.redis.client.RedisFailures;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The arguments of a script for one record.
 *
 * @param run the script with its shared arguments
 * @param record the record
 * @param arguments the record's own arguments
 */
public record ScriptArguments(ScriptRun run, RecordId record, List<byte[]> arguments) {

    /**
     * Returns what to send after a failure: a cluster that moves a slot refuses calls about two keys of which only one is
     * on a node. Empty if this would not help.
     */
    public Optional<ScriptArguments> after(Throwable failure) {
        boolean moving = RedisFailures.answerOf(failure).startsWith("TRYAGAIN");
        return moving && run.mayGoWithoutSteps()
                ? Optional.of(new ScriptArguments(run.withoutSteps(), record, arguments))
                : Optional.empty();
    }

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
