package io.idem.applications.rabbit.unwantedinboxevent;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application whose inbox keeps events for a topic exchange to which nobody has bound a queue. */
@SpringBootApplication
public class UnwantedInboxEvents {

    @Component
    static class Payments {

        private final Ledger ledger;
        private final RabbitTemplate template;
        private final TopicExchange events;

        Payments(Ledger ledger, RabbitTemplate template, TopicExchange events) {
            this.ledger = ledger;
            this.template = template;
            this.events = events;
        }

        @RabbitListener(queues = "${shop.queue}")
        @IdempotentListener(scope = "payments", inbox = true)
        void pay(String payment) {
            ledger.pay(payment);
            template.convertAndSend(events.getName(), "payment.made", payment);
        }
    }

    @Bean
    TopicExchange events(@Value("${shop.queue}") String queue) {
        return new TopicExchange(queue + ".topic", false, true);
    }
}
