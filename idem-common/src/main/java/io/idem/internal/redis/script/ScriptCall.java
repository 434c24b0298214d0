package io.idem.internal.redis.script;

import io.idem.internal.redis.client.Flush;
import io.lettuce.core.protocol.AsyncCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A call of a script for one or many records, which share the run. */
public record ScriptCall(ScriptRun run, List<ScriptArguments> lines) {

    public AsyncCommand<byte[], byte[], List<Object>> byDigest(Keys keys) {
        return Flush.evalsha(run.script(), names(keys), arguments());
    }

    public AsyncCommand<byte[], byte[], List<Object>> byText(Keys keys) {
        return Flush.eval(run.script(), names(keys), arguments());
    }

    /** Returns what to send after a failure, see {@link ScriptArguments#after}. */
    Optional<ScriptCall> after(Throwable failure) {
        List<ScriptArguments> others =
                lines.stream().flatMap(line -> line.after(failure).stream()).toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(new ScriptCall(others.get(0).run(), others));
    }

    private List<byte[]> names(Keys keys) {
        List<byte[]> names = new ArrayList<>(lines.size());
        for (ScriptArguments line : lines) {
            names.add(keys.of(line.record()));
            if (run.withSteps()) {
                names.add(keys.steps(line.record()));
            }
        }
        return names;
    }

    private List<byte[]> arguments() {
        List<byte[]> arguments = new ArrayList<>(run.sharedBytes());
        lines.forEach(line -> arguments.addAll(line.arguments()));
        return arguments;
    }

    @Override
    public String toString() {
        String first = lines.get(0).toString();
        return lines.size() == 1 ? first : first + " and " + (lines.size() - 1) + " more";
    }
}
