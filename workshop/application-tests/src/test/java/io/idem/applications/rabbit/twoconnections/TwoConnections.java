package io.idem.applications.rabbit.twoconnections;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.spring.RabbitOfBoot;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** An application with two connections and a listener on the second one. */
@SpringBootApplication
public class TwoConnections {

    @Component
    static class Payments {

        private final Ledger ledger;

        Payments(Ledger ledger) {
            this.ledger = ledger;
        }

        @RabbitListener(queues = "${shop.queue}", containerFactory = "tenant")
        @IdempotentListener(scope = "payments")
        void pay(String payment) {
            ledger.pay(payment);
        }
    }

    @Bean
    @Primary
    CachingConnectionFactory paymentConnections(Environment environment) {
        return connections(environment);
    }

    @Bean
    CachingConnectionFactory tenantConnections(Environment environment) {
        return connections(environment);
    }

    private static CachingConnectionFactory connections(Environment environment) {
        CachingConnectionFactory connections = new CachingConnectionFactory(
                environment.getRequiredProperty("spring.rabbitmq.host"),
                environment.getRequiredProperty("spring.rabbitmq.port", Integer.class));
        connections.setUsername(environment.getRequiredProperty("spring.rabbitmq.username"));
        connections.setPassword(environment.getRequiredProperty("spring.rabbitmq.password"));
        connections.setVirtualHost(environment.getRequiredProperty("spring.rabbitmq.virtual-host"));
        connections.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
        connections.setPublisherReturns(true);
        return connections;
    }

    @Bean
    SimpleRabbitListenerContainerFactory tenant(
            @Qualifier("tenantConnections") ConnectionFactory connections, BeanFactory beans) {
        return RabbitOfBoot.configured(new SimpleRabbitListenerContainerFactory(), connections, beans);
    }
}
