package io.idem.internal.redis.script;

import io.idem.internal.redis.client.RedisCaller;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.spi.Stages;
import io.lettuce.core.RedisNoScriptException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Runs scripts on many records in one flush, with as many records per call as fit. The failure of a record is its own;
 * a call that fails as a whole fails all of its records. Calls a script by its digest, and by its text where Redis does
 * not know the digest.
 *
 * @param mostRecords the most records of one call; 1 where two records may be on two servers
 */
public record ScriptRunner(RedisCaller redis, Keys keys, int mostRecords) implements Scripting {

    /** The most records of one call, because Redis does nothing else meanwhile. */
    public static final int MOST_RECORDS = 128;

    @Override
    public <A> List<CompletableFuture<A>> run(List<ScriptArguments> lines, ReplyReading<A> reading) {
        List<CompletableFuture<A>> answers = new ArrayList<>(lines.size());
        lines.forEach(line -> answers.add(new CompletableFuture<>()));
        List<List<Integer>> positions = grouped(lines);
        List<ScriptCall> calls = new ArrayList<>(positions.size());
        positions.forEach(group -> calls.add(call(group, lines)));
        List<CompletableFuture<List<Object>>> replies = redis.sendAll(
                calls, calls.stream().map(call -> call.byDigest(keys)).toList());
        for (int i = 0; i < calls.size(); i++) {
            ScriptCall call = calls.get(i);
            List<Integer> group = positions.get(i);
            Stages.whenComplete(known(call, replies.get(i)), (answer, failure) -> {
                if (failure == null) {
                    spread(call, answer, group, reading, answers);
                } else {
                    reading.takeFailure(group, failure, answers);
                }
            });
        }
        return answers;
    }

    private static ScriptCall call(List<Integer> positions, List<ScriptArguments> lines) {
        List<ScriptArguments> together = new ArrayList<>(positions.size());
        positions.forEach(position -> together.add(lines.get(position)));
        return new ScriptCall(together.get(0).run(), together);
    }

    /** Returns the positions of the lines of each call: lines of one run, as many as a call takes. */
    private List<List<Integer>> grouped(List<ScriptArguments> lines) {
        List<List<Integer>> groups = new ArrayList<>();
        Map<ScriptRun, List<Integer>> open = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            ScriptRun run = lines.get(i).run();
            List<Integer> group = open.get(run);
            if (group == null || group.size() == mostRecords) {
                group = new ArrayList<>();
                open.put(run, group);
                groups.add(group);
            }
            group.add(i);
        }
        return groups;
    }

    private CompletableFuture<List<Object>> known(ScriptCall call, CompletableFuture<List<Object>> answer) {
        return Stages.compose(answer, (replies, failure) -> {
            if (failure == null) {
                return answer;
            }
            if (failure.getCause() instanceof RedisNoScriptException) {
                return redis.sendAll(List.of(call), List.of(call.byText(keys))).get(0);
            }
            Optional<ScriptCall> other = call.after(failure);
            return other.isEmpty()
                    ? answer
                    : known(
                            other.get(),
                            redis.sendAll(
                                            List.of(other.get()),
                                            List.of(other.get().byDigest(keys)))
                                    .get(0));
        });
    }

    /**
     * Completes the answers to the records of a call. A reply that does not fit the records fails all of them, because
     * it is unknown what was done.
     */
    private static <A> void spread(
            ScriptCall call,
            List<Object> answer,
            List<Integer> positions,
            ReplyReading<A> reading,
            List<CompletableFuture<A>> answers) {
        List<ScriptReply> replies;
        try {
            replies = ScriptReply.each(answer, positions.size());
        } catch (RuntimeException unreadable) {
            reading.takeFailure(positions, RedisFailures.unreadable(call, unreadable), answers);
            return;
        }
        for (int i = 0; i < positions.size(); i++) {
            reading.takeReply(positions.get(i), replies.get(i), answers);
        }
    }
}
