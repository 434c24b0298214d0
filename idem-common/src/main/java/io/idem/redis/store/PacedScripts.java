package io.idem.redis.store;

import io.idem.internal.redis.script.ReplyReading;
import io.idem.internal.redis.script.ScriptArguments;
import io.idem.internal.redis.script.ScriptReply;
import io.idem.internal.redis.script.Scripting;
import io.idem.spi.Stages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the bytes in flight: all callers share one connection, and a small request must not wait behind large results
 * of others until its command times out. Lines that are short together are sent at once. Others are sent in calls of at
 * most {@value #MOST_TOGETHER} bytes, or of one longer line, and further ones wait while {@value #MOST_UNDER_WAY} bytes
 * of them are not answered. Thread-safe; does not block.
 */
final class PacedScripts implements Scripting {

    /** The largest call: a larger one would keep Redis from other work, and all of its records would fail together. */
    static final int MOST_TOGETHER = 64 * 1024;

    /** The most bytes in flight, a sixth of a second on a slow network of 100 Mbit/s. */
    static final int MOST_UNDER_WAY = 2 * 1024 * 1024;

    private final Scripting scripts;
    private final Queue<Slice> waiting = new ArrayDeque<>();
    private long underWay;
    private boolean sending;

    PacedScripts(Scripting scripts) {
        this.scripts = scripts;
    }

    @Override
    public <A> List<CompletableFuture<A>> run(List<ScriptArguments> lines, ReplyReading<A> reading) {
        if (bytes(lines) <= MOST_TOGETHER) {
            return scripts.run(lines, reading);
        }
        List<CompletableFuture<A>> answers = new ArrayList<>(lines.size());
        lines.forEach(line -> answers.add(new CompletableFuture<>()));
        int from = 0;
        while (from < lines.size()) {
            int to = end(lines, from);
            List<ScriptArguments> together = lines.subList(from, to);
            int first = from;
            add(new Slice(bytes(together), () -> send(together, first, reading, answers)));
            from = to;
        }
        go();
        return answers;
    }

    private static long bytes(List<ScriptArguments> lines) {
        long bytes = 0;
        for (ScriptArguments line : lines) {
            bytes += line.size();
        }
        return bytes;
    }

    /** Returns the end of a call that begins at {@code from}: the position of the first line that does not fit. */
    private static int end(List<ScriptArguments> lines, int from) {
        int to = from + 1;
        long bytes = lines.get(from).size();
        while (to < lines.size() && bytes + lines.get(to).size() <= MOST_TOGETHER) {
            bytes += lines.get(to).size();
            to++;
        }
        return to;
    }

    private synchronized void add(Slice slice) {
        waiting.add(slice);
    }

    /**
     * Sends the waiting calls. A loop on one thread at a time, because calls are answered at once while Redis is
     * unreachable.
     */
    private void go() {
        synchronized (this) {
            if (sending) {
                return;
            }
            sending = true;
        }
        for (Slice next = next(); next != null; next = next()) {
            long bytes = next.bytes();
            List<CompletionStage<ScriptReply>> replies = next.call().get();
            AtomicInteger open = new AtomicInteger(replies.size());
            replies.forEach(reply -> Stages.whenComplete(reply, (given, failure) -> {
                if (open.decrementAndGet() == 0) {
                    answered(bytes);
                }
            }));
        }
    }

    /**
     * Returns the next lines to send; ends the sending if none may be sent now. A line longer than the limit in flight
     * is sent alone.
     */
    private synchronized @Nullable Slice next() {
        Slice next = waiting.peek();
        if (next == null || (underWay > 0 && underWay + next.bytes() > MOST_UNDER_WAY)) {
            sending = false;
            return null;
        }
        underWay += next.bytes();
        return waiting.remove();
    }

    private void answered(long bytes) {
        synchronized (this) {
            underWay -= bytes;
        }
        go();
    }

    private <A> List<CompletionStage<ScriptReply>> send(
            List<ScriptArguments> together, int first, ReplyReading<A> reading, List<CompletableFuture<A>> answers) {
        List<CompletionStage<ScriptReply>> replies = Stages.started(
                together.size(), () -> List.copyOf(scripts.<ScriptReply>run(together, (position, reply) -> reply)));
        for (int i = 0; i < replies.size(); i++) {
            reading.follow(first + i, replies.get(i), answers);
        }
        return replies;
    }

    /**
     * The lines of one call.
     *
     * @param call sends the lines and completes their answers; does not throw
     */
    private record Slice(long bytes, Supplier<List<CompletionStage<ScriptReply>>> call) {}
}
