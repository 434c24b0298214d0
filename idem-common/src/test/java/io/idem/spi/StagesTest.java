package io.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is continued ends in one way, whether the answer is there already, comes later, or is in a stage that does not tell. */
class StagesTest {

    private final IllegalStateException thrown = new IllegalStateException("thrown on the way");

    private final CompletableFuture<Integer> source = new CompletableFuture<>();

    private CompletionStage<Integer> stage(String kind) {
        if (!kind.equals("later")) {
            source.complete(1);
        }
        return kind.equals("closed") ? CompletableFuture.completedStage(1) : source;
    }

    @ParameterizedTest
    @ValueSource(strings = {"there", "later", "closed"})
    void anAnswerIsTranslatedAndComposed(String kind) {
        CompletionStage<Integer> stage = stage(kind);

        CompletableFuture<Integer> mapped = Stages.map(stage, answer -> answer + 1);
        CompletableFuture<Integer> request = Stages.mapRequest(stage, answer -> answer + 1);
        CompletableFuture<Integer> composed =
                Stages.compose(stage, answer -> CompletableFuture.completedFuture(answer + 2));
        source.complete(1);

        assertThat(mapped).isCompletedWithValue(2);
        assertThat(request).isCompletedWithValue(2);
        assertThat(composed).isCompletedWithValue(3);
    }

    @Test
    void aCallerThatStopsWaitingEndsTheRequestWhoseAnswerIsMapped() {
        CompletableFuture<Integer> mapped = Stages.mapRequest(source, answer -> answer + 1);

        mapped.completeExceptionally(thrown);

        assertThatThrownBy(source::join).isInstanceOf(CompletionException.class).hasCause(thrown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"there", "later", "closed"})
    void whatIsThrownOnTheWayEndsTheNewStage(String kind) {
        CompletionStage<Integer> stage = stage(kind);

        CompletableFuture<Integer> mapped = Stages.map(stage, answer -> {
            throw thrown;
        });
        CompletableFuture<Integer> composed = Stages.compose(stage, answer -> {
            throw thrown;
        });
        source.complete(1);

        assertThatThrownBy(mapped::join).isInstanceOf(CompletionException.class).hasCause(thrown);
        assertThatThrownBy(composed::join)
                .isInstanceOf(CompletionException.class)
                .hasCause(thrown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"there", "later", "closed"})
    void whatAListenerThrowsIsNobodys(String kind) {
        CompletionStage<Integer> stage = stage(kind);

        assertThatCode(() -> {
                    Stages.whenComplete(stage, (answer, failure) -> {
                        throw thrown;
                    });
                    source.complete(1);
                })
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"there", "later"})
    void aFailureReachesItsListenersUnwrapped(String when) {
        if (when.equals("there")) {
            source.completeExceptionally(thrown);
        }
        CompletableFuture<Throwable> heard = new CompletableFuture<>();

        Stages.whenComplete(source.thenApply(answer -> answer), (answer, failure) -> heard.complete(failure));
        source.completeExceptionally(thrown);

        assertThat(heard).isCompletedWithValue(thrown);
    }
}
