package io.idem.applications.rabbit.batches;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.spring.RabbitOfBoot;
import java.util.List;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** An application whose listener takes consumer batches. */
@SpringBootApplication
public class BatchedPayments {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}", containerFactory = "batches")
        @IdempotentListener(scope = "payments")
        void pay(List<String> payments) {
            payments.forEach(ledger::pay);
        }
    }

    @Bean
    SimpleRabbitListenerContainerFactory batches(ConnectionFactory connections, BeanFactory beans) {
        SimpleRabbitListenerContainerFactory factory =
                RabbitOfBoot.configured(new SimpleRabbitListenerContainerFactory(), connections, beans);
        factory.setBatchListener(true);
        factory.setConsumerBatchEnabled(true);
        factory.setBatchSize(5);
        factory.setReceiveTimeout(100L);
        return factory;
    }
}
