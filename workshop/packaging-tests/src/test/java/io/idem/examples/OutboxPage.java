package io.idem.examples;

import io.idem.Idempotent;
import io.idem.Inbox;
import io.idem.engine.IdempotentExecutor;
import io.idem.examples.Shop.NewOrder;
import io.idem.examples.Shop.Order;
import io.idem.examples.Shop.Orders;
import io.idem.jdbc.TenantDataSources;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.jdbc.store.RecordCleaner;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** docs/inbox-outbox.md. */
class OutboxPage {

    private final Orders orders;
    private final RabbitTemplate rabbit;

    OutboxPage(Orders orders, RabbitTemplate rabbit) {
        this.orders = orders;
        this.rabbit = rabbit;
    }

    @PostMapping("/orders")
    @Idempotent(inbox = true)
    ResponseEntity<Order> order(@RequestBody NewOrder wanted) {
        Order order = orders.save(wanted); // joins the transaction that idem opened
        rabbit.convertAndSend("shop", "ordered", order); // kept in the row
        return ResponseEntity.status(201).body(order);
    }

    record Pools(Map<String, DataSource> byTenant) {}

    @Bean
    TenantDataSources tenantDataSources(Pools pools) {
        return pools::byTenant;
    }

    record Alone(IdempotentExecutor executor, RecordCleaner cleaner) {}

    static Alone alone(DataSource dataSource, PlatformTransactionManager transactionManager) {
        new InboxSchema(dataSource, transactionManager).checkAsStore();
        InboxStore store = new InboxStore(dataSource);
        Inbox inbox = new JdbcInbox(dataSource, transactionManager).asStore(store);
        IdempotentExecutor executor = IdempotentExecutor.on(store).inbox(inbox).build();
        RecordCleaner cleaner = new RecordCleaner(dataSource);
        return new Alone(executor, cleaner);
    }
}
