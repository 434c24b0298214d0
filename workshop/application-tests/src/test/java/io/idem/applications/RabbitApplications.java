package io.idem.applications;

import static io.idem.applications.story.Outcome.NOT_PROTECTED;
import static io.idem.applications.story.Outcome.PROTECTED;
import static io.idem.applications.story.Outcome.REFUSED;
import static io.idem.applications.story.Outcome.STOPPED;
import static io.idem.applications.story.Outcome.WARNED;
import static io.idem.applications.story.Trait.DATABASE;
import static io.idem.applications.story.Trait.KILLED_IN_CI;
import static io.idem.applications.story.Trait.NO_LISTENER;
import static io.idem.applications.story.Trait.QUICK;
import static io.idem.applications.story.Trait.REAL_RABBITMQ;

import io.idem.applications.rabbit.acknowledgingerrorhandler.AcknowledgingErrorHandler;
import io.idem.applications.rabbit.adaptercontainer.AdapterContainer;
import io.idem.applications.rabbit.amqpreply.AnsweredWithAmqp;
import io.idem.applications.rabbit.asyncbeside.AsyncBeside;
import io.idem.applications.rabbit.asyncclass.AsyncPayments;
import io.idem.applications.rabbit.backoff.RestingPayments;
import io.idem.applications.rabbit.batches.BatchedPayments;
import io.idem.applications.rabbit.blankkey.BlankKeys;
import io.idem.applications.rabbit.bodykey.KeyInTheBody;
import io.idem.applications.rabbit.bootretry.RetriedPayments;
import io.idem.applications.rabbit.boundfunctions.BoundPayments;
import io.idem.applications.rabbit.composed.ComposedAnnotation;
import io.idem.applications.rabbit.concurrent.ConcurrentPayments;
import io.idem.applications.rabbit.connectiontenant.ConnectionTenant;
import io.idem.applications.rabbit.customizedadvice.CustomizedAdvice;
import io.idem.applications.rabbit.direct.DirectPayments;
import io.idem.applications.rabbit.expiring.ExpiringPayments;
import io.idem.applications.rabbit.fanout.FannedOut;
import io.idem.applications.rabbit.fatalstrategy.FatalStrategy;
import io.idem.applications.rabbit.finalclass.FinalPayments;
import io.idem.applications.rabbit.fingerprint.ComparedPayloads;
import io.idem.applications.rabbit.functions.FunctionPayments;
import io.idem.applications.rabbit.future.FuturePayments;
import io.idem.applications.rabbit.handlers.HandledPayments;
import io.idem.applications.rabbit.headerkey.KeyInAHeader;
import io.idem.applications.rabbit.hiddentemplate.HiddenTemplate;
import io.idem.applications.rabbit.inbox.InboxPayments;
import io.idem.applications.rabbit.inboxapart.AuditedPayments;
import io.idem.applications.rabbit.inherited.InheritedPayments;
import io.idem.applications.rabbit.lambdacontainer.LambdaContainer;
import io.idem.applications.rabbit.lambdapool.LambdaPool;
import io.idem.applications.rabbit.lazy.LazyPayments;
import io.idem.applications.rabbit.listenererrorhandler.ExcusedPayments;
import io.idem.applications.rabbit.manual.ManualPayments;
import io.idem.applications.rabbit.manualannotation.ManualByAnnotation;
import io.idem.applications.rabbit.manualdirect.ManualDirectPayments;
import io.idem.applications.rabbit.manualpool.ManualPool;
import io.idem.applications.rabbit.mono.ReactivePayments;
import io.idem.applications.rabbit.namedcreator.NamedCreator;
import io.idem.applications.rabbit.noconfirms.WithoutConfirms;
import io.idem.applications.rabbit.none.UnacknowledgedPayments;
import io.idem.applications.rabbit.norequeue.RejectedPayments;
import io.idem.applications.rabbit.otherpayload.OtherPayloads;
import io.idem.applications.rabbit.overriddenfactory.OverriddenFactory;
import io.idem.applications.rabbit.ownadvice.AdvisedPayments;
import io.idem.applications.rabbit.ownfactory.OwnFactoryPayments;
import io.idem.applications.rabbit.owntemplate.OwnTemplate;
import io.idem.applications.rabbit.plain.PlainPayments;
import io.idem.applications.rabbit.prefetchone.OneAtATime;
import io.idem.applications.rabbit.primitive.CountedPayments;
import io.idem.applications.rabbit.privatemethod.PrivatePayments;
import io.idem.applications.rabbit.quorumservice.ServiceOnQuorumQueue;
import io.idem.applications.rabbit.reactivefunctions.ReactiveFunction;
import io.idem.applications.rabbit.recovered.RecoveredPayments;
import io.idem.applications.rabbit.registrarfactory.RegistrarFactory;
import io.idem.applications.rabbit.rejectingerrorhandler.RejectingErrorHandler;
import io.idem.applications.rabbit.reply.AnsweredPayments;
import io.idem.applications.rabbit.republished.RepublishedPayments;
import io.idem.applications.rabbit.requeued.RequeuedPayments;
import io.idem.applications.rabbit.requeuedinbox.RequeuedInInbox;
import io.idem.applications.rabbit.resilient.ResilientPayments;
import io.idem.applications.rabbit.secondcreator.SecondCreator;
import io.idem.applications.rabbit.secured.SecuredPayments;
import io.idem.applications.rabbit.services.GuardedService;
import io.idem.applications.rabbit.statefulretry.StatefullyRetriedPayments;
import io.idem.applications.rabbit.stream.StreamPayments;
import io.idem.applications.rabbit.swallowing.SwallowingAspect;
import io.idem.applications.rabbit.timedfuture.TimedFuture;
import io.idem.applications.rabbit.transacted.TransactedPayments;
import io.idem.applications.rabbit.transactionadvice.TransactionAdvice;
import io.idem.applications.rabbit.transactional.TransactionalPayments;
import io.idem.applications.rabbit.twoconnections.TwoConnections;
import io.idem.applications.rabbit.twohosts.TwoHosts;
import io.idem.applications.rabbit.unannotated.UnannotatedListener;
import io.idem.applications.rabbit.unwantedevent.UnwantedEvents;
import io.idem.applications.rabbit.unwantedinboxevent.UnwantedInboxEvents;
import io.idem.applications.rabbit.validated.ValidatedPayments;
import io.idem.applications.rabbit.virtualthreads.VirtualPayments;
import io.idem.applications.story.Application;
import io.idem.applications.story.Outcome;
import io.idem.applications.story.Transport;
import java.util.List;

