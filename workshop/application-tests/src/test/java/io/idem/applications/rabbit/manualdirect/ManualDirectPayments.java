package io.idem.applications.rabbit.manualdirect;

import com.rabbitmq.client.Channel;
import io.idem.applications.shop.CardRefusedException;
import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.io.IOException;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** An application with a direct container, whose listener acknowledges manually. */
@SpringBootApplication
public class ManualDirectPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments")
        void pay(String payment, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) throws IOException {
            try {
                ledger.pay(payment);
                channel.basicAck(tag, false);
            } catch (CardRefusedException refused) {
                channel.basicNack(tag, false, true);
            }
        }
    }
}
