package io.idem.benchmarks.database;

import io.idem.benchmarks.listener.KafkaTopic;
import io.idem.servers.RunningKafka;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A topic whose messages are counted as they arrive. Lets only so many messages be on their way that no sender can fall
 * behind for good. Thread-safe.
 */
final class Arrivals implements AutoCloseable {

    private static final int MOST_ON_THEIR_WAY = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaTopic topic;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Semaphore permits = new Semaphore(MOST_ON_THEIR_WAY);
    private final Thread counting;

    Arrivals(RunningKafka kafka) throws Exception {
        topic = KafkaTopic.create(kafka);
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
        consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<TopicPartition> partition = List.of(new TopicPartition(topic.name(), 0));
        consumer.assign(partition);
        consumer.seekToBeginning(partition);
        counting = new Thread(this::count, "bench-arrivals");
        counting.setDaemon(true);
        counting.start();
    }

    String topic() {
        return topic.name();
    }

    private void count() {
        try {
            while (true) {
                permits.release(consumer.poll(POLL).count());
            }
        } catch (WakeupException closed) {
            consumer.close();
        }
    }

    /** Waits until one more message may be on its way. */
    void beforeSending() throws InterruptedException {
        acquire(1);
    }

    /** Waits until every message has arrived. */
    void awaitAll() throws InterruptedException {
        acquire(MOST_ON_THEIR_WAY);
        permits.release(MOST_ON_THEIR_WAY);
    }

    private void acquire(int number) throws InterruptedException {
        if (!permits.tryAcquire(number, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("Messages did not arrive within " + PATIENCE);
        }
    }

    @Override
    public void close() {
        consumer.wakeup();
        try {
            counting.join();
            topic.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
