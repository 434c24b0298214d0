package io.idem.consumer.contract;

import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** What the application under test has, whatever its transport. */
@Configuration(proxyBeanMethods = false)
@EnableTransactionManagement
public class ContractConfiguration {

    /** Boot makes the environment of streams wherever its library is, and closing it takes a second. */
    @Bean
    static BeanFactoryPostProcessor lazyStreamEnvironment() {
        return beans -> {
            if (beans.containsBeanDefinition("rabbitStreamEnvironment")) {
                beans.getBeanDefinition("rabbitStreamEnvironment").setLazyInit(true);
            }
        };
    }

    @Bean
    EventLog eventLog() {
        return new EventLog();
    }

    @Bean
    MovableClock movableClock() {
        return new MovableClock();
    }

    /** Where a test does not ask for the one in Redis. */
    @Bean
    @ConditionalOnProperty(name = "test.store", havingValue = "memory", matchIfMissing = true)
    ObservedStore observedStore(MovableClock clock, EventLog log) {
        return new ObservedStore(clock, log);
    }

    @Bean
    ObservedTransactions observedTransactions(EventLog log) {
        return new ObservedTransactions(log);
    }

    @Bean
    ListenerScript listenerScript(EventLog log) {
        return new ListenerScript(log);
    }

    @Bean
    AsyncScript asyncScript(ListenerScript script, ObservedTransactions transactions) {
        return new AsyncScript(script, transactions);
    }

    @Bean
    CollectedEvents collectedEvents() {
        return new CollectedEvents();
    }

    /** What the adapter told its observers. */
    public static final class CollectedEvents implements ConsumerEventListener, Resettable {

        private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void on(ConsumerEvent event) {
            events.add(event);
        }

        /** Forgets all events, for the next test. */
        @Override
        public void reset() {
            events.clear();
        }

        /** Those of one kind. */
        public <E extends ConsumerEvent> List<E> of(Class<E> kind) {
            return events.stream().filter(kind::isInstance).map(kind::cast).toList();
        }
    }
}
