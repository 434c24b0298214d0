package io.idem.redis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.internal.redis.script.ScriptPipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestCoalescerTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int CALLERS = 16;
    private static final int REQUESTS = 2_000;

    private final Redis redis = new Redis();
    private final List<Runnable> watches = new CopyOnWriteArrayList<>();
    private final RequestCoalescer<String, String> gathering = new RequestCoalescer<>(redis::ask, watches::add);

    @Test
    void twoCallersGoAtOnceAndDoNotWaitForEachOther() {
        CompletionStage<String> one = gathering.send("one");
        CompletionStage<String> two = gathering.send("two");

        assertThat(redis.calls()).containsExactly(List.of("one"), List.of("two"));
        redis.answer(1);
        assertThat(two).succeedsWithin(SOON).isEqualTo("answer to two");
        assertThat(one.toCompletableFuture()).isNotDone();
        assertThat(watches).isEmpty();
    }

    @Test
    void callsMadeMeanwhileGoTogetherAndEachCallerGetsItsOwnAnswer() {
        gathering.send("one");
        gathering.send("two");
        CompletionStage<String> three = gathering.send("three");
        CompletionStage<String> four = gathering.send("four");
        assertThat(redis.calls()).hasSize(2);

        redis.answer(0);
        assertThat(redis.calls()).element(2).isEqualTo(List.of("three", "four"));
        redis.answer(2);

        assertThat(three).succeedsWithin(SOON).isEqualTo("answer to three");
        assertThat(four).succeedsWithin(SOON).isEqualTo("answer to four");
    }

    @Test
    void theNextCallGoesWithTheLastAnswerOfACallWhenMostCallersAreBackAlready() {
        gathering.send("one");
        gathering.send("two");
        CompletionStage<String> three = gathering.send("three");
        gathering.send("four");
        redis.answer(0);
        gathering.send("five");

        redis.answer(2, 0);
        assertThat(three).succeedsWithin(SOON).isEqualTo("answer to three");
        gathering.send("six");
        assertThat(redis.calls()).hasSize(3);
        redis.answer(2, 1);

        assertThat(redis.calls()).element(3).isEqualTo(List.of("five", "six"));
    }

    @Test
    void afterAPauseRequestsGoAtOnceAgain() {
        gathering.send("one");
        gathering.send("two");
        gathering.send("three");
        redis.answer(0);
        redis.answer(1);
        redis.answer(2);

        gathering.send("four");
        gathering.send("five");

        assertThat(redis.calls()).hasSize(5);
    }

    @Test
    void callsThatAreNotAnsweredKeepOthersOnlyUntilTheWatchEnds() {
        gathering.send("one");
        gathering.send("two");
        CompletionStage<String> three = gathering.send("three");
        gathering.send("four");
        assertThat(watches).hasSize(1);

        watches.get(0).run();
        assertThat(redis.calls()).element(2).isEqualTo(List.of("three", "four"));
        redis.answer(2);
        assertThat(three).succeedsWithin(SOON).isEqualTo("answer to three");

        gathering.send("five");
        assertThat(watches).hasSize(2);
        watches.get(1).run();
        assertThat(redis.calls()).element(3).isEqualTo(List.of("five"));
    }

    @Test
    void asLongAsAnswersMoveThoseWhoWaitTheWatchGoesOn() {
        gathering.send("one");
        gathering.send("two");
        gathering.send("three");
        redis.answer(0);
        gathering.send("four");

        watches.get(0).run();
        assertThat(redis.calls()).hasSize(3);
        assertThat(watches).hasSize(2);
        watches.get(1).run();

        assertThat(redis.calls()).element(3).isEqualTo(List.of("four"));
    }

    @Test
    void aWatchThatEndsWhenNobodyWaitsSendsNothing() {
        gathering.send("one");
        gathering.send("two");
        gathering.send("three");
        redis.answer(0);

        watches.get(0).run();

        assertThat(redis.calls()).hasSize(3).doesNotContain(List.of());
    }

    @Test
    void aCallThatFailsEndsItsOwnRequestsAndTheNextGoes() {
        CompletionStage<String> one = gathering.send("one");
        gathering.send("two");
        CompletionStage<String> three = gathering.send("three");

        redis.fail(0, new IllegalStateException("full"));
        assertThat(one).failsWithin(SOON).withThrowableThat().withMessageContaining("full");
        redis.answer(2);

        assertThat(three).succeedsWithin(SOON).isEqualTo("answer to three");
    }

    @Test
    void oneCallTakesAsManyAsAScriptMay() {
        gathering.send("one");
        gathering.send("two");
        IntStream.rangeClosed(0, ScriptPipe.MOST_RECORDS).forEach(number -> gathering.send("more " + number));

        redis.answer(0);
        redis.answer(1);

        assertThat(redis.calls()).extracting(List::size).containsExactly(1, 1, ScriptPipe.MOST_RECORDS, 1);
    }

    @Test
    void anErrorOfTheClientEndsTheRequestsThatItMetAndKeepsNoLaterOneWaiting() {
        AtomicBoolean sound = new AtomicBoolean();
        RequestCoalescer<String, String> unlucky = new RequestCoalescer<>(
                requests -> {
                    if (sound.getAndSet(true)) {
                        return answers(requests);
                    }
                    throw new NoClassDefFoundError("a class of the client");
                },
                watches::add);

        CompletionStage<String> first = unlucky.send("first");
        assertThatThrownBy(() -> first.toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(NoClassDefFoundError.class);

        for (String later : List.of("second", "third", "fourth")) {
            assertThat(unlucky.send(later)).succeedsWithin(SOON).isEqualTo("answer to " + later);
        }
    }

    @Test
    void manyCallersAllGetTheirOwnAnswersAndOnlySoManyCallsAreUnderWay() throws Exception {
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        ExecutorService clients = Executors.newFixedThreadPool(2);
        try {
            inARace(new RequestCoalescer<>(
                    requests -> {
                        most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                        List<CompletableFuture<String>> open = open(requests);
                        clients.execute(() -> {
                            underWay.decrementAndGet();
                            complete(requests, open);
                        });
                        return List.copyOf(open);
                    },
                    watches::add));
        } finally {
            clients.shutdownNow();
        }
        assertThat(most).hasValueBetween(1, 2);
    }

    @Test
    void manyCallersOfARedisThatIsAwayAreAllAnsweredAtOnce() throws Exception {
        inARace(new RequestCoalescer<>(RequestCoalescerTest::answers, watches::add));
    }

    private static void inARace(RequestCoalescer<String, String> gathering) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                String name = "caller " + caller + ", request ";
                done.add(callers.submit(() -> ask(gathering, name)));
            }
            for (Future<?> one : done) {
                one.get(SOON.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            callers.shutdownNow();
        }
    }

    private static void ask(RequestCoalescer<String, String> gathering, String name) {
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(gathering.send(name + i).toCompletableFuture().join()).isEqualTo("answer to " + name + i);
        }
    }

    private static List<CompletionStage<String>> answers(List<String> requests) {
        List<CompletableFuture<String>> open = open(requests);
        complete(requests, open);
        return List.copyOf(open);
    }

    private static List<CompletableFuture<String>> open(List<String> requests) {
        List<CompletableFuture<String>> open = new ArrayList<>();
        requests.forEach(request -> open.add(new CompletableFuture<>()));
        return open;
    }

    private static void complete(List<String> requests, List<CompletableFuture<String>> open) {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).complete("answer to " + requests.get(i));
        }
    }

    /** Answers when it is told to. */
    private static final class Redis {

        private final List<List<String>> calls = new CopyOnWriteArrayList<>();
        private final List<List<CompletableFuture<String>>> answers = new CopyOnWriteArrayList<>();

        List<CompletionStage<String>> ask(List<String> requests) {
            List<CompletableFuture<String>> open = open(requests);
            answers.add(open);
            calls.add(List.copyOf(requests));
            return List.copyOf(open);
        }

        List<List<String>> calls() {
            return calls;
        }

        void answer(int call) {
            complete(calls.get(call), answers.get(call));
        }

        void answer(int call, int request) {
            answers.get(call)
                    .get(request)
                    .complete("answer to " + calls.get(call).get(request));
        }

        void fail(int call, RuntimeException failure) {
            answers.get(call).forEach(answer -> answer.completeExceptionally(failure));
        }
    }
}
