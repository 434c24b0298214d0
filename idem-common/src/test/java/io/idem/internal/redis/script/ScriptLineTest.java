package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Answers that are made of replies end, whatever happens while they are made. */
class ScriptLineTest {

    private static final ScriptReply REPLY = new ScriptReply(List.of(7L));

    private static ScriptLine<Long> line(Function<ScriptReply, Long> reading) {
        RecordId record = new RecordId(IdempotencyKey.of("k-1"), new Scope("payments"));
        return new ScriptLine<>(new ScriptRun(Script.RENEW, List.of(), true), record, List.of(), reading);
    }

    @Test
    void aReplyIsReadAsTheAnswer() {
        ScriptLine<Long> line = line(reply -> reply.number() + 1);

        line.take(REPLY);

        assertThat(line.answer()).isCompletedWithValue(8L);
    }

    @Test
    void anErrorInReadingIsTheAnswer() {
        ScriptLine<Long> line = line(reply -> {
            throw new NoClassDefFoundError("a class that went missing");
        });

        line.take(REPLY);

        assertThatThrownBy(line.answer()::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void aFailureMayHaveAnAnswerToo() {
        ScriptLine<Long> line = line(ScriptReply::number).otherwise(failure -> CompletableFuture.completedFuture(9L));

        line.fail(new IllegalArgumentException("out of memory"));

        assertThat(line.answer()).isCompletedWithValue(9L);
    }

    @Test
    void whatFailsWhileAFailureIsTakenInIsTheAnswer() {
        ScriptLine<Long> line = line(ScriptReply::number).otherwise(failure -> {
            throw new IllegalStateException("nobody can be asked instead");
        });

        line.fail(new IllegalArgumentException("out of memory"));

        assertThatThrownBy(line.answer()::join).hasRootCauseMessage("nobody can be asked instead");
    }
}
