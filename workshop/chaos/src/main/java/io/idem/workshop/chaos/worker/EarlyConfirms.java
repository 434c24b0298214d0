package io.idem.workshop.chaos.worker;

import io.idem.OutgoingMessage;
import io.idem.consumer.internal.rabbit.send.RabbitOutgoingTransport;
import io.idem.spi.OutgoingTransport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Implements {@link Flaw#COMPLETE_BEFORE_CONFIRM}: reports a confirm as soon as the message is sent. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = Names.FLAW, havingValue = "COMPLETE_BEFORE_CONFIRM")
class EarlyConfirms {

    @Bean
    static BeanPostProcessor earlyConfirms() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String beanName) {
                return bean instanceof RabbitOutgoingTransport transport ? new AtOnce(transport) : bean;
            }
        };
    }

    private record AtOnce(OutgoingTransport transport) implements OutgoingTransport {

        @Override
        public String name() {
            return transport.name();
        }

        @Override
        public CompletionStage<?> publish(OutgoingMessage message) {
            var unused = transport.publish(message);
            return CompletableFuture.completedFuture(null);
        }
    }
}
