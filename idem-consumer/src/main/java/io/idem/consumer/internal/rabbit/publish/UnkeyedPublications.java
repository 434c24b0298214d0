package io.idem.consumer.internal.rabbit.publish;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MetricsCollector;
import com.rabbitmq.client.NoOpMetricsCollector;
import io.idem.IdempotencyContext;
import io.idem.Scope;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Warns once for each scope whose work publishes a message to which idem gave no key: by a template that is not a bean,
 * by one that batches, or on a channel. Sees the publications on the work's thread over connection factories that are
 * beans, through the client's metrics collector; the application's own collector stays. Thread-safe.
 */
public final class UnkeyedPublications implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(UnkeyedPublications.class);

    /** Whether the message that the calling thread publishes next has its key from idem. */
    private static final ThreadLocal<Boolean> KEYED = ThreadLocal.withInitial(() -> false);

    private final Set<Scope> warned = ConcurrentHashMap.newKeySet();

    /** Notes that the message that the calling thread publishes next has its key. */
    static void keyed() {
        KEYED.set(true);
    }

    /** Notes that no message follows: the one that has its key is kept. */
    static void forget() {
        KEYED.remove();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        ConnectionFactory client =
                bean instanceof AbstractConnectionFactory connections ? connections.getRabbitConnectionFactory() : null;
        // A mock has none.
        if (client != null) {
            // Without one the client takes a collector that does nothing, but only when it connects.
            client.setMetricsCollector(
                    watched(Objects.requireNonNullElseGet(client.getMetricsCollector(), NoOpMetricsCollector::new)));
        }
        return bean;
    }

    private MetricsCollector watched(MetricsCollector own) {
        return (MetricsCollector) Proxy.newProxyInstance(
                MetricsCollector.class.getClassLoader(),
                new Class<?>[] {MetricsCollector.class},
                new Watched(own, this::published));
    }

    private void published() {
        boolean keyed = KEYED.get();
        KEYED.remove();
        IdempotencyContext.current()
                .map(IdempotencyContext::scope)
                .filter(scope -> !keyed && warned.add(scope))
                .ifPresent(scope -> LOG.warn(
                        "Work of scope \"{}\" published a message to which idem gave no key, by a template that is no"
                                + " bean or on a channel: idempotent listeners cannot tell its copies, the work does not"
                                + " wait for it, and a copy of its own message is dropped as a duplicate. Publish through"
                                + " a RabbitTemplate bean",
                        scope.name()));
    }

    private record Watched(MetricsCollector own, Runnable published) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (method.getName().equals("basicPublish")) {
                published.run();
            }
            return AopUtils.invokeJoinpointUsingReflection(own, method, arguments == null ? new Object[0] : arguments);
        }
    }
}
