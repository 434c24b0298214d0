package io.idem.internal.redis.script;

import io.idem.internal.redis.client.RedisFailures;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script for one or many records.
 *
 * @param run the run that all lines share, unless their steps are left out
 * @param byText whether the script's text is sent instead of its digest
 */
public record ScriptCall(ScriptRun run, List<? extends ScriptLine<?>> lines, boolean byText) {

    public ScriptCall(List<? extends ScriptLine<?>> lines) {
        this(lines.get(0).run(), lines, false);
    }

    public AsyncCommand<byte[], byte[], List<Object>> command(Keys keys) {
        Script script = run.script();
        CommandArgs<byte[], byte[]> all = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(byText ? script.text() : script.digest())
                .add(lines.size() * (run.withSteps() ? 2L : 1L));
        for (ScriptLine<?> line : lines) {
            all.addKey(keys.of(line.record()));
            if (run.withSteps()) {
                all.addKey(keys.steps(line.record()));
            }
        }
        run.shared().forEach(all::add);
        lines.forEach(line -> all.addValues(line.arguments()));
        return new AsyncCommand<>(new Command<>(
                byText ? CommandType.EVAL : CommandType.EVALSHA,
                new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
                all));
    }

    /** Returns the number of bytes of the arguments that are the records' own. */
    long bytes() {
        long bytes = 0;
        for (ScriptLine<?> line : lines) {
            bytes += line.bytes();
        }
        return bytes;
    }

    /**
     * Returns what to send after a failure; empty if nothing would help. A server that does not know the digest gets the
     * text. A cluster that moves a slot refuses calls about two keys of which only one is on a node.
     */
    public Optional<ScriptCall> after(Throwable failure) {
        if (failure.getCause() instanceof RedisNoScriptException && !byText) {
            return Optional.of(new ScriptCall(run, lines, true));
        }
        boolean moving = RedisFailures.answerOf(failure).startsWith("TRYAGAIN");
        return moving && run.withSteps() && run.script().mayGoWithoutSteps()
                ? Optional.of(new ScriptCall(new ScriptRun(run.script(), run.shared(), false), lines, byText))
                : Optional.empty();
    }

    /**
     * Returns the reply to each record. One that does not fit the records is a failure of all of them, because it is
     * unknown what was done.
     */
    public List<ScriptReply> replies(List<Object> answer) {
        try {
            return ScriptReply.each(answer, lines.size());
        } catch (RuntimeException unreadable) {
            throw RedisFailures.unreadable(this, unreadable);
        }
    }

    /** Ends the answers to the records of the call. */
    void end(List<ScriptReply> replies, @Nullable Throwable failure) {
        for (int i = 0; i < lines.size(); i++) {
            if (failure == null) {
                lines.get(i).take(replies.get(i));
            } else {
                lines.get(i).fail(failure);
            }
        }
    }

    @Override
    public String toString() {
        String first = run.script() + " of " + lines.get(0).record();
        return lines.size() == 1 ? first : first + " and " + (lines.size() - 1) + " more";
    }
}
