package io.idem.consumer.kafka;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.errors.WakeupException;
import org.springframework.kafka.core.ConsumerPostProcessor;

/**
 * Consumers that repeat a commit which a wake-up strikes, as spring-kafka will do after 4.1.2 (its issue 4622). With 4.1.2 the broker
 * mostly has that commit all the same, but nobody who watches the client sees it.
 */
final class CommitsDespiteWakeUps implements ConsumerPostProcessor<Object, Object> {

    @Override
    @SuppressWarnings("unchecked")
    public Consumer<Object, Object> apply(Consumer<Object, Object> consumer) {
        return (Consumer<Object, Object>) Proxy.newProxyInstance(
                Consumer.class.getClassLoader(),
                new Class<?>[] {Consumer.class},
                (proxy, method, arguments) -> method.getName().equals("commitSync")
                        ? commit(consumer, method, arguments)
                        : call(consumer, method, arguments));
    }

    private static Object commit(Consumer<?, ?> consumer, Method method, Object[] arguments) throws Throwable {
        try {
            return call(consumer, method, arguments);
        } catch (WakeupException struck) {
            return call(consumer, method, arguments);
        }
    }

    private static Object call(Consumer<?, ?> consumer, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(consumer, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
