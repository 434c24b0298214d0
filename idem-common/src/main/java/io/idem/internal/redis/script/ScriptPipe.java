package io.idem.internal.redis.script;

import io.idem.spi.Stages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends requests as calls of scripts: with as many records per call as fit, and all calls in one flush. A call has
 * records of one script with the same shared arguments. The failure of a record is its own; a call that fails as a whole
 * fails all of its records.
 *
 * <p>Limits the bytes in flight: all callers share one connection, and a small request must not wait behind large results
 * of others until its command times out. Requests that are short together are sent at once. Others are sent in flushes of
 * at most {@value #MOST_TOGETHER} bytes, or of one longer request, and further ones wait while {@value #MOST_UNDER_WAY}
 * bytes of them are not answered. Thread-safe; does not block.
 */
public final class ScriptPipe {

    /** The most records of one call, because Redis does nothing else meanwhile. */
    public static final int MOST_RECORDS = 128;

    /** The largest call: a larger one would keep Redis from other work, and all of its records would fail together. */
    public static final int MOST_TOGETHER = 64 * 1024;

    /** The most bytes in flight, a sixth of a second on a slow network of 100 Mbit/s. */
    static final int MOST_UNDER_WAY = 2 * 1024 * 1024;

    private final ScriptTransport redis;
    private final int mostRecords;
    private final Queue<ScriptCall> waiting = new ArrayDeque<>();
    private long underWay;
    private boolean sending;

    /** @param mostRecords the most records of one call; 1 where two records may be on two servers */
    public ScriptPipe(ScriptTransport redis, int mostRecords) {
        this.redis = redis;
        this.mostRecords = mostRecords;
    }

    /**
     * Sends requests; their order is not kept. A request that cannot be turned into a line fails alone, because the
     * others may belong to other callers. A record may occur only once.
     */
    public <R, A> List<CompletionStage<A>> send(List<R> requests, Function<R, ScriptLine<A>> line) {
        Map<ScriptRun, List<ScriptLine<?>>> runs = new LinkedHashMap<>();
        List<CompletionStage<A>> answers = new ArrayList<>(requests.size());
        for (R request : requests) {
            try {
                ScriptLine<A> asked = line.apply(request);
                runs.computeIfAbsent(asked.run(), run -> new ArrayList<>()).add(asked);
                answers.add(asked.answer());
            } catch (RuntimeException unsendable) {
                answers.add(Stages.failed(unsendable));
            }
        }
        List<ScriptCall> calls = calls(runs.values());
        if (calls.stream().mapToLong(ScriptCall::bytes).sum() <= MOST_TOGETHER) {
            flush(calls, answered -> {});
        } else {
            pace(calls);
        }
        return answers;
    }

    private List<ScriptCall> calls(Iterable<List<ScriptLine<?>>> runs) {
        List<ScriptCall> calls = new ArrayList<>();
        for (List<ScriptLine<?>> lines : runs) {
            int from = 0;
            while (from < lines.size()) {
                int to = end(lines, from);
                calls.add(new ScriptCall(lines.subList(from, to)));
                from = to;
            }
        }
        return calls;
    }

    /** Returns the end of a call that begins at {@code from}: the position of the first line that does not fit. */
    private int end(List<ScriptLine<?>> lines, int from) {
        int most = Math.min(lines.size(), from + mostRecords);
        int to = from + 1;
        long bytes = lines.get(from).bytes();
        while (to < most && bytes + lines.get(to).bytes() <= MOST_TOGETHER) {
            bytes += lines.get(to).bytes();
            to++;
        }
        return to;
    }

    private void pace(List<ScriptCall> calls) {
        synchronized (this) {
            waiting.addAll(calls);
        }
        sendWaiting();
    }

    /**
     * Sends the waiting calls. A loop on one thread at a time, because calls are answered at once while Redis is
     * unreachable.
     */
    private void sendWaiting() {
        synchronized (this) {
            if (sending) {
                return;
            }
            sending = true;
        }
        for (List<ScriptCall> next = next(); !next.isEmpty(); next = next()) {
            flush(next, this::answered);
        }
    }

    /**
     * Returns the next calls to send; ends the sending if none may be sent now. A call longer than the limit in flight
     * is sent alone.
     */
    private synchronized List<ScriptCall> next() {
        List<ScriptCall> together = new ArrayList<>();
        long bytes = 0;
        for (ScriptCall call = waiting.peek(); call != null && fits(bytes, call.bytes()); call = waiting.peek()) {
            bytes += call.bytes();
            underWay += call.bytes();
            together.add(waiting.remove());
        }
        sending = !together.isEmpty();
        return together;
    }

    private boolean fits(long bytes, long more) {
        return (bytes == 0 || bytes + more <= MOST_TOGETHER) && (underWay == 0 || underWay + more <= MOST_UNDER_WAY);
    }

    private void answered(ScriptCall call) {
        synchronized (this) {
            underWay -= call.bytes();
        }
        sendWaiting();
    }

    /** Sends calls and ends their lines, with the exception if one is thrown. */
    private void flush(List<ScriptCall> calls, Consumer<ScriptCall> answered) {
        List<CompletableFuture<List<ScriptReply>>> replies;
        try {
            replies = redis.send(calls);
        } catch (Throwable thrown) {
            replies = Collections.nCopies(calls.size(), Stages.failed(thrown));
        }
        for (int i = 0; i < calls.size(); i++) {
            ScriptCall call = calls.get(i);
            Stages.whenComplete(replies.get(i), (read, failure) -> {
                call.end(read, failure);
                answered.accept(call);
            });
        }
    }
}
