package io.idem.redis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.internal.redis.script.ReplyReading;
import io.idem.internal.redis.script.ScriptArguments;
import io.idem.internal.redis.script.ScriptReply;
import io.idem.internal.redis.script.ScriptRun;
import io.idem.internal.redis.script.Scripting;
import io.idem.internal.redis.script.Scripts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PacedScriptsTest {

    private static final int MEGABYTE = 1024 * 1024;
    private static final int BATCH = 64;
    private static final ScriptRun USE = ScriptRun.of(Scripts.load().complete());

    private final Redis redis = new Redis();
    private final PacedScripts paced = new PacedScripts(redis);

    private static List<ScriptArguments> lines(int number, int size) {
        return IntStream.range(0, number)
                .mapToObj(i -> new ScriptArguments(
                        USE, new RecordId(IdempotencyKey.of("k-" + i), new Scope("payments")), List.of(new byte[size])))
                .toList();
    }

    private List<CompletableFuture<String>> send(List<ScriptArguments> lines) {
        return paced.run(lines, (position, reply) -> position + " " + reply.word());
    }

    private static List<String> eachOk(int number) {
        return IntStream.range(0, number).mapToObj(i -> i + " OK").toList();
    }

    @Test
    void fewBytesOfABatchOfLongResultsAreUnderWayAtATime() {
        List<CompletableFuture<String>> answers = send(lines(BATCH, MEGABYTE));

        assertThat(redis.mostBytes).isEqualTo(2 * MEGABYTE);
        redis.answerAll();

        assertThat(redis.mostBytes).isEqualTo(PacedScripts.MOST_UNDER_WAY);
        assertThat(redis.calls)
                .hasSize(BATCH)
                .allSatisfy(call -> assertThat(call).hasSize(1));
        assertThat(answers).extracting(CompletableFuture::join).containsExactlyElementsOf(eachOk(BATCH));
    }

    @Test
    void whatIsShortGoesAtOnceWhateverWaits() {
        send(lines(BATCH, MEGABYTE));
        int before = redis.calls.size();

        send(lines(128, 100));

        assertThat(redis.calls).hasSize(before + 1);
        assertThat(redis.calls.get(before)).hasSize(128);
    }

    @Test
    void oneCallTakesAsManyBytesAsItMay() {
        List<CompletableFuture<String>> answers = send(lines(20, 20 * 1024));

        assertThat(redis.calls)
                .extracting(List::size)
                .containsExactlyElementsOf(
                        IntStream.of(3, 3, 3, 3, 3, 3, 2).boxed().toList());
        redis.answerAll();
        assertThat(answers).extracting(CompletableFuture::join).containsExactlyElementsOf(eachOk(20));
    }

    @Test
    void aResultThatIsLongerThanAllThatMayBeUnderWayGoesAlone() {
        List<CompletableFuture<String>> answers = send(lines(2, 3 * MEGABYTE));

        assertThat(redis.calls).hasSize(1);
        redis.answerAll();
        assertThat(answers).extracting(CompletableFuture::join).containsExactlyElementsOf(eachOk(2));
    }

    @Test
    void aRedisThatIsAwayFailsEveryLineAndKeepsNobodyAfterwards() {
        redis.away = true;
        List<CompletableFuture<String>> failed = send(lines(5_000, 70 * 1024));
        assertThat(failed).allMatch(CompletableFuture::isCompletedExceptionally);
        redis.away = false;

        List<CompletableFuture<String>> answers = send(lines(2, MEGABYTE));
        redis.answerAll();

        assertThat(answers).extracting(CompletableFuture::join).containsExactlyElementsOf(eachOk(2));
    }

    /** Answers when it is told to. */
    private static final class Redis implements Scripting {

        private final List<List<ScriptArguments>> calls = new ArrayList<>();
        private final List<Runnable> open = new ArrayList<>();
        private long bytes;
        private long mostBytes;
        private boolean away;

        @Override
        public <A> List<CompletableFuture<A>> run(List<ScriptArguments> lines, ReplyReading<A> reading) {
            if (away) {
                return Collections.nCopies(
                        lines.size(), CompletableFuture.failedFuture(new IllegalStateException("away")));
            }
            calls.add(lines);
            long size = lines.stream().mapToLong(ScriptArguments::size).sum();
            bytes += size;
            mostBytes = Math.max(mostBytes, bytes);
            List<CompletableFuture<A>> answers =
                    lines.stream().map(line -> new CompletableFuture<A>()).toList();
            open.add(() -> {
                bytes -= size;
                ScriptReply ok = new ScriptReply(List.of("OK".getBytes(StandardCharsets.US_ASCII)));
                for (int i = 0; i < answers.size(); i++) {
                    reading.takeReply(i, ok, answers);
                }
            });
            return answers;
        }

        void answerAll() {
            while (!open.isEmpty()) {
                open.remove(0).run();
            }
        }
    }
}
