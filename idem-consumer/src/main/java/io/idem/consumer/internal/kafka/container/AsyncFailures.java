package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.message.OpenOffsets;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.TopicPartitionOffset;

/**
 * Failures of one asynchronous listener, which came after its method had returned. The container hands each of them to the error
 * handler alone, with its one record, and on the thread of any of its consumers. A container of spring-kafka 4.1.2 commits such a
 * record before it is tried again, and later skips what is behind it; so the record stays unacknowledged here, and is tried again
 * from memory whenever the error handler seeks back. The next failed record of its partition waits until it is decided, because
 * error handlers count the attempts of one record per partition. Thread-safe.
 */
final class AsyncFailures {

    private static final Logger LOG = LoggerFactory.getLogger(AsyncFailures.class);

    /** After this many assignments and revocations a failure was told to a consumer that has ended. */
    private static final int FORGOTTEN_AFTER = 2;

    private final IdentityHashMap<ConsumerRecord<?, ?>, FailedDelivery> failed = new IdentityHashMap<>();
    private final Map<TopicPartition, Retries> retries = new HashMap<>();
    private final Map<TopicPartition, Integer> assignments = new HashMap<>();

    /**
     * The ways to try a record again.
     *
     * @param assignment number of the assignment of its partition in which it was delivered
     * @param deliver delivers the record once more
     * @param tell tells the container of its failure
     */
    record Retry(int assignment, Runnable deliver, java.util.function.Consumer<RuntimeException> tell) {}

    /**
     * A delivery whose work has failed.
     *
     * @param name of the record in logs
     * @param acknowledge acknowledges the record once the error handler has recovered it
     */
    record FailedDelivery(ConsumerRecord<?, ?> record, String name, Runnable acknowledge, Retry retry) {}

    /** Returns the number of the present assignment of a record's partition. */
    synchronized int assignment(ConsumerRecord<?, ?> record) {
        return assignments.getOrDefault(OpenOffsets.partition(record), 0);
    }

    /** Notes that partitions come or go: what was being tried again belongs to their next owner. */
    synchronized void reassigned(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            assignments.merge(partition, 1, Integer::sum);
            retries.remove(partition);
        }
        failed.values().removeIf(old -> assignment(old.record()) - old.retry().assignment() > FORGOTTEN_AFTER);
    }

    /** Returns whether a record is the one of its partition that is being tried again. */
    synchronized boolean isTried(ConsumerRecord<?, ?> record) {
        Retries known = retries.get(OpenOffsets.partition(record));
        return known != null && known.tried == record;
    }

    /** Adds a failure that the container will get. */
    synchronized void add(FailedDelivery delivery) {
        failed.put(delivery.record(), delivery);
    }

    /** Removes the failure of a record and returns it; empty if the record failed in another way, or not at all. */
    synchronized Optional<FailedDelivery> take(ConsumerRecord<?, ?> record) {
        return Optional.ofNullable(failed.remove(record));
    }

    /** Notes that the container delivers a record: it has gone back, and will deliver the records that were being tried again. */
    synchronized void delivered(ConsumerRecord<?, ?> record) {
        Retries known = retries.get(OpenOffsets.partition(record));
        if (known != null && record.offset() <= known.tried.offset()) {
            retries.remove(OpenOffsets.partition(record));
        }
    }

    /** Handles a failure on the thread of a consumer of the container, which need not be the record's own. */
    void handle(
            CommonErrorHandler own,
            RuntimeException thrown,
            FailedDelivery delivery,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        if (!isNext(delivery, thrown)) {
            return;
        }
        ConsumerRecord<?, ?> record = delivery.record();
        if (isRecovered(own, thrown, delivery, consumer, container)) {
            delivery.acknowledge().run();
            ended(record);
        } else {
            count(own, record);
            delivery.retry().deliver().run();
        }
    }

    /** A seek of the error handler, which is not carried out, stands for another attempt, also where nothing is thrown. */
    private static boolean isRecovered(
            CommonErrorHandler own,
            RuntimeException thrown,
            FailedDelivery delivery,
            Consumer<?, ?> consumer,
            MessageListenerContainer container) {
        AtomicBoolean soughtBack = new AtomicBoolean();
        try {
            own.handleRemaining(thrown, List.of(delivery.record()), notSeeking(consumer, soughtBack), container);
            return !soughtBack.get();
        } catch (RuntimeException inRetry) {
            if (!soughtBack.get()) {
                LOG.warn("The error handler failed for {}, which is tried again", delivery.name(), inRetry);
            }
            return false;
        }
    }

    private synchronized boolean isNext(FailedDelivery delivery, RuntimeException thrown) {
        ConsumerRecord<?, ?> record = delivery.record();
        if (delivery.retry().assignment() != assignment(record)) {
            return false;
        }
        Retries known = retries.computeIfAbsent(OpenOffsets.partition(record), partition -> new Retries(record));
        return known.tried == record || !known.waiting.add(new Waiting(delivery, thrown));
    }

    /** Returns whether the work on a record has failed, and the container does not know that yet. */
    synchronized boolean contain(ConsumerRecord<?, ?> record) {
        return failed.containsKey(record);
    }

    /** Notes that a record is decided. The container gets the next failed one of its partition. */
    void ended(ConsumerRecord<?, ?> record) {
        nextAfter(record).ifPresent(next -> next.delivery().retry().tell().accept(next.thrown()));
    }

    private synchronized Optional<Waiting> nextAfter(ConsumerRecord<?, ?> record) {
        Retries known = retries.get(OpenOffsets.partition(record));
        if (known == null || known.tried != record) {
            return Optional.empty();
        }
        Waiting next = known.waiting.poll();
        if (next == null) {
            retries.remove(OpenOffsets.partition(record));
            return Optional.empty();
        }
        known.tried = next.delivery().record();
        failed.put(known.tried, next.delivery());
        return Optional.of(next);
    }

    /** Sets the header with the number of the attempt, where the container has set it. */
    private static void count(CommonErrorHandler own, ConsumerRecord<?, ?> record) {
        if (record.headers().lastHeader(KafkaHeaders.DELIVERY_ATTEMPT) != null) {
            int attempt =
                    own.deliveryAttempt(new TopicPartitionOffset(record.topic(), record.partition(), record.offset()));
            record.headers().remove(KafkaHeaders.DELIVERY_ATTEMPT);
            record.headers()
                    .add(
                            KafkaHeaders.DELIVERY_ATTEMPT,
                            ByteBuffer.allocate(Integer.BYTES).putInt(attempt).array());
        }
    }

    private static Consumer<?, ?> notSeeking(Consumer<?, ?> consumer, AtomicBoolean sought) {
        return (Consumer<?, ?>) Proxy.newProxyInstance(
                AsyncFailures.class.getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("seek")) {
                        sought.set(true);
                        return null;
                    }
                    return AopUtils.invokeJoinpointUsingReflection(consumer, method, arguments);
                });
    }

    /** A failure that the error handler is asked about once those before it are decided. */
    private record Waiting(FailedDelivery delivery, RuntimeException thrown) {}

    /** Failed records of one partition: the one that is tried again, and those that wait for its end. */
    private static final class Retries {

        private ConsumerRecord<?, ?> tried;
        private final Queue<Waiting> waiting = new PriorityQueue<>(
                Comparator.comparingLong(next -> next.delivery().record().offset()));

        Retries(ConsumerRecord<?, ?> tried) {
            this.tried = tried;
        }
    }
}
