package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.spi.Stages;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScriptPipeTest {

    private static final int MEGABYTE = 1024 * 1024;
    private static final int BATCH = 64;
    private static final ScriptRun USE = new ScriptRun(Script.COMPLETE, List.of(1000L), false);

    private final Redis redis = new Redis();
    private final ScriptPipe pipe = new ScriptPipe(redis, ScriptPipe.MOST_RECORDS);

    private static List<ScriptLine<String>> lines(int number, int size) {
        return IntStream.range(0, number).mapToObj(i -> line(USE, i, size)).toList();
    }

    private static ScriptLine<String> line(ScriptRun run, int number, int size) {
        RecordId record = new RecordId(IdempotencyKey.of("k-" + number), new Scope("payments"));
        return new ScriptLine<>(run, record, List.of(new byte[size]), reply -> number + " " + reply.word());
    }

    private List<CompletionStage<String>> send(List<ScriptLine<String>> lines) {
        return pipe.send(lines, line -> line);
    }

    private static void assertAnswered(List<CompletionStage<String>> answers) {
        assertThat(answers).extracting(Stages::join).containsExactlyElementsOf(eachOk(answers.size()));
    }

    private static List<String> eachOk(int number) {
        return IntStream.range(0, number).mapToObj(i -> i + " OK").toList();
    }

    @Test
    void fewBytesOfABatchOfLongResultsAreUnderWayAtATime() {
        List<CompletionStage<String>> answers = send(lines(BATCH, MEGABYTE));

        assertThat(redis.mostBytes).isEqualTo(2 * MEGABYTE);
        redis.answerAll();

        assertThat(redis.mostBytes).isEqualTo(ScriptPipe.MOST_UNDER_WAY);
        assertThat(redis.calls)
                .hasSize(BATCH)
                .allSatisfy(call -> assertThat(call).hasSize(1));
        assertAnswered(answers);
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
        List<CompletionStage<String>> answers = send(lines(20, 20 * 1024));

        assertThat(redis.calls)
                .extracting(List::size)
                .containsExactlyElementsOf(
                        IntStream.of(3, 3, 3, 3, 3, 3, 2).boxed().toList());
        redis.answerAll();
        assertAnswered(answers);
    }

    @Test
    void aResultThatIsLongerThanAllThatMayBeUnderWayGoesAlone() {
        List<CompletionStage<String>> answers = send(lines(2, 3 * MEGABYTE));

        assertThat(redis.calls).hasSize(1);
        redis.answerAll();
        assertAnswered(answers);
    }

    @Test
    void aRedisThatIsAwayFailsEveryLineAndKeepsNobodyAfterwards() {
        redis.away = true;
        List<CompletionStage<String>> failed = send(lines(5_000, 70 * 1024));
        assertThat(failed).allMatch(answer -> answer.toCompletableFuture().isCompletedExceptionally());
        redis.away = false;

        List<CompletionStage<String>> answers = send(lines(2, MEGABYTE));
        redis.answerAll();

        assertAnswered(answers);
    }

    @Test
    void aCallTakesAsManyRecordsAsItMayAndAllCallsGoTogether() {
        List<CompletionStage<String>> answers = send(lines(300, 10));

        assertThat(redis.flushes).isEqualTo(1);
        assertThat(redis.calls).extracting(List::size).containsExactly(128, 128, 44);
        redis.answerAll();
        assertAnswered(answers);
    }

    @Test
    void recordsOfTwoScriptsOrOfOtherSharedArgumentsGoInCallsOfTheirOwn() {
        ScriptRun longer = new ScriptRun(Script.COMPLETE, List.of(2000L), false);
        ScriptRun renewals = new ScriptRun(Script.RENEW, List.of(), true);

        List<CompletionStage<String>> answers = send(List.of(
                line(USE, 0, 10), line(longer, 1, 10), line(USE, 2, 10), line(renewals, 3, 10), line(longer, 4, 10)));

        assertThat(redis.flushes).isEqualTo(1);
        assertThat(redis.calls).extracting(List::size).containsExactly(2, 2, 1);
        redis.answerAll();
        assertAnswered(answers);
    }

    @Test
    void callsOfOneRecordAreSentTogetherWhileTheirBytesAreFew() {
        ScriptPipe cluster = new ScriptPipe(redis, 1);

        List<CompletionStage<String>> answers = cluster.send(lines(100, 1024), line -> line);

        assertThat(redis.flushes).isEqualTo(2);
        assertThat(redis.calls).hasSize(100);
        redis.answerAll();
        assertAnswered(answers);
    }

    @Test
    void aRequestThatCannotBeSentFailsAlone() {
        List<CompletionStage<String>> answers = pipe.send(List.of(0, 1, 2), number -> {
            if (number == 1) {
                throw new ArithmeticException("long overflow");
            }
            return line(USE, number, 10);
        });
        redis.answerAll();

        assertThat(answers.get(1)).isCompletedExceptionally();
        assertThat(Stages.join(answers.get(0))).isEqualTo("0 OK");
        assertThat(Stages.join(answers.get(2))).isEqualTo("2 OK");
    }

    @Test
    void callsThatThrowFailAllOfTheirRecords() {
        redis.broken = true;

        assertThat(send(lines(2, MEGABYTE)))
                .allMatch(answer -> answer.toCompletableFuture().isCompletedExceptionally());
        redis.broken = false;
        List<CompletionStage<String>> answers = send(lines(2, MEGABYTE));
        redis.answerAll();

        assertAnswered(answers);
    }

    /** Answers when it is told to. */
    private static final class Redis implements ScriptTransport {

        private final List<List<? extends ScriptLine<?>>> calls = new ArrayList<>();
        private final List<Runnable> open = new ArrayList<>();
        private int flushes;
        private long bytes;
        private long mostBytes;
        private boolean away;
        private boolean broken;

        @Override
        public List<CompletableFuture<List<ScriptReply>>> send(List<ScriptCall> sent) {
            if (broken) {
                throw new NoClassDefFoundError("a class that went missing");
            }
            flushes++;
            return sent.stream().map(this::sent).toList();
        }

        private CompletableFuture<List<ScriptReply>> sent(ScriptCall call) {
            if (away) {
                return CompletableFuture.failedFuture(new IllegalStateException("away"));
            }
            calls.add(call.lines());
            bytes += call.bytes();
            mostBytes = Math.max(mostBytes, bytes);
            CompletableFuture<List<ScriptReply>> answer = new CompletableFuture<>();
            open.add(() -> {
                bytes -= call.bytes();
                ScriptReply ok = new ScriptReply(List.of("OK".getBytes(StandardCharsets.US_ASCII)));
                answer.complete(Collections.nCopies(call.lines().size(), ok));
            });
            return answer;
        }

        void answerAll() {
            while (!open.isEmpty()) {
                open.remove(0).run();
            }
        }

        @Override
        public void close() {}
    }
}
