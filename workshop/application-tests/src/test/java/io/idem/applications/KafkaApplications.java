package io.idem.applications;

import static io.idem.applications.story.Outcome.NOT_PROTECTED;
import static io.idem.applications.story.Outcome.PROTECTED;
import static io.idem.applications.story.Outcome.REFUSED;
import static io.idem.applications.story.Outcome.STOPPED;
import static io.idem.applications.story.Trait.DATABASE;
import static io.idem.applications.story.Trait.KILLED_IN_CI;
import static io.idem.applications.story.Trait.NO_LISTENER;
import static io.idem.applications.story.Trait.QUICK;

import io.idem.applications.kafka.advicechain.AdvisedPayments;
import io.idem.applications.kafka.asyncacks.AsynchronousAcknowledgements;
import io.idem.applications.kafka.asyncannotation.OwnAsyncAnnotation;
import io.idem.applications.kafka.autocommit.AutoCommittedPayments;
import io.idem.applications.kafka.batches.BatchedPayments;
import io.idem.applications.kafka.blankkey.BlankKeys;
import io.idem.applications.kafka.bodykey.KeyInTheBody;
import io.idem.applications.kafka.boundfunctions.BoundPayments;
import io.idem.applications.kafka.concurrent.ConcurrentPayments;
import io.idem.applications.kafka.countmode.CountPayments;
import io.idem.applications.kafka.counttimemode.CountTimePayments;
import io.idem.applications.kafka.deadletters.DeadLetteredPayments;
import io.idem.applications.kafka.fanout.FannedOut;
import io.idem.applications.kafka.filtered.FilteredPayments;
import io.idem.applications.kafka.fingerprint.ComparedPayloads;
import io.idem.applications.kafka.functions.FunctionPayments;
import io.idem.applications.kafka.future.FuturePayments;
import io.idem.applications.kafka.handlers.HandledPayments;
import io.idem.applications.kafka.inbox.InboxPayments;
import io.idem.applications.kafka.inboxapart.AuditedPayments;
import io.idem.applications.kafka.inboxtransactions.InboxInTransactions;
import io.idem.applications.kafka.inherited.InheritedPayments;
import io.idem.applications.kafka.interceptor.InterceptedPayments;
import io.idem.applications.kafka.interceptortransaction.InterceptorTransaction;
import io.idem.applications.kafka.lambdacontainer.LambdaContainer;
import io.idem.applications.kafka.lambdapool.LambdaPool;
import io.idem.applications.kafka.lazyinitretrytopics.LazilyInitialized;
import io.idem.applications.kafka.lazyretrytopics.LazyRetryTopics;
import io.idem.applications.kafka.listenererrorhandler.ExcusedPayments;
import io.idem.applications.kafka.manual.ManualPayments;
import io.idem.applications.kafka.manualimmediate.ManualImmediatePayments;
import io.idem.applications.kafka.manualpool.ManualPool;
import io.idem.applications.kafka.mono.ReactivePayments;
import io.idem.applications.kafka.namedcreator.NamedCreator;
import io.idem.applications.kafka.otherpayload.OtherPayloads;
import io.idem.applications.kafka.owncommonerrorhandler.OwnErrorHandler;
import io.idem.applications.kafka.plain.PlainPayments;
import io.idem.applications.kafka.prototyperetrytopics.PrototypeRetryTopics;
import io.idem.applications.kafka.reactivefunctions.ReactiveFunction;
import io.idem.applications.kafka.recordmode.RecordPayments;
import io.idem.applications.kafka.recovered.RecoveredPayments;
import io.idem.applications.kafka.registrarfactory.RegistrarFactory;
import io.idem.applications.kafka.requeued.RequeuedPayments;
import io.idem.applications.kafka.retrytopics.RetryTopics;
import io.idem.applications.kafka.secondcreator.SecondCreator;
import io.idem.applications.kafka.services.GuardedService;
import io.idem.applications.kafka.swallowing.SwallowingAspect;
import io.idem.applications.kafka.timedfuture.TimedFuture;
import io.idem.applications.kafka.timemode.TimePayments;
import io.idem.applications.kafka.transactional.TransactionalPayments;
import io.idem.applications.kafka.transactions.ContainerTransactions;
import io.idem.applications.kafka.twobeans.TwoBeans;
import io.idem.applications.kafka.virtualthreads.VirtualPayments;
import io.idem.applications.story.Application;
import io.idem.applications.story.Outcome;
import io.idem.applications.story.Transport;
import java.util.List;

