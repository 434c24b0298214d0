package io.idem.test.redis;

import static io.idem.test.redis.Acquires.lease;
import static io.idem.test.redis.Acquires.request;
import static io.idem.test.redis.Acquires.someRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Claim;
import io.idem.ExecutionPolicy;
import io.idem.RecordId;
import io.idem.ScopePolicies;
import io.idem.StoredResult;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.spi.IdempotencyStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Erasing a key as {@code docs/operations.md} says, on a real Redis. */
@Tag("servers")
class ErasedResultsTest {

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final IdempotencyStore store = harness.store();

    @AfterEach
    void stop() {
        harness.stop();
    }

    @Test
    void whatIsErasedIsNowhereInRedisAnyMore() {
        RecordId record = someRecord();
        store.announce(record.scope());
        store.complete(lease(store, record), StoredResult.of("json", new byte[] {1, 2, 3}));

        new RecordOperator(store, ScopePolicies.same(ExecutionPolicy.defaults()), act -> {})
                .act(OperatorAct.Action.ERASE, record, "anna", "the customer asked for it");

        assertThat(harness.stored(record)).doesNotContain("010203");
        assertThat(store.acquire(request(record))).isInstanceOf(Claim.Replay.class);
    }
}
