package io.idem.consumer.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.spi.DeadLetterSource;
import io.idem.spi.DeadLetterSource.Search;
import io.idem.spi.DeadLetterSource.Sought;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules that every {@link DeadLetterSource} obeys. Extend it and answer a broker with its source. */
public abstract class DeadLetterSourceContract {

    /** The scope of all letters that name one; a listener of the harness's application has it. */
    protected static final String SCOPE = "payments";

    private static final int THREADS = 4;
    private static final int CALLS = 100;

    private final Permission granted = new Permission(true);
    private final Permission denied = new Permission(false);
    private DeadLetterHarness harness;

    /** A harness for one test; closed after it. */
    protected abstract DeadLetterHarness open();

    @BeforeEach
    void start() {
        harness = open();
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @Test
    void aLetterComesBackAsTheMessageThatItWas() {
        letter("k-1", "one", "own", "kept", IdempotencyHeaders.REASON, "no such account");

        assertThat(moveBack("k-1", granted)).isEqualTo(new Search.Moved(1, harness.origin()));

        assertThat(granted.asked).hasValue(1);
        assertThat(harness.moved()).singleElement().satisfies(message -> {
            assertThat(message.body()).isEqualTo("one");
            assertThat(message.headers())
                    .containsEntry(IdempotencyHeaders.KEY, "k-1")
                    .containsEntry("own", "kept")
                    .doesNotContainKeys(IdempotencyHeaders.REASON, IdempotencyHeaders.ORIGIN, IdempotencyHeaders.SCOPE);
        });
        assertThat(harness.left(harness.takesAway() ? 0 : 1)).hasSize(harness.takesAway() ? 0 : 1);
    }

    @Test
    void oneCallMovesOneLetterOfItsKey() {
        letter("k-1", "one");
        letter("k-1", "two");

        assertThat(moveBack("k-1", granted)).isInstanceOf(Search.Moved.class);

        assertThat(granted.asked).hasValue(1);
        assertThat(harness.moved()).hasSize(1);
        assertThat(harness.left(harness.takesAway() ? 1 : 2)).hasSize(harness.takesAway() ? 1 : 2);
    }

    @Test
    void amongNoLettersItIsMissing() {
        assertThat(moveBack("k-1", granted)).isEqualTo(new Search.Missing(0, false));

        assertThat(granted.asked).hasValue(0);
    }

    @Test
    void lettersOfOthersStay() {
        letter("k-2", "another key's");
        letter("k-1", "another tenant's", IdempotencyHeaders.TENANT, "north");
        letter("k-1", "another scope's", IdempotencyHeaders.SCOPE, "receipts");
        letter(
                "k-1",
                "another payload's",
                IdempotencyHeaders.FINGERPRINT,
                fingerprint("other").toString());

        assertThat(moveBack("k-1", granted)).isEqualTo(new Search.Missing(4, false));

        assertThat(granted.asked).hasValue(0);
        assertThat(harness.moved()).isEmpty();
        assertThat(harness.left(4))
                .containsExactlyInAnyOrder("another key's", "another tenant's", "another scope's", "another payload's");
    }

    @Test
    void theLetterIsFoundAmongOthers() {
        letter("k-2", "two");
        letter("k-1", "one", IdempotencyHeaders.FINGERPRINT, fingerprint("ours").toString());
        letter("k-3", "three");

        assertThat(moveBack("k-1", granted))
                .asInstanceOf(type(Search.Moved.class))
                .extracting(Search.Moved::to)
                .isEqualTo(harness.origin());

        assertThat(harness.moved()).extracting(ReceivedMessage::body).containsExactly("one");
        assertThat(harness.left(harness.takesAway() ? 2 : 3)).contains("two", "three");
    }

    @Test
    void aSearchEndsAtItsLimitAndSaysThatThereAreMore() {
        IntStream.range(0, 5).forEach(n -> letter("other-" + n, "body-" + n));

        assertThat(harness.source().moveBack(sought("k-1", harness.letters(), 3), granted))
                .isEqualTo(new Search.Missing(3, true));

        assertThat(harness.left(5)).containsExactlyInAnyOrder("body-0", "body-1", "body-2", "body-3", "body-4");
    }

    @Test
    void aLetterIsKeptWithoutPermissionAndMovedByALaterCall() {
        letter("k-1", "one");

        assertThat(moveBack("k-1", denied)).isEqualTo(new Search.Kept(1));
        assertThat(denied.asked).hasValue(1);
        assertThat(moveBack("k-1", granted)).isEqualTo(new Search.Moved(1, harness.origin()));

        assertThat(harness.moved()).hasSize(1);
    }

    @Test
    void aFailureOfThePermissionIsPassedOnAndTheLetterStays() {
        letter("k-1", "one");
        StoreUnavailableException failure =
                new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());

        assertThatThrownBy(() -> moveBack("k-1", () -> {
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(harness.moved()).isEmpty();
        assertThat(harness.left(1)).containsExactly("one");
    }

    @Test
    void anUnknownQueueOrTopicIsRefused() {
        assertThatThrownBy(() -> harness.source().moveBack(sought("k-1", harness.letters() + "-unknown", 10), granted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(harness.letters() + "-unknown");

        assertThat(granted.asked).hasValue(0);
    }

    @Test
    void aLetterWithoutItsOriginIsRefusedAndStays() {
        harness.put("one", Map.of(IdempotencyHeaders.KEY, "k-1"));

        assertThatThrownBy(() -> moveBack("k-1", granted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(IdempotencyHeaders.ORIGIN);

        assertThat(granted.asked).hasValue(0);
        assertThat(harness.left(1)).containsExactly("one");
    }

    @Test
    void aLetterStaysWhenItsOriginTakesNoMessage() {
        letter("k-1", "one", IdempotencyHeaders.ORIGIN, harness.nowhere());

        assertThatThrownBy(() -> moveBack("k-1", granted)).isInstanceOf(RuntimeException.class);
        assertThat(granted.asked).hasValue(1);
        assertThat(harness.left(1)).containsExactly("one");
    }

    @Test
    void anUnreachableBrokerIsAFailureAndNoMissingLetter() {
        assertThatThrownBy(() -> harness.unreachable().moveBack(sought("k-1", harness.letters(), 10), granted))
                .isInstanceOf(RuntimeException.class);

        assertThat(granted.asked).hasValue(0);
    }

    @Test
    void lettersOfSeveralThreadsAreMovedOnceEach() throws Exception {
        List<String> keys = IntStream.range(0, THREADS).mapToObj(n -> "k-" + n).toList();
        keys.forEach(key -> letter(key, "body of " + key));
        letter("other", "other");
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CompletableFuture.allOf(keys.stream()
                            .map(key -> CompletableFuture.runAsync(() -> moveUntilFound(key), threads))
                            .toArray(CompletableFuture<?>[]::new))
                    .get(2, TimeUnit.MINUTES);
        } finally {
            threads.shutdownNow();
        }

        assertThat(harness.moved())
                .extracting(ReceivedMessage::body)
                .containsExactlyInAnyOrderElementsOf(
                        keys.stream().map(key -> "body of " + key).toList());
        assertThat(harness.left(harness.takesAway() ? 1 : THREADS + 1)).contains("other");
    }

    /** Repeats the call, because the letter may be in the hands of another search. */
    private void moveUntilFound(String key) {
        for (int call = 0; call < CALLS; call++) {
            if (moveBack(key, new Permission(true)) instanceof Search.Moved) {
                return;
            }
        }
        throw new AssertionError("The letter of " + key + " is not found");
    }

    private void letter(String key, String body, String... more) {
        Map<String, String> headers = new HashMap<>(Map.of(
                IdempotencyHeaders.KEY,
                key,
                IdempotencyHeaders.ORIGIN,
                harness.origin(),
                IdempotencyHeaders.SCOPE,
                SCOPE));
        for (int n = 0; n < more.length; n += 2) {
            headers.put(more[n], more[n + 1]);
        }
        harness.put(body, headers);
    }

    private Search moveBack(String key, BooleanSupplier permission) {
        return harness.source().moveBack(sought(key, harness.letters(), 100), permission);
    }

    private static Sought sought(String key, String from, int limit) {
        return new Sought(new RecordId(IdempotencyKey.of(key), new Scope(SCOPE)), fingerprint("ours"), from, limit);
    }

    private static Fingerprint fingerprint(String payload) {
        return Fingerprint.of(payload.getBytes(StandardCharsets.UTF_8));
    }

    /** Counts how often it is asked. */
    private static final class Permission implements BooleanSupplier {

        private final boolean answer;
        private final AtomicInteger asked = new AtomicInteger();

        Permission(boolean answer) {
            this.answer = answer;
        }

        @Override
        public boolean getAsBoolean() {
            asked.incrementAndGet();
            return answer;
        }
    }
}
