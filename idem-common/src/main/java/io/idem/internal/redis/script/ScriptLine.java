package io.idem.internal.redis.script;

import io.idem.RecordId;
import io.idem.spi.Stages;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What a script is given for one record, and the answer that is made of its reply. The answer ends with whatever is
 * thrown while it is made, so that no caller waits without end.
 *
 * @param run the script with its shared arguments
 * @param record the record
 * @param arguments the record's own arguments
 * @param reading makes the answer of a reply; an exception counts as a failure of the line
 * @param otherwise returns the answer after a failure
 */
public record ScriptLine<A>(
        ScriptRun run,
        RecordId record,
        List<byte[]> arguments,
        Function<ScriptReply, A> reading,
        Function<Throwable, CompletionStage<A>> otherwise,
        CompletableFuture<A> answer) {

    public ScriptLine(ScriptRun run, RecordId record, List<byte[]> arguments, Function<ScriptReply, A> reading) {
        this(run, record, arguments, reading, Stages::failed, new CompletableFuture<>());
    }

    /** Returns the line with another way to answer after a failure. */
    public ScriptLine<A> otherwise(Function<Throwable, CompletionStage<A>> other) {
        return new ScriptLine<>(run, record, arguments, reading, other, answer);
    }

    /** Returns the number of bytes of the record's own arguments. */
    public long bytes() {
        long bytes = 0;
        for (byte[] argument : arguments) {
            bytes += argument.length;
        }
        return bytes;
    }

    /** Ends the answer by the reply to the record. */
    void take(ScriptReply reply) {
        try {
            answer.complete(reading.apply(reply));
        } catch (Throwable unreadable) {
            fail(unreadable);
        }
    }

    void fail(Throwable failure) {
        Stages.copy(Stages.started(() -> otherwise.apply(failure)), answer);
    }
}
