package io.idem.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import io.idem.cloudstream.PaymentFunctions.Consuming;
import io.idem.cloudstream.PaymentFunctions.Plain;
import io.idem.cloudstream.scanned.ScannedFunctions;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.guard.LibraryVersion;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.function.context.FunctionCatalog;
import org.springframework.cloud.function.context.FunctionProperties;
import org.springframework.cloud.function.context.config.RoutingFunction;
import org.springframework.cloud.stream.binder.Binder;
import org.springframework.cloud.stream.binder.Binding;
import org.springframework.cloud.stream.binder.ConsumerProperties;
import org.springframework.cloud.stream.binder.DefaultBinding;
import org.springframework.cloud.stream.binder.ProducerProperties;
import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.integration.channel.ExecutorChannel;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;
import reactor.core.publisher.Flux;

/** Bindings that cannot be guarded end the start, before any binder is asked for a message. */
@Tag("servers")
class RefusedBindingsTest {

    private static final String SETTING = "idem.cloud-stream.bindings.";

    private static void assertRefused(Class<?> functions, String function, List<String> settings, String... words) {
        assertThatThrownBy(() -> StreamApplication.start(
                                functions,
                                function,
                                StreamApplication.with(settings, "spring.cloud.stream.default-binder=rabbit"))
                        .close())
                .extracting(NestedExceptionUtils::getMostSpecificCause, THROWABLE)
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void aSettingForABindingWithoutAFunctionIsRefused() {
        assertRefused(Plain.class, "pay", List.of(SETTING + "pays-in-0=payments"), SETTING + "pays-in-0", "pay-in-0");
    }

    @Test
    void aSettingForAnOutputIsRefused() {
        assertRefused(
                PaymentFunctions.Answering.class,
                "receipt",
                List.of(SETTING + "receipt-out-0=payments"),
                SETTING + "receipt-out-0",
                "receipt-in-0");
    }

    @Test
    void aPollableSourceIsRefusedWithAWayThatFits() {
        assertRefused(
                Plain.class,
                "pay",
                List.of("spring.cloud.stream.pollable-source=orders", SETTING + "orders-in-0=payments"),
                "orders-in-0",
                "pollable source",
                "@Idempotent");
    }

    @Test
    void aSettingBesideAnAnnotationIsRefused() {
        assertRefused(
                Consuming.class,
                "pay",
                List.of(SETTING + "pay-in-0=payments"),
                SETTING + "pay-in-0",
                "Remove the setting or the annotation");
    }

    @Test
    void aSettingWithAnInvalidScopeIsRefused() {
        assertThatThrownBy(() -> StreamApplication.start(
                                Plain.class,
                                "pay",
                                List.of(SETTING + "pay-in-0=a{b}", "spring.cloud.stream.default-binder=rabbit"))
                        .close())
                .hasStackTraceContaining(SETTING + "pay-in-0 is no scope");
    }

    @Test
    void anAnnotatedFunctionThatIsNotBoundIsRefused() {
        assertRefused(Unbound.class, "pay", List.of(), "\"refund\"", "spring.cloud.function.definition");
    }

    @Test
    void anAnnotatedFunctionOfAScannedConfigurationIsFound() {
        assertRefused(Scanning.class, "pay", List.of(), "\"refund\"", "spring.cloud.function.definition");
    }

    @Test
    void aReactiveFunctionIsRefused() {
        assertRefused(Reactive.class, "pay", List.of(), "pay-in-0", "reactive");
    }

    @Test
    void aFunctionThatReturnsAFutureIsRefused() {
        assertRefused(Later.class, "pay", List.of(), "pay-in-0", "future");
    }

    @Test
    void aReactivePartOfAComposedFunctionIsRefused() {
        assertRefused(Splitting.class, "split|pay", List.of(), "splitpay-in-0", "\"split\"", "reactive");
    }

    @Test
    void aRouterBesideAnAnnotatedFunctionIsRefused() {
        assertRefused(
                Consuming.class,
                "pay;functionRouter",
                List.of(),
                "functionRouter-in-0",
                SETTING + "functionRouter-in-0");
    }

    @Test
    void aRouterUnderANameOfItsOwnIsRefusedToo() {
        assertRefused(OwnRouter.class, "pay;gate", List.of(), "gate-in-0", SETTING + "gate-in-0");
    }

    @Test
    void aFunctionIsGuardedUnderEachOfItsNames() {
        assertRefused(
                Aliased.class,
                "settle",
                List.of(SETTING + "settle-in-0=payments"),
                SETTING + "settle-in-0",
                "Remove the setting or the annotation");
        assertThatThrownBy(() -> StreamApplication.start(
                                Aliased.class, "pay;settle", List.of("spring.cloud.stream.default-binder=rabbit"))
                        .close())
                .hasStackTraceContaining("claimed by binding \"pay-in-0\" and by binding \"settle-in-0\"");
    }

    @Test
    void aChannelThatHandsMessagesToAnotherThreadIsRefused() {
        assertRefused(OnExecutor.class, "pay", List.of(), "pay-in-0", "another thread", "DirectChannel");
    }

    @Test
    void anAsynchronousStreamBridgeIsRefused() {
        assertRefused(AsyncBridge.class, "pay", List.of(), "StreamBridge", "setAsync");
    }

    @Test
    void aBindingOfBatchesIsRefused() {
        assertRefused(
                Consuming.class,
                "pay",
                List.of("spring.cloud.stream.bindings.pay-in-0.consumer.batch-mode=true"),
                "pay-in-0",
                "batch-mode");
    }

    @Test
    void aConditionOnTheResultIsRefused() {
        assertRefused(OnResult.class, "pay", List.of(), "rejectIf");
    }

    @Test
    void twoAnnotationsInOneComposedFunctionAreRefused() {
        assertRefused(Composed.class, "check|pay", List.of(), "checkpay-in-0", "Keep one of the annotations");
    }

    @Test
    void aBinderThatIsNotKnownIsRefused() {
        assertRefused(OtherBinder.class, "pay", List.of(), "pay-in-0", "Silent", "idem.consumer.direct-calls");
    }

    @Test
    void aFunctionRunsUnguardedByAnotherBinderWhereThatIsAllowed() {
        try (StreamApplication application = StreamApplication.start(
                OtherBinder.class, "pay", List.of("idem.consumer.direct-calls=run-unguarded"))) {
            application.channel("pay-in-0").send(new GenericMessage<>("one"));

            assertThat(application.journal().bodies()).containsExactly("one");
        }
    }

    @Test
    void anOlderSpringCloudStreamIsRefused() {
        for (String old : List.of("4.3.0", "5.0.1", "5.0.1-SNAPSHOT", "4.10.7")) {
            assertThatThrownBy(() -> GuardedBindings.checkVersion(new LibraryVersion(old)))
                    .hasMessageContainingAll(old, "does not go with Spring Boot 4.1", "Spring Cloud 2025.1.2 or newer");
        }
        for (String fit : List.of("5.0.2", "5.0.4", "5.1.0-M1", "6.0.0", "unknown")) {
            GuardedBindings.checkVersion(new LibraryVersion(fit));
        }
    }

    @ComponentScan(basePackageClasses = ScannedFunctions.class)
    static class Scanning extends Plain {}

    static class OtherBinder extends Consuming {

        @Bean
        Binder<MessageChannel, ConsumerProperties, ProducerProperties> silent() {
            return new Silent();
        }
    }

    /** A binder of a broker that idem does not know. */
    static final class Silent implements Binder<MessageChannel, ConsumerProperties, ProducerProperties> {

        @Override
        public Binding<MessageChannel> bindConsumer(
                String name, String group, MessageChannel input, ConsumerProperties properties) {
            return new DefaultBinding<>(name, group, input, null);
        }

        @Override
        public Binding<MessageChannel> bindProducer(String name, MessageChannel output, ProducerProperties properties) {
            return new DefaultBinding<>(name, null, output, null);
        }
    }

    static class Unbound {

        @Bean
        Consumer<String> pay() {
            return body -> {};
        }

        @Bean
        @IdempotentListener(scope = "refunds")
        Consumer<String> refund() {
            return body -> {};
        }
    }

    static class Reactive {

        @Bean
        @IdempotentListener(scope = "payments")
        Function<Flux<String>, Flux<String>> pay() {
            return bodies -> bodies;
        }
    }

    static class Splitting {

        @Bean
        Function<String, Flux<String>> split() {
            return bodies -> Flux.fromArray(bodies.split(" "));
        }

        @Bean
        @IdempotentListener(scope = "payments")
        Consumer<String> pay() {
            return body -> {};
        }
    }

    static class OwnRouter extends Consuming {

        @Bean
        RoutingFunction gate(FunctionCatalog functions, FunctionProperties properties) {
            return new RoutingFunction(functions, properties);
        }
    }

    static class Aliased {

        @Bean({"pay", "settle"})
        @IdempotentListener(scope = "payments")
        Consumer<String> pay() {
            return body -> {};
        }
    }

    static class OnExecutor extends Consuming {

        @Bean("pay-in-0")
        ExecutorChannel input() {
            return new ExecutorChannel(task -> new Thread(task).start());
        }
    }

    static class AsyncBridge extends Consuming {

        @Bean
        SmartInitializingSingleton asynchronous(StreamBridge bridge) {
            return () -> bridge.setAsync(true);
        }
    }

    static class Later {

        @Bean
        @IdempotentListener(scope = "payments")
        Function<String, CompletableFuture<String>> pay() {
            return CompletableFuture::completedFuture;
        }
    }

    static class OnResult {

        @Bean
        @IdempotentListener(scope = "payments", rejectIf = "#result == 'no'")
        Function<String, String> pay() {
            return body -> body;
        }
    }

    static class Composed {

        @Bean
        @IdempotentListener(scope = "checks")
        Function<Message<String>, Message<String>> check() {
            return message -> message;
        }

        @Bean
        @IdempotentListener(scope = "payments")
        Consumer<Message<String>> pay() {
            return message -> {};
        }
    }
}