/** The RabbitMQ applications, with the configurations that users write. */
final class RabbitApplications {

    private RabbitApplications() {}

    static List<Application> all() {
        return List.of(
                of(PlainPayments.class, "a listener, an annotation and a scope", PROTECTED)
                        .is(QUICK, KILLED_IN_CI),
                of(DirectPayments.class, "direct container", PROTECTED)
                        .with("spring.rabbitmq.listener.type=direct")
                        .is(KILLED_IN_CI),
                of(ConcurrentPayments.class, "several consumers", PROTECTED),
                of(OneAtATime.class, "prefetch of one", PROTECTED).with("spring.rabbitmq.listener.simple.prefetch=1"),
                of(RejectedPayments.class, "`default-requeue-rejected=false` and a dead-letter queue", PROTECTED)
                        .with("spring.rabbitmq.listener.simple.default-requeue-rejected=false"),
                of(RetriedPayments.class, "Boot's retry", PROTECTED)
                        .with(
                                "spring.rabbitmq.listener.simple.retry.enabled=true",
                                "spring.rabbitmq.listener.simple.retry.initial-interval=10ms",
                                "spring.rabbitmq.listener.simple.retry.max-retries=2"),
                of(StatefullyRetriedPayments.class, "Boot's stateful retry", PROTECTED)
                        .with(
                                "spring.rabbitmq.listener.simple.retry.enabled=true",
                                "spring.rabbitmq.listener.simple.retry.stateless=false",
                                "spring.rabbitmq.listener.simple.retry.initial-interval=10ms",
                                "spring.rabbitmq.listener.simple.retry.max-retries=2",
                                "shop.key-place=MESSAGE_ID",
                                "idem.consumer.key-sources=message-id"),
                of(RepublishedPayments.class, "`RepublishMessageRecoverer`", PROTECTED)
                        .with(
                                "spring.rabbitmq.listener.simple.retry.enabled=true",
                                "spring.rabbitmq.listener.simple.retry.max-retries=0"),
                of(RecoveredPayments.class, "a `MessageRecoverer` that keeps the message", PROTECTED)
                        .with(
                                "spring.rabbitmq.listener.simple.retry.enabled=true",
                                "spring.rabbitmq.listener.simple.retry.max-retries=0"),
                of(ExcusedPayments.class, "`RabbitListenerErrorHandler` that takes the failure over", PROTECTED),
                of(ManualPayments.class, "MANUAL", PROTECTED)
                        .with("spring.rabbitmq.listener.simple.acknowledge-mode=manual")
                        .is(QUICK, KILLED_IN_CI),
                of(ManualDirectPayments.class, "MANUAL, direct container", PROTECTED)
                        .with(
                                "spring.rabbitmq.listener.type=direct",
                                "spring.rabbitmq.listener.direct.acknowledge-mode=manual"),
                of(ManualByAnnotation.class, "MANUAL on the annotation", PROTECTED),
                of(FuturePayments.class, "a future", PROTECTED).is(KILLED_IN_CI),
                of(ReactivePayments.class, "a `Mono`", PROTECTED),
                of(BatchedPayments.class, "consumer batches", PROTECTED),
                of(HandledPayments.class, "a class with `@RabbitHandler` methods", PROTECTED),
                of(KeyInTheBody.class, "the key by an expression over the body", PROTECTED)
                        .with("shop.key-place=BODY"),
                of(KeyInAHeader.class, "the key by an expression over headers", PROTECTED)
                        .with("shop.key-place=ORDER_HEADER"),
                of(VirtualPayments.class, "virtual threads", PROTECTED).with("spring.threads.virtual.enabled=true"),
                of(GuardedService.class, "`@Idempotent` on a method that a plain listener calls", PROTECTED)
                        .is(KILLED_IN_CI, NO_LISTENER),
                of(
                                ServiceOnQuorumQueue.class,
                                "`@Idempotent` on a method that a plain listener of a quorum queue calls",
                                PROTECTED)
                        .proving(Proofs::aCallInProgressUsesUpNoDeliveryLimit)
                        .is(NO_LISTENER, REAL_RABBITMQ),
                bound(FunctionPayments.class, "a function of Spring Cloud Stream", PROTECTED)
                        .is(KILLED_IN_CI),
                bound(BoundPayments.class, "a function named in `idem.cloud-stream.bindings`", PROTECTED)
                        .with("idem.cloud-stream.bindings.pay-in-0=payments"),
                bound(ReactiveFunction.class, "a reactive function of Spring Cloud Stream", REFUSED)
                        .saying("reactive"),
                of(OwnFactoryPayments.class, "a container factory bean", PROTECTED)
                        .is(KILLED_IN_CI),
                of(AdvisedPayments.class, "a factory with its own retry advice", PROTECTED),
                of(TransactedPayments.class, "a transacted channel", PROTECTED)
                        .with("spring.rabbitmq.publisher-confirm-type=none"),
                of(ResilientPayments.class, "`@Retryable` of Spring Framework", PROTECTED),
                of(TransactionalPayments.class, "`@Transactional`", PROTECTED).is(DATABASE),
                of(InboxPayments.class, "an inbox", PROTECTED)
                        .with("idem.jdbc.enabled=true", "idem.jdbc.initialize-schema=always")
                        .is(DATABASE, KILLED_IN_CI),
                of(RestingPayments.class, "idem's own back-off", PROTECTED),
                of(ValidatedPayments.class, "`@Validated`", PROTECTED),
                of(SecuredPayments.class, "`@PreAuthorize`", PROTECTED),
                of(AsyncBeside.class, "`@Async` on another method of the class", PROTECTED),
                of(LazyPayments.class, "lazy initialization", PROTECTED).with("spring.main.lazy-initialization=true"),
                of(UnacknowledgedPayments.class, "NONE", REFUSED).saying("NONE").is(QUICK),
                of(FinalPayments.class, "a final class", REFUSED).saying("final"),
                of(PrivatePayments.class, "a private method", REFUSED).saying("private"),
                of(CountedPayments.class, "a primitive result", REFUSED).saying("returns the primitive int"),
                of(AsyncPayments.class, "`@Async` on the class", REFUSED).saying("Async"),
                of(RejectingErrorHandler.class, "an error handler that rejects", PROTECTED)
                        .is(KILLED_IN_CI),
                of(AcknowledgingErrorHandler.class, "an error handler that acknowledges", PROTECTED),
                of(FatalStrategy.class, "a fatal exception strategy", PROTECTED),
                of(CustomizedAdvice.class, "a `ContainerCustomizer` that sets the advice chain", PROTECTED),
                of(OverriddenFactory.class, "a factory that overrides `initializeContainer`", PROTECTED),
                of(RegistrarFactory.class, "`registrar.setContainerFactory(new …)`", PROTECTED)
                        .is(KILLED_IN_CI),
                of(SecondCreator.class, "`DefaultAdvisorAutoProxyCreator` beside Spring Boot's", PROTECTED),
                of(NamedCreator.class, "`BeanNameAutoProxyCreator`", PROTECTED),
                of(WithoutConfirms.class, "publishes without publisher confirms (the default)", WARNED)
                        .with("spring.rabbitmq.publisher-confirm-type=none", "spring.rabbitmq.publisher-returns=false")
                        .saying("publisher-confirm-type"),
                of(OwnTemplate.class, "a `RabbitTemplate` bean of its own, with publisher confirms", PROTECTED),
                of(UnwantedEvents.class, "publishes events that no queue takes", PROTECTED)
                        .is(REAL_RABBITMQ),
                of(UnwantedInboxEvents.class, "publishes events that no queue takes, in an inbox", PROTECTED)
                        .with("idem.jdbc.enabled=true", "idem.jdbc.initialize-schema=always")
                        .is(DATABASE, REAL_RABBITMQ),
                of(TransactionAdvice.class, "`TransactionInterceptor` in the advice chain", REFUSED)
                        .saying("ransaction")
                        .is(DATABASE),
                of(LambdaContainer.class, "a container of its own that calls the method from a lambda", STOPPED)
                        .saying("outside a delivery"),
                of(LambdaPool.class, "a container of its own whose lambda hands the message to a pool", STOPPED)
                        .saying("outside a delivery"),
                of(ExpiringPayments.class, "a queue whose messages expire sooner than a lease ends", PROTECTED)
                        .proving(Proofs::aMessageThatExpiresWaitsForItsKey)
                        .is(REAL_RABBITMQ),
                of(StreamPayments.class, "a stream, read as a queue", REFUSED).saying("stream", "quorum queue"),
                of(UnannotatedListener.class, "`@IdempotentListener` on a method that is no listener", REFUSED)
                        .saying("is not a listener that idem knows"),
                of(AdapterContainer.class, "a container bean with a `MessageListenerAdapter`", PROTECTED),
                of(ManualPool.class, "MANUAL, settled later by a pool", PROTECTED)
                        .is(KILLED_IN_CI),
                of(TimedFuture.class, "a future with `orTimeout`", PROTECTED),
                of(SwallowingAspect.class, "an aspect that answers for the listener", STOPPED)
                        .saying("was not called"),
                of(AuditedPayments.class, "an inbox, and a `REQUIRES_NEW` service", STOPPED)
                        .with("idem.jdbc.enabled=true", "idem.jdbc.initialize-schema=always")
                        .saying("asked for a transaction that commits apart from its inbox row")
                        .is(DATABASE),
                of(InheritedPayments.class, "a package-private listener method inherited from another package", REFUSED)
                        .saying("pay"),
                of(TwoConnections.class, "two connections: dead letters go by that of their listener", PROTECTED)
                        .with(
                                "idem.consumer.rabbit.dead-letter.exchange=",
                                "idem.consumer.rabbit.dead-letter.routing-key=${shop.queue}.dead")
                        .proving(Proofs::aLetterNamesItsConnection),
                of(TwoHosts.class, "one method fed over two connections", WARNED)
                        .saying("idem.consumer.rabbit.tenant"),
                of(
                                ConnectionTenant.class,
                                "one method fed over two connections, `idem.consumer.rabbit.tenant=connection`",
                                PROTECTED)
                        .with("idem.consumer.rabbit.tenant=connection", "shop.tenant=paymentConnections"),
                of(AnsweredPayments.class, "a reply of type `Message<?>`", PROTECTED)
                        .proving(Proofs::aDuplicateIsAnsweredWithItsHeaders),
                of(AnsweredWithAmqp.class, "a reply of type amqp `Message`", PROTECTED)
                        .proving(Proofs::aDuplicateIsAnsweredWithItsHeaders),
                of(BlankKeys.class, "a key of blanks: a dead letter", PROTECTED)
                        .proving(Proofs::aKeyOfBlanksIsADeadLetter),
                of(
                                OtherPayloads.class,
                                "another payload under a used key, without a fingerprint (the default)",
                                NOT_PROTECTED)
                        .proving(Proofs::anotherPayloadIsTakenForADuplicate),
                of(
                        HiddenTemplate.class,
                        "publishes through a `RabbitTemplate` that is no bean: what it publishes carries no key, and a warning says so",
                        PROTECTED),
                of(RequeuedPayments.class, "a copy sent back to the queue after a failure", PROTECTED)
                        .is(KILLED_IN_CI),
                of(RequeuedInInbox.class, "a copy sent back to the queue in the transaction of an inbox", PROTECTED)
                        .with("idem.jdbc.enabled=true", "idem.jdbc.initialize-schema=always")
                        .is(DATABASE),
                of(FannedOut.class, "one message made into three with its properties", PROTECTED)
                        .proving(Proofs::eachItemIsPaidOnce),
                of(ComposedAnnotation.class, "`@IdempotentListener` on an annotation of one's own", PROTECTED),
                of(ComparedPayloads.class, "another payload under a used key, `fingerprint = BODY`", PROTECTED)
                        .proving(Proofs::anotherPayloadIsADeadLetter));
    }

    /** Returns an application whose function is bound to its queue. */
    private static Application bound(Class<?> application, String configuration, Outcome outcome) {
        String consumer = "spring.cloud.stream.rabbit.bindings.pay-in-0.consumer.";
        return of(application, configuration, outcome)
                .with(
                        "spring.cloud.function.definition=pay",
                        "spring.cloud.stream.default-binder=rabbit",
                        "spring.cloud.stream.bindings.pay-in-0.destination=${shop.queue}",
                        "spring.cloud.stream.bindings.pay-in-0.group=${shop.queue}",
                        consumer + "queue-name-group-only=true",
                        consumer + "bind-queue=false",
                        consumer + "declare-exchange=false")
                .is(REAL_RABBITMQ);
    }

    private static Application of(Class<?> application, String configuration, Outcome outcome) {
        return Application.of(Transport.RABBITMQ, application, configuration, outcome);
    }
}
