package io.idem.examples;

import io.idem.Idempotent;
import io.idem.examples.Shop.Order;
import io.idem.examples.Shop.Payment;
import io.idem.examples.Shop.PaymentSettled;
import io.idem.examples.Shop.Receipt;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.transaction.event.TransactionalEventListener;

/** docs/policies.md: methods of any bean. */
@Service
class PoliciesPage {

    private final Shop.PaymentProvider provider;
    private final JdbcTemplate jdbc;

    PoliciesPage(Shop.PaymentProvider provider, JdbcTemplate jdbc) {
        this.provider = provider;
        this.jdbc = jdbc;
    }

    @Idempotent(scope = "send-invoice", key = "#order.id()")
    Receipt sendInvoice(Order order) {
        return provider.charge(new Payment(order.item(), 100));
    }

    @Scheduled(cron = "0 0 2 * * *", zone = "Europe/Berlin")
    @Idempotent(scope = "nightly-report")
    void report() {
        jdbc.update("INSERT INTO report SELECT now(), count(*) FROM orders");
    }

    @Async
    @TransactionalEventListener
    @Idempotent(scope = "ledger", key = "#paid.account()", inbox = true)
    void enter(PaymentSettled paid) {
        jdbc.update("INSERT INTO ledger (account) VALUES (?)", paid.account());
    }
}
