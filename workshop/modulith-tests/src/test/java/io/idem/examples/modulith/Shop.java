package io.idem.examples.modulith;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.modulith.events.core.EventPublicationRepository;

/**
 * The service that places orders and ships them. Places the order of {@code shop.order} when it starts, and stands
 * still before it completes a publication to the listener whose name contains {@code shop.stands-still-before}, or
 * before the method of the publications that {@code shop.stands-still-in} names. An empty name is part of each.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ExternalizedEvents.class, Orders.class, Warehouse.class})
class Shop {

    @Bean
    ApplicationRunner customer(Orders orders, @Value("${shop.order:}") String order) {
        return arguments -> {
            if (!order.isEmpty()) {
                orders.place(order, "lamp");
            }
        };
    }

    @Bean
    static BeanPostProcessor standstill(
            @Value("${shop.stands-still-before:#{null}}") @Nullable String listener,
            @Value("${shop.stands-still-in:markCompleted}") String method) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof EventPublicationRepository repository && listener != null
                        ? standingStill(repository, listener, method)
                        : bean;
            }
        };
    }

    private static EventPublicationRepository standingStill(
            EventPublicationRepository repository, String listener, String standstill) {
        return (EventPublicationRepository) Proxy.newProxyInstance(
                EventPublicationRepository.class.getClassLoader(),
                new Class<?>[] {EventPublicationRepository.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals(standstill)
                            && Arrays.toString(arguments).contains(listener)) {
                        new CountDownLatch(1).await();
                    }
                    try {
                        return method.invoke(repository, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
