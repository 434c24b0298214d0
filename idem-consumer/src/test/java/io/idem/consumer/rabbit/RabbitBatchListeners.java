package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;

import com.rabbitmq.client.Channel;
import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.servers.spring.RabbitOfBoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AsyncConsumerRestartedEvent;
import org.springframework.amqp.support.converter.MessageConversionException;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/** Batch listeners in every shape; they start when a test says so, when what it sent is there. */
final class RabbitBatchListeners {

    /** A body that no listener can have. */
    static final String BROKEN = "broken";

    private RabbitBatchListeners() {}

    /** What listeners do, and what they got. Thread-safe. */
    @Import(Factory.class)
    static class Batches {

        private final EventLog log;
        private final Deque<RuntimeException> failures = new ArrayDeque<>();
        final List<List<String>> calls = new CopyOnWriteArrayList<>();
        final List<Message> recovered = new CopyOnWriteArrayList<>();
        final List<AsyncConsumerRestartedEvent> restarts = new CopyOnWriteArrayList<>();
        volatile Runnable work = () -> {};

        Batches(EventLog log) {
            this.log = log;
        }

        /** The next calls fail. */
        synchronized void fail(int times) {
            for (int i = 0; i < times; i++) {
                failures.add(new IllegalStateException("The test lets a batch fail"));
            }
        }

        void run(List<String> bodies) {
            log.note(EventLog.WORK);
            calls.add(bodies);
            work.run();
            RuntimeException failure;
            synchronized (this) {
                failure = failures.poll();
            }
            if (failure != null) {
                throw failure;
            }
        }

        List<String> bodies() {
            return calls.stream().flatMap(List::stream).toList();
        }

        @EventListener
        void on(AsyncConsumerRestartedEvent restart) {
            restarts.add(restart);
        }
    }

    static class Factory {

        /** Waits long enough for a batch to be whole, unless a test sends less. */
        @Bean
        static SimpleRabbitListenerContainerFactory batching(
                ConnectionFactory connections, BeanFactory beans, Environment environment) {
            SimpleRabbitListenerContainerFactory factory =
                    RabbitOfBoot.configured(new SimpleRabbitListenerContainerFactory(), connections, beans);
            factory.setConsumerBatchEnabled(true);
            factory.setBatchSize(environment.getProperty("test.batch", Integer.class, 4));
            factory.setReceiveTimeout(250L);
            factory.setAutoStartup(false);
            factory.setMessageConverter(new SimpleMessageConverter() {
                @Override
                public Object fromMessage(Message message) {
                    if (text(message).equals(BROKEN)) {
                        throw new MessageConversionException("The test cannot convert this");
                    }
                    return text(message);
                }
            });
            return factory;
        }
    }

    static String text(Message message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }

    static class Payloads {

        private final Batches batches;

        Payloads(Batches batches) {
            this.batches = batches;
        }

        @RabbitListener(id = "batches", queues = "${test.name}.payments", containerFactory = "batching")
        @IdempotentListener(scope = PAYMENTS)
        void pay(List<String> bodies, List<IdempotencyContext> contexts) {
            batches.run(IntStream.range(0, bodies.size())
                    .mapToObj(i -> bodies.get(i) + "/" + contexts.get(i).key().value())
                    .toList());
        }
    }

    /** Its key is the beginning of another one, which may be too short for that. */
    static class ByPrefix {

        private final Batches batches;

        ByPrefix(Batches batches) {
            this.batches = batches;
        }

        @RabbitListener(id = "batches", queues = "${test.name}.payments", containerFactory = "batching")
        @IdempotentListener(scope = PAYMENTS, key = "headers['x-idempotency-key'].substring(0, 2)")
        void pay(List<String> bodies) {
            batches.run(bodies);
        }
    }

    static class RawMessages {

        private final Batches batches;

        RawMessages(Batches batches) {
            this.batches = batches;
        }

        /** Acknowledges by itself, which does no harm. */
        @RabbitListener(id = "batches", queues = "${test.name}.payments", containerFactory = "batching")
        @IdempotentListener(scope = PAYMENTS)
        void pay(List<Message> messages, Channel channel) throws IOException {
            for (Message message : messages) {
                channel.basicAck(message.getMessageProperties().getDeliveryTag(), false);
            }
            batches.run(messages.stream().map(RabbitBatchListeners::text).toList());
        }
    }

    static class SpringMessages {

        private final Batches batches;

        SpringMessages(Batches batches) {
            this.batches = batches;
        }

        @RabbitListener(id = "batches", queues = "${test.name}.payments", containerFactory = "batching")
        @IdempotentListener(scope = PAYMENTS)
        void pay(List<org.springframework.messaging.Message<String>> messages) {
            batches.run(messages.stream()
                    .map(org.springframework.messaging.Message::getPayload)
                    .toList());
        }
    }

    /** Keeps its channel, and acknowledges when a test says so. */
    static class Open {

        private final Batches batches;
        private final AtomicReference<Channel> channel = new AtomicReference<>();
        private final List<Long> tags = new CopyOnWriteArrayList<>();

        Open(Batches batches) {
            this.batches = batches;
        }

        Channel channel() {
            return Objects.requireNonNull(channel.get());
        }

        List<Long> tags() {
            return tags;
        }

        @RabbitListener(id = "batches", queues = "${test.name}.payments", containerFactory = "batching")
        @IdempotentListener(scope = PAYMENTS)
        void pay(List<Message> messages, Channel given) {
            batches.run(messages.stream().map(RabbitBatchListeners::text).toList());
            channel.set(given);
            messages.forEach(message -> tags.add(message.getMessageProperties().getDeliveryTag()));
        }
    }

    /** Gives a message back by itself, which it cannot. */
    static class GivingBack {

        private final Batches batches;

        GivingBack(Batches batches) {
            this.batches = batches;
        }

        @RabbitListener(id = "batches", queues = "${test.name}.payments", containerFactory = "batching")
        @IdempotentListener(scope = PAYMENTS)
        void pay(List<Message> messages, Channel channel) throws IOException {
            batches.run(messages.stream().map(RabbitBatchListeners::text).toList());
            if (batches.calls.size() == 1) {
                channel.basicNack(messages.get(0).getMessageProperties().getDeliveryTag(), false, true);
            }
            channel.basicAck(
                    messages.get(messages.size() - 1).getMessageProperties().getDeliveryTag(), true);
        }
    }
}
