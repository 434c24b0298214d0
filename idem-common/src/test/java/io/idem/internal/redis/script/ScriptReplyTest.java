package io.idem.internal.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScriptReplyTest {

    @Test
    void oneReplyIsTheReplyToEachRecord() {
        assertThat(ScriptReply.each(List.of(7L), 3))
                .hasSize(3)
                .allSatisfy(reply -> assertThat(reply.number()).isEqualTo(7L));
    }

    @Test
    void repliesBelongToRecordsByTheirPlace() {
        List<ScriptReply> replies = ScriptReply.each(List.of(7L, List.of(8L, 9L)), 2);

        assertThat(replies).containsExactly(new ScriptReply(List.of(7L)), new ScriptReply(List.of(8L, 9L)));
    }

    @Test
    void aReplyTooFewOrTooManyBelongsToNobody() {
        assertThatThrownBy(() -> ScriptReply.each(List.of(7L, 8L), 3)).hasMessageContaining("2 replies");
        assertThatThrownBy(() -> ScriptReply.each(List.of(7L, 8L, 9L), 2)).hasMessageContaining("3 replies");
        assertThatThrownBy(() -> ScriptReply.each(List.of(), 1)).hasMessageContaining("0 replies");
    }

    @Test
    void aReplyWithoutAWordIsNone() {
        assertThatThrownBy(() -> ScriptReply.each(List.of(List.of()), 1)).hasMessageContaining("empty");
        assertThatThrownBy(() -> ScriptReply.each(new ArrayList<>(Arrays.asList(7L, null)), 2))
                .isInstanceOf(NullPointerException.class);
    }
}
