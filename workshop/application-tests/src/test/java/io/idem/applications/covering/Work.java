package io.idem.applications.covering;

import com.rabbitmq.client.Channel;
import io.idem.applications.shop.CardRefusedException;
import io.idem.applications.shop.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.kafka.support.Acknowledgment;

/** The work of every generated listener. */
class Work {

    private final Ledger ledger;
    private final ObjectProvider<Receipts> receipts;
    private final boolean manual;

    Work(Ledger ledger, ObjectProvider<Receipts> receipts, @Value("${shop.manual:false}") boolean manual) {
        this.ledger = ledger;
        this.receipts = receipts;
        this.manual = manual;
    }

    void pay(String payment, Channel channel, long tag) {
        if (manual) {
            payAndSettle(payment, channel, tag);
        } else {
            pay(payment);
        }
    }

    /**
     * Pays and settles the message; without a negative acknowledgement, a failed message would stay with its consumer.
     */
    private void payAndSettle(String payment, Channel channel, long tag) {
        try {
            settle(payment, channel, tag);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void settle(String payment, Channel channel, long tag) throws IOException {
        try {
            pay(payment);
        } catch (CardRefusedException refused) {
            channel.basicNack(tag, false, true);
            return;
        }
        channel.basicAck(tag, false);
    }

    /** Pays and acknowledges; outside the manual modes, Spring passes an acknowledgement that does nothing. */
    void pay(String payment, Acknowledgment acknowledgment) {
        pay(payment);
        acknowledgment.acknowledge();
    }

    private void pay(String payment) {
        ledger.pay(payment);
        receipts.ifAvailable(publisher -> publisher.publish(payment));
    }

    /** Publishes one message during the work. */
    interface Receipts {

        void publish(String payment);
    }
}
