package io.idem.http.internal.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class HeldBodyTest {

    private static final DefaultDataBufferFactory BUFFERS = DefaultDataBufferFactory.sharedInstance;
    private static final int LIMIT = 4;

    @Test
    void aSmallBodyIsHeldAsAWhole() {
        HeldBody.Content content = read(pieces("ab", "cd"));

        assertThat(content)
                .isInstanceOfSatisfying(
                        HeldBody.Whole.class,
                        whole -> assertThat(whole.bytes()).isEqualTo("abcd".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aLargerBodyIsHandedOnWithoutALoss() {
        assertThat(text(read(pieces("ab", "cd", "e", "fgh", "i")))).isEqualTo("abcdefghi");
    }

    @Test
    void aBodyWhoseLastPieceGoesOverTheLimitIsHandedOn() {
        assertThat(text(read(pieces("abc", "de")))).isEqualTo("abcde");
    }

    /** Its end comes unasked, maybe before anybody listens, maybe on another thread. */
    @Test
    void theEndIsNotMissedWheneverItComes() {
        for (int round = 0; round < 2_000; round++) {
            Flux<DataBuffer> body = pieces("abc", "de").publishOn(Schedulers.parallel());
            assertThat(text(read(body))).isEqualTo("abcde");
        }
    }

    @Test
    void aFailureBeforeTheLimitIsThrown() {
        Flux<DataBuffer> failing = pieces("a").concatWith(Mono.error(new IllegalStateException("ordered")));

        assertThatIllegalStateException().isThrownBy(() -> read(failing)).withMessage("ordered");
    }

    @Test
    void aFailureAfterTheLimitIsHandedOn() {
        HeldBody.Content content =
                read(pieces("abc", "de").concatWith(Mono.error(new IllegalStateException("ordered"))));

        assertThatIllegalStateException().isThrownBy(() -> text(content)).withMessage("ordered");
    }

    @Test
    void theRestIsReadNoFasterThanItIsAskedFor() {
        List<Long> asked = new CopyOnWriteArrayList<>();
        HeldBody.Content content =
                read(Flux.range(0, 100).map(HeldBodyTest::piece).doOnRequest(asked::add));
        Flux<DataBuffer> body = ((HeldBody.Larger) content).body();

        assertThat(body.limitRate(1).take(10).collectList().block()).hasSize(10);
        assertThat(asked).allMatch(count -> count == 1).hasSizeLessThan(20);
    }

    private static DataBuffer piece(int number) {
        return BUFFERS.wrap(Integer.toString(number % 10).getBytes(StandardCharsets.UTF_8));
    }

    private static Flux<DataBuffer> pieces(String... texts) {
        return Flux.fromArray(texts).map(text -> BUFFERS.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static HeldBody.Content read(Flux<DataBuffer> body) {
        return Objects.requireNonNull(HeldBody.read(body, LIMIT, BUFFERS).block());
    }

    private static String text(HeldBody.Content content) {
        return Objects.requireNonNull(((HeldBody.Larger) content)
                .body()
                .map(buffer -> buffer.toString(StandardCharsets.UTF_8))
                .collect(Collectors.joining())
                .block());
    }
}
