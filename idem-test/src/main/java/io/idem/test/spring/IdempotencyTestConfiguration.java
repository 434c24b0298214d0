package io.idem.test.spring;

import io.idem.IdempotencyEventListener;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.spi.IdempotencyStore;
import io.idem.test.TestIdempotency;
import io.idem.test.http.MockMvcRequests;
import io.idem.test.http.WebTestClientRequests;
import io.idem.test.kafka.KafkaDeliveries;
import io.idem.test.rabbit.RabbitDeliveries;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

/** The store and the helpers that send messages and requests, as far as the application's class path allows. */
@Configuration(proxyBeanMethods = false)
class IdempotencyTestConfiguration {

    @Bean
    TestIdempotency testIdempotency() {
        return new TestIdempotency();
    }

    /** Takes precedence over a store that the application defines itself; auto-configured ones back off. */
    @Bean
    @Primary
    IdempotencyStore testIdempotencyStore(TestIdempotency idempotency) {
        return idempotency.store();
    }

    @Bean
    IdempotencyEventListener testIdempotencyRuns(TestIdempotency idempotency) {
        return idempotency.runs();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RabbitListenerEndpointRegistry.class, IdempotencyHeaders.class})
    static class Rabbit {

        @Bean
        RabbitDeliveries testRabbitDeliveries(
                TestIdempotency idempotency,
                ObjectProvider<RabbitListenerEndpointRegistry> registry,
                ObjectProvider<MessageConverter> converter) {
            return new RabbitDeliveries(
                    idempotency, registry::getObject, () -> converter.getIfUnique(SimpleMessageConverter::new));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({KafkaListenerEndpointRegistry.class, IdempotencyHeaders.class})
    static class Kafka {

        @Bean
        KafkaDeliveries testKafkaDeliveries(
                TestIdempotency idempotency, ObjectProvider<KafkaListenerEndpointRegistry> registry) {
            return new KafkaDeliveries(idempotency, registry::getObject);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MockMvc.class, DispatcherServlet.class})
    static class Http {

        @Bean
        MockMvcRequests testMockMvcRequests(TestIdempotency idempotency, ObjectProvider<MockMvc> mvc) {
            return new MockMvcRequests(idempotency, mvc::getObject);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({WebTestClient.class, DispatcherHandler.class})
    static class WebFlux {

        @Bean
        WebTestClientRequests testWebTestClientRequests(
                TestIdempotency idempotency, ObjectProvider<WebTestClient> client) {
            return new WebTestClientRequests(idempotency, client::getObject);
        }
    }
}
