package io.idem.examples.readings;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

@Component
class Billing {

    private static final String INSERT =
            "INSERT INTO readings (key_id, meter, watt_hours) VALUES (?, ?, ?) ON CONFLICT (key_id) DO NOTHING";

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;

    Billing(JdbcTemplate jdbc, TransactionTemplate transaction) {
        this.jdbc = jdbc;
        this.transaction = transaction;
    }

    @KafkaListener(topics = "readings", groupId = "billing", batch = "true")
    @IdempotentListener(scope = "billing", rejectOn = IllegalArgumentException.class)
    void book(List<Reading> readings, List<IdempotencyContext> contexts) {
        List<Object[]> rows = new ArrayList<>();
        while (rows.size() < readings.size() && readings.get(rows.size()).wattHours() >= 0) {
            Reading reading = readings.get(rows.size());
            String keyId = contexts.get(rows.size()).key().id();
            rows.add(new Object[] {keyId, reading.meter(), reading.wattHours()});
        }
        transaction.executeWithoutResult(status -> jdbc.batchUpdate(INSERT, rows)); // commits before it throws
        if (rows.size() < readings.size()) {
            IllegalArgumentException cause = new IllegalArgumentException("A meter does not run backwards");
            throw new BatchListenerFailedException("Not a reading", cause, rows.size());
        }
    }
}
