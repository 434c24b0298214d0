package io.idem.cloudstream;

import io.idem.AcquireRequest;
import io.idem.Claim;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import io.idem.memory.InMemoryIdempotencyStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ErrorMessage;

/** An application of functions, put together by auto-configuration alone, with a destination of its own. */
final class StreamApplication implements AutoCloseable {

    static final String SCOPE = "payments";
    static final String GROUP = "bank";

    private final ConfigurableApplicationContext context;

    private StreamApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /**
     * Starts an application.
     *
     * @param function the name of its function, which is bound to the destination
     */
    static StreamApplication start(Class<?> functions, String function, List<String> settings) {
        List<String> arguments = new ArrayList<>(List.of(
                "spring.cloud.function.definition=" + function,
                "spring.cloud.stream.bindings." + function + "-in-0.destination=idem-" + UUID.randomUUID(),
                "spring.cloud.stream.bindings." + function + "-in-0.group=" + GROUP,
                "spring.cloud.stream.bindings." + function + "-in-0.consumer.max-attempts=3",
                "spring.cloud.stream.bindings." + function + "-in-0.consumer.back-off-initial-interval=10",
                "spring.main.banner-mode=off",
                "idem.consumer.in-place-wait=200ms",
                "idem.consumer.kafka.redelivery-delay=100ms"));
        arguments.addAll(settings);
        return new StreamApplication(new SpringApplicationBuilder(Base.class, functions)
                .web(WebApplicationType.NONE)
                .run(arguments.stream().map(one -> "--" + one).toArray(String[]::new)));
    }

    static List<String> with(List<String> settings, String... more) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(Arrays.asList(more));
        return all;
    }

    String property(String name) {
        return context.getEnvironment().getRequiredProperty(name);
    }

    String destination(String binding) {
        return property("spring.cloud.stream.bindings." + binding + ".destination");
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    MessageChannel channel(String binding) {
        return context.getBean(binding, MessageChannel.class);
    }

    Journal journal() {
        return bean(Journal.class);
    }

    /** Makes somebody else the owner of a key. */
    Lease occupy(String key) {
        AcquireRequest request = new AcquireRequest(
                record(key),
                OwnerToken.random(new SecureRandom()),
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                Fingerprint.NONE,
                0,
                0);
        return ((Claim.Granted) store().acquire(request)).lease();
    }

    void release(Lease lease) {
        store().fail(lease, Duration.ZERO);
    }

    @Nullable RecordState state(String key) {
        return store().inspect(record(key)).map(snapshot -> snapshot.state()).orElse(null);
    }

    private InMemoryIdempotencyStore store() {
        return bean(InMemoryIdempotencyStore.class);
    }

    private static RecordId record(String key) {
        return new RecordId(IdempotencyKey.of(key), new Scope(SCOPE));
    }

    @Override
    public void close() {
        context.close();
    }

    /** The calls of the functions, their work, and the messages of the binder's error channel. */
    static final class Journal implements ConsumerEventListener {

        private final List<Message<String>> calls = new CopyOnWriteArrayList<>();
        private final List<ErrorMessage> errors = new CopyOnWriteArrayList<>();
        private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();
        private volatile Consumer<String> work = body -> {};

        void does(Consumer<String> what) {
            work = what;
        }

        void call(Message<String> message) {
            calls.add(message);
            work.accept(message.getPayload());
        }

        List<String> bodies() {
            return calls.stream().map(Message::getPayload).toList();
        }

        List<Message<String>> calls() {
            return calls;
        }

        List<ErrorMessage> errors() {
            return errors;
        }

        @Override
        public void on(ConsumerEvent event) {
            events.add(event);
        }

        <E extends ConsumerEvent> List<E> events(Class<E> type) {
            return events.stream().filter(type::isInstance).map(type::cast).toList();
        }
    }

    /** The beans that each application starts from. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Base {

        @Bean
        InMemoryIdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }

        @Bean
        Journal journal() {
            return new Journal();
        }

        @Bean
        Recoveries recoveries(Journal journal) {
            return new Recoveries(journal);
        }
    }

    /** Listens to what the binders' recoverers tell. */
    record Recoveries(Journal journal) {

        @ServiceActivator(inputChannel = "errorChannel")
        public void recovered(ErrorMessage failure) {
            journal.errors.add(failure);
        }
    }
}
