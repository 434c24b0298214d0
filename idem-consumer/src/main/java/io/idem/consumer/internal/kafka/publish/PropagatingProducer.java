package io.idem.consumer.internal.kafka.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.delivery.Received;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;

/**
 * Decorates the application's own producer to carry the idempotency key on: inside idempotent work, records get the
 * headers they lack, and the work waits for their confirm. All other calls are passed on. Does not keep records in an
 * inbox row: for that there is {@link io.idem.consumer.kafka.publish.PropagatingKafkaTemplate
 * PropagatingKafkaTemplate}.
 */
public record PropagatingProducer<K, V>(Producer<K, V> application, boolean replies) implements MethodInterceptor {

    /**
     * Decorates a producer of the application.
     *
     * @param replies whether replies to a delivery that carry no key get one
     */
    @SuppressWarnings("unchecked")
    public static <K, V> Producer<K, V> of(Producer<K, V> application, boolean replies) {
        ProxyFactory proxy = new ProxyFactory(Producer.class, new PropagatingProducer<>(application, replies));
        proxy.setTarget(application);
        return (Producer<K, V>) proxy.getProxy(PropagatingProducer.class.getClassLoader());
    }

    @Override
    @SuppressWarnings("unchecked")
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        if (Probe.endsAt(this)) {
            return null;
        }
        Object[] arguments = invocation.getArguments();
        return invocation.getMethod().getName().equals("send")
                ? send((ProducerRecord<K, V>) arguments[0], arguments.length > 1 ? (Callback) arguments[1] : null)
                : invocation.proceed();
    }

    private Future<RecordMetadata> send(ProducerRecord<K, V> record, @Nullable Callback callback) {
        if (record instanceof PropagatedRecord) {
            return application.send(record, callback);
        }
        Optional<IdempotencyContext> context = BoundContexts.toPublish(() -> PropagatedRecord.outgoing(record));
        if (context.isEmpty()) {
            return application.send(PropagatedRecord.ofReply(record, replies), callback);
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
}
