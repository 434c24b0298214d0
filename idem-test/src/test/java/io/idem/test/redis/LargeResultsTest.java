package io.idem.test.redis;

import static io.idem.test.redis.Acquires.granted;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch whose results are large together, in a Redis that takes few bytes of one client at a time. */
@Tag("servers")
class LargeResultsTest {

    private static final int BATCH = 32;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final StoredResult LARGE = StoredResult.of("bytes", new byte[1024 * 1024]);

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final IdempotencyStore store = harness.store();

    @AfterEach
    void stop() {
        harness.stop();
    }

    @Test
    void everyResultOfABatchIsRecordedAndNeighboursAreServed() {
        harness.redis().configSet("client-query-buffer-limit", "4mb");
        List<RecordUpdate> completions = IntStream.range(0, BATCH)
                .mapToObj(i -> store.acquire(request(someRecord())))
                .<RecordUpdate>map(
                        claim -> new RecordUpdate.Complete(granted(claim).lease(), LARGE))
                .toList();

        List<CompletionStage<StoreAnswer>> answers = store.update(completions);
        Claim neighbour = store.acquire(request(someRecord()));

        assertThat(neighbour).isInstanceOf(Claim.Granted.class);
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer).succeedsWithin(SOON).isEqualTo(new StoreAnswer.Ok(LARGE)));
    }
}
