package io.idem.test.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.jdbc.store.PostgresRecordLister;
import io.idem.spi.RecordLister;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("servers")
class PostgresRecordListerTest {

    private final PostgresStoreHarness harness = new PostgresStoreHarness();
    private final RecordLister lister = new PostgresRecordLister(harness.dataSource());

    @AfterEach
    void stop() {
        lister.close();
        harness.stop();
    }

    @Test
    void everyRecordIsListedOnceAndNoneThatHasExpired() {
        acquire("long-ago", "payments");
        harness.advance(Duration.ofHours(2));
        Set<String> expected = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            expected.add(acquire("k-" + i, "payments"));
            expected.add(acquire("k-" + i, "receipts"));
        }

        List<String> listed = new ArrayList<>();
        int pages = 0;
        String cursor = RecordLister.START;
        do {
            RecordLister.Page page = lister.list(cursor, 7);
            assertThat(page.records()).hasSizeLessThanOrEqualTo(7);
            page.records().forEach(found -> {
                assertThat(found.record().state()).isEqualTo(RecordState.PENDING);
                listed.add(found.keyId() + " " + found.record().scope());
            });
            cursor = page.next();
            pages++;
        } while (!cursor.equals(RecordLister.START));

        assertThat(listed).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);
        assertThat(pages).isEqualTo(4);
    }

    private String acquire(String key, String scope) {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope(scope));
        var unused = harness.store()
                .acquire(new AcquireRequest(
                        record,
                        OwnerToken.random(new SecureRandom()),
                        Duration.ofMinutes(5),
                        Duration.ofHours(1),
                        Fingerprint.NONE,
                        0,
                        0));
        return record.key().id() + " " + scope;
    }
}
