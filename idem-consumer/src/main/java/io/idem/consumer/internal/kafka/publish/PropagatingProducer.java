package io.idem.consumer.internal.kafka.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Received;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;

/**
 * Decorates the application's own producer to carry the idempotency key on: inside idempotent work, records get the
 * headers they lack, and the work waits for their confirm. All other calls are passed on. Does not keep records in an
 * inbox row: for that there is {@link io.idem.consumer.kafka.publish.PropagatingKafkaTemplate
 * PropagatingKafkaTemplate}.
 */
public final class PropagatingProducer<K, V> implements Producer<K, V> {

    private final Producer<K, V> application;
    private final boolean replies;

    /**
     * Decorates a producer of the application.
     *
     * @param replies whether replies to a delivery get headers too
     */
    public PropagatingProducer(Producer<K, V> application, boolean replies) {
        this.application = application;
        this.replies = replies;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<K, V> record) {
        return send(record, null);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<K, V> record, @Nullable Callback callback) {
        if (record instanceof PropagatedRecord) {
            return application.send(record, callback);
        }
        Optional<IdempotencyContext> context = BoundContexts.toPublish(() -> PropagatedRecord.outgoing(record));
        if (context.isEmpty()) {
            return application.send(replies ? PropagatedRecord.ofReply(record) : record, callback);
        }
        PropagatedRecord<K, V> propagated = PropagatedRecord.of(record, context.get());
        CompletableFuture<RecordMetadata> confirmation = new CompletableFuture<>();
        Future<RecordMetadata> sent = application.send(propagated, confirming(confirmation, callback));
        context.get().publications().track(confirmation, () -> sendAgain(propagated));
        Received.published(context.get(), PropagatedRecord.outgoing(propagated));
        return sent;
    }

    private CompletableFuture<RecordMetadata> sendAgain(PropagatedRecord<K, V> record) {
        CompletableFuture<RecordMetadata> confirmation = new CompletableFuture<>();
        var unused = application.send(record.copy(), confirming(confirmation, null));
        return confirmation;
    }

    private static Callback confirming(CompletableFuture<RecordMetadata> confirmation, @Nullable Callback callback) {
        return (metadata, failure) -> {
            if (failure == null) {
                confirmation.complete(metadata);
            } else {
                confirmation.completeExceptionally(failure);
            }
            if (callback != null) {
                callback.onCompletion(metadata, failure);
            }
        };
    }

    @Override
    public void initTransactions() {
        application.initTransactions();
    }

    @Override
    public void beginTransaction() {
        application.beginTransaction();
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata groupMetadata) {
        application.sendOffsetsToTransaction(offsets, groupMetadata);
    }

    @Override
    public void commitTransaction() {
        application.commitTransaction();
    }

    @Override
    public void abortTransaction() {
        application.abortTransaction();
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        application.registerMetricForSubscription(metric);
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        application.unregisterMetricFromSubscription(metric);
    }

    @Override
    public void flush() {
        application.flush();
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return application.partitionsFor(topic);
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return application.metrics();
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return application.clientInstanceId(timeout);
    }

    @Override
    public void close() {
        application.close();
    }

    @Override
    public void close(Duration timeout) {
        application.close(timeout);
    }
}
