package io.idem.applications.rabbit.manualpool;

import com.rabbitmq.client.Channel;
import io.idem.applications.shop.CardRefusedException;
import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** An application with mode MANUAL that passes its work to a pool and settles it there. */
@SpringBootApplication
public class ManualPool {

    @Component
    static class Payments implements AutoCloseable {

        private final Ledger ledger;
        private final ExecutorService pool = Executors.newFixedThreadPool(2);

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}", ackMode = "MANUAL")
        @IdempotentListener(scope = "payments")
        public void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) {
            pool.execute(() -> work(payment, channel, tag));
        }

        private void work(String payment, Channel channel, long tag) {
            try {
                settle(payment, channel, tag);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private void settle(String payment, Channel channel, long tag) throws IOException {
            try {
                ledger.pay(payment);
                channel.basicAck(tag, false);
            } catch (CardRefusedException refused) {
                channel.basicNack(tag, false, true);
            }
        }

        @Override
        public void close() {
            pool.shutdownNow();
        }
    }
}
