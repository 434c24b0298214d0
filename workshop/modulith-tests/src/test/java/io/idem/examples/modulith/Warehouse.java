package io.idem.examples.modulith;

import io.idem.Idempotent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

@Component
class Warehouse {

    private final JdbcClient jdbc;

    Warehouse(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Async
    @TransactionalEventListener
    @Idempotent(scope = "warehouse", key = "#due.order()", inbox = true)
    void ship(ShipmentDue due) {
        jdbc.sql("INSERT INTO shipments (order_id, item) VALUES (?, ?)")
                .params(due.order(), due.item())
                .update();
    }
}
