package io.idem.consumer.kafka.deadletter;

import io.idem.consumer.internal.kafka.message.DeadLetterWay;
import io.idem.consumer.internal.kafka.message.FirstPosition;
import io.idem.consumer.internal.kafka.publish.DurableAcks;
import io.idem.consumer.internal.kafka.publish.VerbatimTemplate;
import io.idem.consumer.kafka.KafkaDeadLetterException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;

/** Publishes dead letters to the topic of the record plus a suffix, and waits until the broker has confirmed them. */
final class DeadLetterTopic implements DeadLetterWay {

    private static final int ANY_PARTITION = -1;

    private final DeadLetterPublishingRecoverer publisher;

    /**
     * Makes a dead-letter topic for each topic.
     *
     * @param template publishes all records but those of the other one; must send with acks=all
     */
    DeadLetterTopic(KafkaOperations<?, ?> template, VerbatimTemplate verbatim, String suffix) {
        DurableAcks.require(
                "The KafkaTemplate for dead letters",
                template.getProducerFactory().getConfigurationProperties());
        this.publisher = new DeadLetterPublishingRecoverer(
                letter -> verbatim.isFor(letter) ? verbatim.get() : template,
                template.isTransactional(),
                (record, failure) -> new TopicPartition(FirstPosition.of(record).topic() + suffix, ANY_PARTITION));
        publisher.setFailIfSendResultIsError(true);
    }

    @Override
    public void send(ConsumerRecord<?, ?> record, KafkaDeadLetterException why) {
        publish(record, why);
    }

    /** Publishes a dead letter, and returns when the broker has confirmed it; throws if it did not. */
    void publish(ConsumerRecord<?, ?> record, Exception failure) {
        publisher.accept(record, failure);
    }
}
