package io.idem.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyKey;
import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.spi.OutgoingTransport;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** A relay whose database is not there. */
@ExtendWith(OutputCaptureExtension.class)
class OutboxRelayTest {

    private final AtomicInteger connections = new AtomicInteger();
    private final DataSource broken = new Broken();

    private final class Broken extends AbstractDataSource {
        @Override
        public Connection getConnection() {
            connections.incrementAndGet();
            throw new NoClassDefFoundError("of a driver");
        }

        @Override
        public Connection getConnection(String user, String password) {
            return getConnection();
        }
    }

    @Test
    void anErrorOfADriverIsToldAndTheLooksGoOn(CapturedOutput output) {
        OutboxRelay relay = new OutboxRelay(broken, List::of, Duration.ofMinutes(1));
        relay.serve(new Scope("payments"));

        relay.start(Duration.ofMillis(5));
        try {
            await().until(() -> connections.get() >= 3);
        } finally {
            relay.stop();
        }
        assertThat(output).contains("The relay could not look for messages; the next look follows", "of a driver");
    }

    @Test
    void anErrorOfTheListOfTenantsDoesNotEndTheLooks() {
        AtomicInteger looks = new AtomicInteger();
        OutboxRelay relay = new OutboxRelay(
                () -> {
                    looks.incrementAndGet();
                    throw new OutOfMemoryError("for this test");
                },
                List::of,
                Duration.ofMinutes(1));

        relay.start(Duration.ofMillis(5));
        try {
            await().until(() -> looks.get() >= 3);
        } finally {
            relay.stop();
        }
    }

    private OutboxRelay relayOfATenant(Duration after) {
        OutboxRelay relay = new OutboxRelay(() -> Map.of("north", broken), List::of, after);
        relay.serve(new Scope("payments"));
        return relay;
    }

    @Test
    void aTenantWhoseDatabaseFailedIsLeftAloneForAWhile() {
        OutboxRelay relay = relayOfATenant(Duration.ofMinutes(1));
        assertThat(relay.relay()).isZero();
        int once = connections.get();

        assertThat(relay.relay()).isZero();

        assertThat(connections).hasValue(once).doesNotHaveValue(0);
    }

    @Test
    void aTenantThatWasLeftAloneIsAskedAgain() {
        OutboxRelay relay = relayOfATenant(Duration.ofSeconds(1));
        assertThat(relay.relay()).isZero();
        int once = connections.get();

        await().until(() -> relay.relay() == 0 && connections.get() > once);
    }

    @Test
    void freshRowsOfATenantWhoseDatabaseFailsHoldUpNoneOfAnother(CapturedOutput output) {
        CompletableFuture<Void> queued = new CompletableFuture<>();
        Set<String> handedOver = ConcurrentHashMap.newKeySet();
        OutgoingTransport broker = new OutgoingTransport() {
            @Override
            public String name() {
                return "rabbit";
            }

            @Override
            public CompletionStage<?> publish(OutgoingMessage message) {
                handedOver.add(message.destination());
                return message.destination().startsWith("slow")
                        ? queued.copy()
                        : CompletableFuture.completedFuture(message);
            }
        };
        DataSource east = new Broken();
        DataSource west = new Broken();
        Map<String, DataSource> tenants = Map.of("north", broken, "east", east, "west", west);
        OutboxRelay relay = new OutboxRelay(() -> tenants, () -> List.of(broker), Duration.ofMinutes(1));
        assertThat(relay.relay()).isZero();
        relay.start(Duration.ZERO);
        try {
            // Both threads of the relay wait, so that the next two rows are sent together.
            commit(relay, broken, "slow-1");
            await().until(() -> handedOver.contains("slow-1"));
            commit(relay, broken, "slow-2");
            await().until(() -> handedOver.contains("slow-2"));
            commit(relay, east, "x");
            commit(relay, west, "y");
            assertThat(queued.complete(null)).isTrue();

            await().untilAsserted(() -> assertThat(handedOver).contains("x", "y"));
        } finally {
            relay.stop();
        }
        assertThat(output).contains("1 rows of tenant east", "1 rows of tenant west", "again if they have left before");
    }

    private static void commit(OutboxRelay relay, DataSource dataSource, String destination) {
        RecordId record = new RecordId(IdempotencyKey.of(destination), new Scope("payments"));
        Lease lease = new Lease(
                record, OwnerToken.random(new SecureRandom()), 1, 1, Duration.ofSeconds(30), Duration.ofHours(1));
        OutgoingMessage message = new OutgoingMessage("rabbit", destination, new byte[0]);
        assertThat(relay.committed(dataSource, lease, new Effect(StoredResult.NONE, List.of(message)))
                        .outgoing())
                .isEmpty();
    }
}
