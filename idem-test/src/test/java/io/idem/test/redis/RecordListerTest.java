package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.store.RedisIdempotencyStore;
import io.idem.redis.store.RedisRecordLister;
import io.idem.servers.RedisServers;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.spi.RecordLister;
import io.lettuce.core.RedisURI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("servers")
class RecordListerTest {

    @Test
    void everyRecordIsListedOnSomePageAndNothingElse() {
        try (RunningRedis redis = RedisServers.start(ServerOptions.own());
                RedisIdempotencyStore store = new RedisIdempotencyStore(settings(redis));
                RedisIdempotencyStore neighbour =
                        new RedisIdempotencyStore(settings(redis).withNamespace("other"));
                RedisRecordLister lister = new RedisRecordLister(settings(redis))) {
            redis.command("SET", "idem:{not-a-record}:payments", "foreign");
            store.announce(new Scope("payments"));
            acquire(neighbour, "theirs");
            Set<String> expected = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                expected.add(acquire(store, "k-" + i));
            }

            Set<String> listed = new HashSet<>();
            String cursor = RecordLister.START;
            do {
                RecordLister.Page page = lister.list(cursor, 10);
                page.records().forEach(found -> listed.add(found.keyId()));
                cursor = page.next();
            } while (!cursor.equals(RecordLister.START));

            assertThat(listed).isEqualTo(expected);
        }
    }

    @Test
    void whatIsNoCursorIsRefused() {
        RedisTopology cluster = new RedisTopology.Cluster(List.of(RedisURI.create("redis://127.0.0.1:1")));
        try (RedisRecordLister lister = new RedisRecordLister(RedisSettings.of(cluster))) {
            assertThatThrownBy(() -> lister.list("17", 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a cursor");
        }
    }

    private static RedisSettings settings(RunningRedis redis) {
        return RedisSettings.of(RedisURI.create(redis.uri()));
    }

    private static String acquire(RedisIdempotencyStore store, String key) {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope("payments"));
        var unused = store.acquire(new AcquireRequest(
                record,
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0));
        return record.key().id();
    }
}
