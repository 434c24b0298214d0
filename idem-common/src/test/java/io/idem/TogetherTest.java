package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class TogetherTest {

    private static final Duration FOR_EVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Store store = new Store();
    private final Workers workers = new Workers(Runnable::run);

    @Test
    void theFirstOfAPauseGoesAtOnce() {
        Together<String, String> together = new Together<>(store::ask, workers, FOR_EVER);

        CompletionStage<String> first = together.send(List.of("one")).get(0);
        assertThat(store.calls()).containsExactly(List.of("one"));
        store.answer(0);
        assertThat(first).succeedsWithin(SOON).isEqualTo("answer to one");

        together.send(List.of("two"));
        assertThat(store.calls()).containsExactly(List.of("one"), List.of("two"));
    }

    @Test
    void whatComesBeforeItsAnswerIsOneCallAndEachCallerGetsItsOwnAnswer() {
        Together<String, String> together = new Together<>(store::ask, workers, FOR_EVER);
        together.send(List.of("one"));
        CompletionStage<String> two = together.send(List.of("two")).get(0);
        List<CompletionStage<String>> others = together.send(List.of("three", "four"));
        assertThat(store.calls()).containsExactly(List.of("one"));

        store.answer(0);
        assertThat(store.calls()).containsExactly(List.of("one"), List.of("two", "three", "four"));
        store.answer(1);

        assertThat(two).succeedsWithin(SOON).isEqualTo("answer to two");
        assertThat(others.get(0)).succeedsWithin(SOON).isEqualTo("answer to three");
        assertThat(others.get(1)).succeedsWithin(SOON).isEqualTo("answer to four");
    }

    @Test
    void aStoreThatDoesNotAnswerHoldsTheNextCallOnlyForAMoment() {
        Together<String, String> together = new Together<>(store::ask, workers, Duration.ofMillis(1));
        together.send(List.of("one"));
        CompletionStage<String> two = together.send(List.of("two")).get(0);

        await().until(() -> store.calls().size() == 2);
        store.answer(1);

        assertThat(two).succeedsWithin(SOON).isEqualTo("answer to two");
    }

    @Test
    void aCallThatFailsEndsItsOwnRequestsAndTheNextGoes() {
        Together<String, String> together = new Together<>(store::ask, workers, FOR_EVER);
        CompletionStage<String> one = together.send(List.of("one")).get(0);
        CompletionStage<String> two = together.send(List.of("two")).get(0);

        store.fail(0, new IllegalStateException("full"));
        assertThat(one).failsWithin(SOON).withThrowableThat().withMessageContaining("full");
        store.answer(1);

        assertThat(two).succeedsWithin(SOON).isEqualTo("answer to two");
    }

    /** Answers when it is told to. */
    private static final class Store {

        private final List<List<String>> calls = new CopyOnWriteArrayList<>();
        private final List<List<CompletableFuture<String>>> answers = new CopyOnWriteArrayList<>();

        List<CompletionStage<String>> ask(List<String> requests) {
            List<CompletableFuture<String>> open = new ArrayList<>();
            requests.forEach(request -> open.add(new CompletableFuture<>()));
            answers.add(open);
            calls.add(List.copyOf(requests));
            return List.copyOf(open);
        }

        List<List<String>> calls() {
            return calls;
        }

        void answer(int call) {
            for (int i = 0; i < answers.get(call).size(); i++) {
                answers.get(call).get(i).complete("answer to " + calls.get(call).get(i));
            }
        }

        void fail(int call, RuntimeException failure) {
            answers.get(call).forEach(answer -> answer.completeExceptionally(failure));
        }
    }
}