/** The Kafka applications, with the configurations that users write. */
final class KafkaApplications {

    private KafkaApplications() {}

    static List<Application> all() {
        return List.of(
                of(PlainPayments.class, "a listener, an annotation and a scope", PROTECTED)
                        .is(QUICK, KILLED_IN_CI),
                of(RecordPayments.class, "RECORD", PROTECTED)
                        .with(
                                "spring.kafka.listener.ack-mode=record",
                                "spring.kafka.listener.ack-count=5",
                                "spring.kafka.listener.ack-time=100ms"),
                of(CountPayments.class, "COUNT", PROTECTED)
                        .with(
                                "spring.kafka.listener.ack-mode=count",
                                "spring.kafka.listener.ack-count=5",
                                "spring.kafka.listener.ack-time=100ms"),
                of(TimePayments.class, "TIME", PROTECTED)
                        .with(
                                "spring.kafka.listener.ack-mode=time",
                                "spring.kafka.listener.ack-count=5",
                                "spring.kafka.listener.ack-time=100ms"),
                of(CountTimePayments.class, "COUNT_TIME", PROTECTED)
                        .with(
                                "spring.kafka.listener.ack-mode=count_time",
                                "spring.kafka.listener.ack-count=5",
                                "spring.kafka.listener.ack-time=100ms"),
                of(ConcurrentPayments.class, "several consumers", PROTECTED),
                of(ManualPayments.class, "MANUAL", PROTECTED).with("spring.kafka.listener.ack-mode=manual"),
                of(ManualImmediatePayments.class, "MANUAL_IMMEDIATE", PROTECTED)
                        .with("spring.kafka.listener.ack-mode=manual_immediate"),
                of(BatchedPayments.class, "a batch listener", PROTECTED).is(KILLED_IN_CI),
                of(FuturePayments.class, "a future", PROTECTED).is(KILLED_IN_CI),
                of(ReactivePayments.class, "a `Mono`", PROTECTED),
                of(TimedFuture.class, "a future with `orTimeout`", PROTECTED),
                of(HandledPayments.class, "a class with `@KafkaHandler` methods", PROTECTED),
                of(DeadLetteredPayments.class, "`DeadLetterPublishingRecoverer`", PROTECTED),
                of(RecoveredPayments.class, "a recoverer that keeps the record", PROTECTED),
                of(OwnErrorHandler.class, "a `CommonErrorHandler` of its own", PROTECTED),
                of(ExcusedPayments.class, "`KafkaListenerErrorHandler` that takes the failure over", PROTECTED),
                of(RetryTopics.class, "`@RetryableTopic`", PROTECTED).is(KILLED_IN_CI),
                of(LazyRetryTopics.class, "`@RetryableTopic` on a `@Lazy` bean", PROTECTED),
                of(PrototypeRetryTopics.class, "`@RetryableTopic` on a prototype", PROTECTED),
                of(LazilyInitialized.class, "`@RetryableTopic` under lazy initialization", PROTECTED)
                        .with("spring.main.lazy-initialization=true"),
                of(ManualPool.class, "MANUAL, acknowledged later by a pool", PROTECTED)
                        .with("spring.kafka.listener.ack-mode=manual")
                        .is(KILLED_IN_CI),
                of(AdvisedPayments.class, "an advice chain in the container properties", PROTECTED)
                        .is(QUICK),
                of(NamedCreator.class, "`BeanNameAutoProxyCreator`", PROTECTED),
                of(SecondCreator.class, "`DefaultAdvisorAutoProxyCreator` beside Spring Boot's", PROTECTED),
                of(ContainerTransactions.class, "`transaction-id-prefix`", PROTECTED)
                        .with("spring.kafka.producer.transaction-id-prefix=${shop.queue}-"),
                of(InboxInTransactions.class, "an inbox with `transaction-id-prefix`", REFUSED)
                        .with(
                                "spring.kafka.producer.transaction-id-prefix=${shop.queue}-",
                                "idem.jdbc.enabled=true",
                                "idem.jdbc.initialize-schema=always")
                        .saying(
                                "asks for an inbox, which opens a transaction of its own, inside a transaction of its container")
                        .is(DATABASE),
                of(InterceptorTransaction.class, "a transaction begun in a `RecordInterceptor`", STOPPED)
                        .saying("transaction")
                        .is(DATABASE),
                of(LambdaContainer.class, "a container of its own that calls the method from a lambda", STOPPED)
                        .saying("outside a delivery"),
                of(LambdaPool.class, "a container of its own whose lambda hands the record to a pool", STOPPED)
                        .saying("outside a delivery"),
                of(SwallowingAspect.class, "an aspect that answers for the listener", STOPPED)
                        .saying("was not called"),
                of(AuditedPayments.class, "an inbox, and a `REQUIRES_NEW` service", STOPPED)
                        .with("idem.jdbc.enabled=true", "idem.jdbc.initialize-schema=always")
                        .saying("asked for a transaction that commits apart from its inbox row")
                        .is(DATABASE),
                of(InterceptedPayments.class, "a `RecordInterceptor`", PROTECTED),
                of(FilteredPayments.class, "a `RecordFilterStrategy`", PROTECTED),
                of(KeyInTheBody.class, "the key by an expression over the body", PROTECTED)
                        .with("shop.key-place=BODY"),
                of(VirtualPayments.class, "virtual threads", PROTECTED).with("spring.threads.virtual.enabled=true"),
                of(GuardedService.class, "`@Idempotent` on a method that a plain listener calls", PROTECTED)
                        .is(QUICK, KILLED_IN_CI, NO_LISTENER),
                bound(FunctionPayments.class, "a function of Spring Cloud Stream", PROTECTED)
                        .is(QUICK, KILLED_IN_CI),
                bound(BoundPayments.class, "a function named in `idem.cloud-stream.bindings`", PROTECTED)
                        .with("idem.cloud-stream.bindings.pay-in-0=payments"),
                bound(ReactiveFunction.class, "a reactive function of Spring Cloud Stream", REFUSED)
                        .saying("reactive"),
                of(TransactionalPayments.class, "`@Transactional`", PROTECTED).is(DATABASE),
                of(InboxPayments.class, "an inbox", PROTECTED)
                        .with("idem.jdbc.enabled=true", "idem.jdbc.initialize-schema=always")
                        .is(DATABASE, KILLED_IN_CI),
                of(RegistrarFactory.class, "`registrar.setContainerFactory(new …)`", PROTECTED),
                of(OwnAsyncAnnotation.class, "`@EnableAsync(annotation = …)` on the class", REFUSED)
                        .saying("sync"),
                of(AutoCommittedPayments.class, "`enable.auto.commit`", REFUSED)
                        .with("spring.kafka.consumer.enable-auto-commit=true")
                        .saying("enable.auto.commit"),
                of(AsynchronousAcknowledgements.class, "`asyncAcks`", REFUSED)
                        .with("spring.kafka.listener.ack-mode=manual", "spring.kafka.listener.async-acks=true")
                        .saying("asyncAcks"),
                of(InheritedPayments.class, "a package-private listener method inherited from another package", REFUSED)
                        .saying("pay"),
                of(BlankKeys.class, "a key of blanks: a dead letter", PROTECTED)
                        .with("idem.consumer.kafka.dead-letter.topic-suffix=-dlt")
                        .proving(Proofs::aKeyOfBlanksIsADeadLetter),
                of(
                                OtherPayloads.class,
                                "another payload under a used key, without a fingerprint (the default)",
                                NOT_PROTECTED)
                        .proving(Proofs::anotherPayloadIsTakenForADuplicate),
                of(RequeuedPayments.class, "a copy sent back to the topic after a failure", PROTECTED)
                        .is(KILLED_IN_CI),
                of(FannedOut.class, "one record made into three with its headers", PROTECTED)
                        .proving(Proofs::eachItemIsPaidOnce),
                of(TwoBeans.class, "two beans of one class, `scope = \"#{__listener.scope}\"`", PROTECTED),
                of(ComparedPayloads.class, "another payload under a used key, `fingerprint = BODY`", PROTECTED)
                        .with("idem.consumer.kafka.dead-letter.topic-suffix=-dlt")
                        .proving(Proofs::anotherPayloadIsADeadLetter));
    }

    /** Returns an application whose function is bound to its topic. */
    private static Application bound(Class<?> application, String configuration, Outcome outcome) {
        return of(application, configuration, outcome)
                .with(
                        "spring.cloud.function.definition=pay",
                        "spring.cloud.stream.default-binder=kafka",
                        "spring.cloud.stream.kafka.binder.brokers=${spring.kafka.bootstrap-servers}",
                        "spring.cloud.stream.bindings.pay-in-0.destination=${shop.queue}",
                        "spring.cloud.stream.bindings.pay-in-0.group=${shop.queue}");
    }

    private static Application of(Class<?> application, String configuration, Outcome outcome) {
        return Application.of(Transport.KAFKA, application, configuration, outcome);
    }
}
