package io.idem.consumer.kafka.deadletter;

import io.idem.FailurePolicy;
import io.idem.consumer.internal.kafka.message.DeadLetterHeaders;
import io.idem.consumer.internal.kafka.message.DeadLetterWay;
import io.idem.consumer.internal.kafka.message.FirstPosition;
import io.idem.consumer.internal.kafka.message.KeyInProgressException;
import io.idem.consumer.internal.kafka.publish.DurableAcks;
import io.idem.consumer.internal.kafka.publish.VerbatimTemplate;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer.HeaderNames.HeadersToAdd;

/**
 * Publishes dead letters to the topic of the record plus a suffix, and waits until the broker has confirmed them. A letter
 * that its headers make too large is published without those about its failure; one that is too large even so waits, and
 * its partition with it. Thread-safe.
 */
final class DeadLetterTopic implements DeadLetterWay {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTopic.class);
    private static final int ANY_PARTITION = -1;

    /** The longest pause is 2 to the power of this, in seconds. */
    private static final int MOST_DOUBLINGS = 8;

    /** Longer than the longest pause: a letter that was not tried for so long is another consumer's. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    /** The time limit of a question to the broker. */
    private static final int TIMEOUT_MILLIS = 5_000;

    private final Map<String, Object> settings;
    private final String suffix;
    private final Publisher whole;
    private final Publisher bare;
    private final Map<FirstPosition, Stuck> stuck = new ConcurrentHashMap<>();

    /**
     * Makes a dead-letter topic for each topic.
     *
     * @param template publishes all records but those of the other one; must send with acks=all
     */
    DeadLetterTopic(KafkaOperations<?, ?> template, VerbatimTemplate verbatim, String suffix) {
        this.suffix = suffix;
        this.settings = template.getProducerFactory().getConfigurationProperties();
        DurableAcks.require("The KafkaTemplate for dead letters", settings);
        this.whole = new Publisher(template, verbatim, suffix, false);
        this.bare = new Publisher(template, verbatim, suffix, true);
    }

    @Override
    public void send(ConsumerRecord<?, ?> record, KafkaDeadLetterException why) {
        publish(record, why.record(), why.getCause() instanceof Exception failure ? failure : why);
    }

    /**
     * Publishes a dead letter, and returns when the broker has confirmed it; throws if it did not. One that its own
     * listener has read from its topic is there already.
     *
     * @param name of the record in logs
     * @throws KeyInProgressException if it is too large; says how long its partition is to wait
     */
    void publish(ConsumerRecord<?, ?> record, String name, Exception failure) {
        if (record.topic().equals(DeadLetterHeaders.origin(record) + suffix)) {
            return;
        }
        FirstPosition letter = FirstPosition.of(record);
        Stuck known = stuck.get(letter);
        try {
            (known == null ? whole : bare).accept(record, failure);
            stuck.remove(letter);
        } catch (KafkaException failed) {
            if (FailurePolicy.causes(failed).noneMatch(RecordTooLargeException.class::isInstance)) {
                throw failed;
            }
            if (known != null) {
                throw waiting(record, name, known.tries(), failed);
            }
            LOG.warn(
                    "The dead letter of {} is too large ({}); it is published without the headers about its failure",
                    name,
                    failed.getMessage(),
                    failure);
            stuck.put(letter, new Stuck(0, 0, System.nanoTime()));
            publish(record, name, failure);
        }
    }

    private KeyInProgressException waiting(ConsumerRecord<?, ?> record, String name, int tries, KafkaException failed) {
        TopicPartition from = new TopicPartition(record.topic(), record.partition());
        Duration pause = Duration.ofSeconds(1L << tries);
        Stuck now = new Stuck(Math.min(tries + 1, MOST_DOUBLINGS), behind(record, from), System.nanoTime());
        stuck.put(FirstPosition.of(record), now);
        int headers = Arrays.stream(record.headers().toArray())
                .mapToInt(header -> header.key().length() + (header.value() == null ? 0 : header.value().length))
                .sum();
        String why = "The dead letter of " + name + " is too large without headers of its own: "
                + record.serializedValueSize() + " bytes and headers of " + headers
                + ". Raise " + limits(failed) + "; until then " + now.behind() + " records stand behind it";
        LOG.atLevel(tries == 0 ? Level.ERROR : Level.DEBUG).log("{}. The next try is in {}", why, pause);
        return new KeyInProgressException(why, from, pause, failed, null);
    }

    private String limits(KafkaException failed) {
        boolean buffer = FailurePolicy.causes(failed)
                .map(cause -> String.valueOf(cause.getMessage()))
                .anyMatch(said -> said.contains(ProducerConfig.BUFFER_MEMORY_CONFIG));
        return buffer
                ? "buffer.memory of the producer (" + settings.get(ProducerConfig.BUFFER_MEMORY_CONFIG) + ")"
                : "max.request.size of the producer ("
                        + settings.getOrDefault(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "1048576")
                        + ") or max.message.bytes of the dead-letter topic";
    }

    /** Returns the number of records behind one; 0 if the broker does not tell. */
    private long behind(ConsumerRecord<?, ?> record, TopicPartition from) {
        Map<String, Object> asking = new HashMap<>(settings);
        asking.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        asking.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        try (Admin admin = Admin.create(asking)) {
            var end = admin.listOffsets(Map.of(from, OffsetSpec.latest())).partitionResult(from);
            return end.toCompletionStage().toCompletableFuture().join().offset() - record.offset() - 1;
        } catch (RuntimeException silent) {
            LOG.debug("The end of {} is not known", from, silent);
            return 0;
        }
    }

    /** Returns the number of records that stood behind letters which are too large, at the last try of each. */
    long behind() {
        stuck.values().removeIf(old -> System.nanoTime() - old.triedAt() > FORGOTTEN.toNanos());
        return stuck.values().stream().mapToLong(Stuck::behind).sum();
    }

    /** A letter that is too large, and the number of records behind it. */
    private record Stuck(int tries, long behind, long triedAt) {}

    /** Throws why a letter was not sent, which its parent only logs. */
    private static final class Publisher extends DeadLetterPublishingRecoverer {

        private final boolean bare;

        Publisher(KafkaOperations<?, ?> template, VerbatimTemplate verbatim, String suffix, boolean bare) {
            super(
                    letter -> verbatim.isFor(letter) ? verbatim.get() : template,
                    template.isTransactional(),
                    (record, failure) ->
                            new TopicPartition(FirstPosition.of(record).topic() + suffix, ANY_PARTITION));
            this.bare = bare;
            setFailIfSendResultIsError(true);
            excludeHeader(HeadersToAdd.EX_STACKTRACE);
        }

        @Override
        protected ProducerRecord<Object, Object> createProducerRecord(
                ConsumerRecord<?, ?> record,
                TopicPartition to,
                Headers headers,
                byte @Nullable [] key,
                byte @Nullable [] value) {
            Headers sent = bare ? KafkaDeadLetter.original(record.headers()) : headers;
            return super.createProducerRecord(record, to, sent, key, value);
        }

        @Override
        protected void publish(
                ProducerRecord<Object, Object> letter,
                KafkaOperations<Object, Object> template,
                ConsumerRecord<?, ?> record) {
            verifySendResult(template, letter, template.send(letter), record);
        }
    }
}
