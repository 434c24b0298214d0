package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Answers that are made of replies end, whatever happens while they are made. */
class ReplyReadingTest {

    private static final ScriptReply REPLY = new ScriptReply(List.of(7L));

    private final List<CompletableFuture<Long>> answers =
            List.of(new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());

    @Test
    void aReplyAnswersItsOwnLineOnly() {
        ReplyReading<Long> reading = (position, reply) -> reply.number() + position;

        reading.takeReply(1, REPLY, answers);

        assertThat(answers.get(1)).isCompletedWithValue(8L);
        assertThat(answers.get(0)).isNotDone();
    }

    @Test
    void anErrorInReadingIsTheAnswerOfThatLine() {
        ReplyReading<Long> reading = (position, reply) -> {
            throw new NoClassDefFoundError("a class that went missing");
        };

        reading.takeReply(0, REPLY, answers);

        assertThatThrownBy(answers.get(0)::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void whatFailsWhileAFailureIsTakenInEndsAllOfItsLines() {
        ReplyReading<Long> reading = new ReplyReading<>() {
            @Override
            public Long read(int position, ScriptReply reply) {
                return reply.number();
            }

            @Override
            public void failed(List<Integer> positions, Throwable failure, List<CompletableFuture<Long>> ended) {
                throw new IllegalStateException("nobody can be asked instead");
            }
        };

        reading.takeFailure(List.of(0, 2), new IllegalArgumentException("out of memory"), answers);

        assertThat(answers.get(1)).isNotDone();
        assertThatThrownBy(answers.get(2)::join).hasRootCauseMessage("nobody can be asked instead");
    }
}
