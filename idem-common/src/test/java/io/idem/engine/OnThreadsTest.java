package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordUpdate;
import io.idem.Scope;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.PerRequestStore;
import io.idem.spi.StoreDecorator;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Batches on a store that blocks: every answer ends. */
class OnThreadsTest {

    private static final IdempotencyKey BROKEN = IdempotencyKey.of("broken");

    private final PerRequestStore store = new PerRequestStore(new InMemoryIdempotencyStore()) {
        @Override
        public Claim acquire(AcquireRequest request) {
            if (request.record().key().equals(BROKEN)) {
                throw new NoClassDefFoundError("a class of the driver");
            }
            return super.acquire(request);
        }
    };

    private static AcquireRequest request(IdempotencyKey key) {
        return new AcquireRequest(
                new RecordId(key, new Scope("payments")),
                OwnerToken.random(new SecureRandom()),
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0);
    }

    @Test
    void anErrorIsTheAnswerToItsOwnRequestOnly() {
        List<CompletionStage<Claim>> claims = new OnThreads(store, Runnable::run)
                .acquire(List.of(request(BROKEN), request(IdempotencyKey.of("sound"))));

        assertThat(claims.get(0))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(NoClassDefFoundError.class);
        assertThat(claims.get(1)).succeedsWithin(Duration.ZERO).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aRequestIsSentAfterTheEarlierOneForItsRecordIsAnswered() {
        CompletableFuture<Claim> first = new CompletableFuture<>();
        List<AcquireRequest> sent = new ArrayList<>();
        OnThreads asynchronous = new OnThreads(
                new StoreDecorator(store) {
                    @Override
                    public List<CompletionStage<Claim>> acquire(List<AcquireRequest> requests) {
                        sent.addAll(requests);
                        return sent.size() == 1 ? List.of(first) : super.acquire(requests);
                    }
                },
                Runnable::run);
        AcquireRequest earlier = request(IdempotencyKey.of("twice"));
        AcquireRequest later = request(IdempotencyKey.of("twice"));

        List<CompletionStage<Claim>> claims = asynchronous.acquire(List.of(earlier, later));

        assertThat(sent).containsExactly(earlier);
        first.complete(new Claim.Mismatch());
        assertThat(sent).containsExactly(earlier, later);
        assertThat(claims.get(1)).succeedsWithin(Duration.ZERO).isInstanceOf(Claim.Granted.class);
    }

    @Test
    void aBatchOfLargeResultsMakesWayForItsNeighbours() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        OnThreads asynchronous = new OnThreads(store, tasks::add);
        StoredResult large = StoredResult.of("bytes", new byte[OnThreads.MOST_BYTES / 2]);
        List<RecordUpdate> completions = IntStream.range(0, 6)
                .mapToObj(i -> store.acquire(request(IdempotencyKey.of("large-" + i))))
                .<RecordUpdate>map(claim -> new RecordUpdate.Complete(((Claim.Granted) claim).lease(), large))
                .toList();

        List<CompletionStage<StoreAnswer>> settled = asynchronous.update(completions);
        CompletionStage<Claim> neighbour = asynchronous
                .acquire(List.of(request(IdempotencyKey.of("small"))))
                .get(0);
        tasks.remove().run();
        tasks.remove().run();

        assertThat(neighbour).succeedsWithin(Duration.ZERO).isInstanceOf(Claim.Granted.class);
        assertThat(settled)
                .filteredOn(each -> each.toCompletableFuture().isDone())
                .hasSize(2);
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        assertThat(settled)
                .allSatisfy(
                        each -> assertThat(each).succeedsWithin(Duration.ZERO).isEqualTo(new StoreAnswer.Ok(large)));
    }
}
