package io.idem.workshop.chaos.worker;

import io.idem.IdempotencyContext;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The work of a listener: runs its steps if it may have some, and inserts a row into the ledger, even if there is one
 * already. Poison fails behind the steps, so that they are remembered when it is redriven.
 */
final class Effects {

    private final JdbcClient jdbc;
    private final Steps steps;

    Effects(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.steps = new Steps(new Provider(jdbc, transactions));
    }

    void write(Lane lane, byte[] body, IdempotencyContext attempt) {
        String key = attempt.key().value();
        if (lane.steps()) {
            steps.run(lane, attempt);
        }
        String text = new String(body, StandardCharsets.UTF_8);
        if (text.equals(Names.POISON) && !cured(key)) {
            throw new AmqpRejectAndDontRequeueException("This message is poison");
        }
        if (text.equals(Names.SLOW)) {
            work();
        }
        jdbc.sql("INSERT INTO " + Names.LEDGER + " (lane, idempotency_key, attempt, fence, pid) VALUES (?, ?, ?, ?, ?)")
                .params(
                        lane.id(),
                        key,
                        attempt.attempt(),
                        attempt.fence(),
                        ProcessHandle.current().pid())
                .update();
    }

    private static void work() {
        try {
            TimeUnit.MILLISECONDS.sleep(Names.SLOW_WORK.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean cured(String key) {
        return jdbc.sql("SELECT count(*) FROM " + Names.CURED + " WHERE idempotency_key = ?")
                        .params(key)
                        .query(Long.class)
                        .single()
                > 0;
    }
}
