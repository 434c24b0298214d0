package io.idem.consumer.internal.kafka.publish;

import io.idem.IdempotencyContext;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.delivery.Received;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.kafka.support.KafkaHeaders;

/**
 * Decorates the application's own producer to carry the idempotency key on: inside idempotent work, records get the
 * headers they lack, and the work waits for their confirm. All other calls are passed on. Does not keep records in an
 * inbox row: for that there is {@link io.idem.consumer.kafka.publish.PropagatingKafkaTemplate
 * PropagatingKafkaTemplate}. Warns once of each scope whose work sends one from an inbox, but for requests.
 *
 * @param warned the scopes of which it has warned
 */
public record PropagatingProducer<K, V>(Producer<K, V> application, boolean replies, Set<Scope> warned)
        implements MethodInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(PropagatingProducer.class);

    /**
     * Decorates a producer of the application.
     *
     * @param replies whether replies to a delivery that carry no key get one
     * @param warned the scopes of which it has warned; concurrent
     */
    @SuppressWarnings("unchecked")
    public static <K, V> Producer<K, V> of(Producer<K, V> application, boolean replies, Set<Scope> warned) {
        ProxyFactory proxy = new ProxyFactory(Producer.class, new PropagatingProducer<>(application, replies, warned));
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
        context.get().publications().requireNoStep();
        CompletableFuture<RecordMetadata> confirmation = new CompletableFuture<>();
        Future<RecordMetadata> sent = application.send(propagated, confirming(confirmation, callback));
        warnOfInbox(context.get(), record);
        context.get().publications().track(confirmation, () -> sendAgain(propagated));
        Received.published(context.get(), PropagatedRecord.outgoing(propagated));
        return sent;
    }

    private void warnOfInbox(IdempotencyContext work, ProducerRecord<K, V> record) {
        boolean request = record.headers().lastHeader(KafkaHeaders.REPLY_TOPIC) != null;
        if (work.publications().keeping() && !request && warned.add(work.scope())) {
            LOG.warn(
                    "The work of {} sent a record to topic {} from its inbox, by a template that cannot keep it:"
                            + " it leaves before the commit, and stays if the work is rolled back. Send it by Boot's"
                            + " KafkaTemplate, or make the template a PropagatingKafkaTemplate; a function sends it so"
                            + " instead of returning it",
                    new RecordId(work.key(), work.scope()),
                    record.topic());
        }
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
