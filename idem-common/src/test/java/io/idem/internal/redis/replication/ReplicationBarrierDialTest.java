package io.idem.internal.redis.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.internal.redis.script.ScriptCall;
import io.idem.internal.redis.script.TransitionScripts;
import io.idem.redis.RedisSettings;
import io.idem.redis.ReplicationSettings;
import io.lettuce.core.RedisURI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A gate whose client was closed while calls came. */
class ReplicationBarrierDialTest {

    private final ReplicationBarrier gate = new ReplicationBarrier(
            RedisSettings.of(RedisURI.create("127.0.0.1", 1)).withReplication(ReplicationSettings.to(1)), () -> {
                throw new IllegalStateException("the client is closed");
            });

    private CompletableFuture<Replicated> sent() {
        AcquireRequest request = new AcquireRequest(
                new RecordId(IdempotencyKey.of("order-1"), new Scope("payments")),
                OwnerToken.random(new SecureRandom()),
                Duration.ofSeconds(30),
                Duration.ofDays(1),
                Fingerprint.NONE,
                0,
                0);
        return gate.send(new ScriptCall(List.of(TransitionScripts.acquire(request))), false);
    }

    @Test
    void everyCallEndsAndNoneWaitsBehindOneThatCouldNotBeSent() {
        assertThat(sent()).isCompletedExceptionally();
        assertThat(sent()).isCompletedExceptionally();
    }
}
