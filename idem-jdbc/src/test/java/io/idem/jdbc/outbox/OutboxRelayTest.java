package io.idem.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Scope;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
    private final DataSource broken = new AbstractDataSource() {
        @Override
        public Connection getConnection() {
            connections.incrementAndGet();
            throw new NoClassDefFoundError("of a driver");
        }

        @Override
        public Connection getConnection(String user, String password) {
            return getConnection();
        }
    };

    @Test
    void anErrorOfADriverIsToldWithTheTableAndTheLooksGoOn(CapturedOutput output) {
        OutboxRelay relay = new OutboxRelay(() -> Map.of("north", broken), List::of, Duration.ofMinutes(1));
        relay.serve(new Scope("payments"));

        relay.start(Duration.ofMillis(5));
        try {
            await().until(() -> connections.get() >= 3);
        } finally {
            relay.stop();
        }
        assertThat(output).contains("The relay could not look for messages of tenant north", "of a driver");
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
}
