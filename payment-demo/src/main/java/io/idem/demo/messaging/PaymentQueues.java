package io.idem.demo.messaging;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Exchange, queue and dead-letter queue of payments; declared by the first process that connects. */
@Configuration(proxyBeanMethods = false)
public class PaymentQueues {

    /** The exchange that payments are published to. */
    public static final String EXCHANGE = "payments";

    /** The routing key of a new payment. */
    public static final String REQUESTED = "payment.requested";

    /** The queue that payments are consumed from. */
    public static final String PAYMENTS = "payments.requested";

    /** The exchange and the queue of payments that cannot be processed. */
    public static final String DEAD_LETTERS = "payments.dead";

    /** The dead-letter exchange comes first: some brokers want it to exist when a queue names it. */
    @Bean
    Declarables paymentDeclarables() {
        FanoutExchange deadLetterExchange = new FanoutExchange(DEAD_LETTERS);
        Queue deadLetters = QueueBuilder.durable(DEAD_LETTERS).build();
        DirectExchange exchange = new DirectExchange(EXCHANGE);
        Queue requested =
                QueueBuilder.durable(PAYMENTS).deadLetterExchange(DEAD_LETTERS).build();
        Binding dead = BindingBuilder.bind(deadLetters).to(deadLetterExchange);
        Binding request = BindingBuilder.bind(requested).to(exchange).with(REQUESTED);
        return new Declarables(deadLetterExchange, deadLetters, dead, exchange, requested, request);
    }
}
