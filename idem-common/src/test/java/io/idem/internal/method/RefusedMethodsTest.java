package io.idem.internal.method;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.fallback.configure.FallbackConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import io.github.resilience4j.spring6.spelresolver.configure.SpelResolverConfiguration;
import io.idem.ConfigurationException;
import io.idem.FailurePolicy;
import io.idem.Idempotent;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.RecordId;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.PriorityOrdered;
import org.springframework.retry.annotation.CircuitBreaker;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Methods that would run unguarded, or otherwise than their annotation says: the application does not start. */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"})
class RefusedMethodsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Application {}

    static ApplicationContextRunner application(Class<?>... beans) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(IdempotencyStore.class, InMemoryIdempotencyStore::new)
                .withUserConfiguration(beans);
    }

    static class Private {
        @Idempotent(scope = "refused", key = "#id")
        private void on(String id) {}
    }

    static class Final {
        @Idempotent(scope = "refused", key = "#id")
        final void on(String id) {}
    }

    static class Static {
        @Idempotent(scope = "refused", key = "#id")
        static void on(String id) {}
    }

    static final class FinalClass {
        @Idempotent(scope = "refused", key = "#id")
        void on(String id) {}
    }

    @Idempotent(scope = "refused")
    static class WholeClass {
        void on(String id) {}
    }

    @Controller
    @Idempotent
    static class WithoutHttp {}

    static class WaitFor {
        @Idempotent(scope = "refused", key = "#id", waitFor = "5s")
        void on(String id) {}
    }

    static class HandOff {
        @Idempotent(scope = "refused", key = "#id", handOff = true)
        void on(String id) {}
    }

    static class NotRequired {
        @Idempotent(scope = "refused", key = "#id", required = false)
        void on(String id) {}
    }

    static class ReturnsMono {
        @Idempotent(scope = "refused", key = "#id")
        Mono<String> on(String id) {
            return Mono.empty();
        }
    }

    static class ReturnsFlux {
        @Idempotent(scope = "refused", key = "#id")
        Flux<String> on(String id) {
            return Flux.empty();
        }
    }

    static class ReturnsFuture {
        @Idempotent(scope = "refused", key = "#id")
        Future<String> on(String id) {
            return new CompletableFuture<>();
        }
    }

    static class ReturnsStream {
        @Idempotent(scope = "refused", key = "#id")
        IntStream on(String id) {
            return IntStream.of(1);
        }
    }

    static class ReturnsIteratorLater {
        @Idempotent(scope = "refused", key = "#id")
        CompletableFuture<Iterator<String>> on(String id) {
            return new CompletableFuture<>();
        }
    }

    abstract static class OfAnyType<T> {
        @Idempotent(scope = "refused", key = "#id")
        @Nullable T on(String id) {
            return null;
        }
    }

    static class InheritsMono extends OfAnyType<Mono<String>> {}

    static class InheritsInputStream extends OfAnyType<InputStream> {}

    static class MakesBean {
        @Bean
        @Idempotent(scope = "refused", key = "'one'")
        Runnable on() {
            return () -> {};
        }
    }

    static class NoScope {
        @Idempotent(key = "#id")
        void on(String id) {}
    }

    static class BadScope {
        @Idempotent(scope = "No Scope", key = "#id")
        void on(String id) {}
    }

    static class NoKey {
        @Idempotent(scope = "refused")
        void on(String id) {}
    }

    static class UnknownVariable {
        @Idempotent(scope = "refused", key = "#order")
        void on(String id) {}
    }

    static class UnknownComparison {
        @Idempotent(scope = "refused", key = "#id", fingerprint = "#amount")
        void on(String id) {}
    }

    static class BadLease {
        @Idempotent(scope = "refused", key = "#id", lease = "soon")
        void on(String id) {}
    }

    static class ShortRetention {
        @Idempotent(scope = "refused", key = "#id", retention = "1s")
        void on(String id) {}
    }

    static class UnknownTakeover {
        @Idempotent(scope = "refused", key = "#id", takeover = "perhaps")
        void on(String id) {}
    }

    static class FixedDelay {
        @Scheduled(fixedDelay = 5000)
        @Idempotent(scope = "refused")
        void on() {}
    }

    static class NoInbox {
        @Idempotent(scope = "refused", key = "#id", inbox = true)
        void on(String id) {}
    }

    static class InboxLater {
        @Idempotent(scope = "refused", key = "#id", inbox = true)
        CompletableFuture<String> on(String id) {
            return new CompletableFuture<>();
        }
    }

    static class LastPhaseWithoutInbox {
        @Idempotent(scope = "refused", key = "#id", transaction = InboxTransaction.LAST_PHASE)
        void on(String id) {}
    }

    static class OnThePublishersThread {
        @TransactionalEventListener
        @Idempotent(scope = "refused", key = "#id")
        void on(String id) {}
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(Private.class, "@Idempotent Private.on is private", "Remove private"),
                Arguments.of(Final.class, "is final", "Remove final"),
                Arguments.of(Static.class, "is static", "Remove static"),
                Arguments.of(FinalClass.class, "is in a final class", "Remove final from"),
                Arguments.of(WholeClass.class, "only on controllers", "Put it on the methods"),
                Arguments.of(WithoutHttp.class, "without idem-http nothing protects it", "Add idem-http"),
                Arguments.of(WaitFor.class, "says waitFor", "Remove waitFor"),
                Arguments.of(HandOff.class, "says handOff", "Remove handOff"),
                Arguments.of(NotRequired.class, "says required", "Remove required"),
                Arguments.of(ReturnsMono.class, "returns Mono", "Return a CompletableFuture"),
                Arguments.of(ReturnsFlux.class, "returns Flux", "Return a CompletableFuture"),
                Arguments.of(ReturnsFuture.class, "returns Future", "Return a CompletableFuture"),
                Arguments.of(InheritsMono.class, "returns Mono", "Return a CompletableFuture"),
                Arguments.of(ReturnsStream.class, "returns IntStream, which can be read once", "Return a list"),
                Arguments.of(ReturnsIteratorLater.class, "returns Iterator, which can be read once", "Return a list"),
                Arguments.of(InheritsInputStream.class, "returns InputStream, which can be read once", "or bytes"),
                Arguments.of(MakesBean.class, "is a @Bean method", "on a method of the bean's class"),
                Arguments.of(NoScope.class, "has no scope", "Add a scope"),
                Arguments.of(BadScope.class, "has an invalid scope", "No Scope"),
                Arguments.of(NoKey.class, "has no key", "Add a key"),
                Arguments.of(UnknownVariable.class, "has an invalid key", "#order is no parameter of on"),
                Arguments.of(UnknownComparison.class, "has an invalid fingerprint", "#amount is no parameter of on"),
                Arguments.of(BadLease.class, "has an invalid lease", "Correct lease"),
                Arguments.of(ShortRetention.class, "policy together with the settings of its scope", "retention"),
                Arguments.of(UnknownTakeover.class, "has an invalid takeover", "PERHAPS"),
                Arguments.of(FixedDelay.class, "fixedDelay", "Schedule it by cron or fixedRate, or add a key"),
                Arguments.of(NoInbox.class, "asks for an inbox", "Add idem-jdbc"),
                Arguments.of(NoInbox.class, "asks for an inbox", "those of the inbox as @Primary"),
                Arguments.of(InboxLater.class, "belongs to one thread", "Remove inbox = true"),
                Arguments.of(LastPhaseWithoutInbox.class, "transaction = LAST_PHASE", "Add inbox = true"),
                Arguments.of(OnThePublishersThread.class, "publisher's transaction", "Write @Async"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void theApplicationDoesNotStartAndSaysWhatToDo(Class<?> bean, String problem, String action) {
        application(bean)
                .run(context -> assertThat(FailurePolicy.causes(requireNonNull(context.getStartupFailure()))
                                .filter(MethodConfigurationException.class::isInstance)
                                .findFirst())
                        .get()
                        .extracting(Throwable::getMessage)
                        .asString()
                        .contains(problem, action));
    }

    static class Twins {
        @Idempotent(scope = "twins", key = "#id")
        void on(String id) {}

        @Idempotent(scope = "twins", key = "#id")
        void on(Integer id) {}
    }

    @Test
    void aScopeOfTwoMethodsIsRefused() {
        application(Twins.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("Twins.on(String)")
                        .hasMessageContaining("Twins.on(Integer)"));
    }

    static class Bank {
        @Idempotent(scope = "bank", key = "#id")
        void on(String id) {}
    }

    static class OtherBank extends Bank {
        @Override
        @Idempotent(scope = "other-bank", key = "#id")
        void on(String id) {}
    }

    @Test
    void aScopeOfTwoBeansOfOneClassIsRefusedWithARemedyThatWorks() {
        application(Bank.class)
                .withBean("other", Bank.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOfSatisfying(
                                ConfigurationException.class,
                                refusal -> assertThat(refusal.action())
                                        .contains("override the method in a subclass, with a scope of its own")));
        application(Bank.class)
                .withBean("other", OtherBank.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** The annotations that Spring Modulith's has on it. */
    @Async
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @TransactionalEventListener
    @Retention(RetentionPolicy.RUNTIME)
    @interface ModuleListener {}

    static class InModule {
        @ModuleListener
        @Idempotent(scope = "module", key = "#id")
        void on(String id) {}
    }

    static class InModuleWithInbox {
        @ModuleListener
        @Idempotent(scope = "module", key = "#id", inbox = true)
        void on(String id) {}
    }

    /** An inbox for checks at start. */
    static class EmptyInbox implements Inbox {

        @Override
        public InboxOutcome run(Request request, InboxWork work) {
            throw new IllegalStateException("not for work");
        }

        @Override
        public Optional<Effect> find(RecordId record) {
            return Optional.empty();
        }
    }

    @EnableTransactionManagement
    static class WithTransactions {}

    @Test
    void aListenerOfAModuleIsRefusedWithAnInboxOnly() {
        application(WithTransactions.class, InModule.class)
                .run(context -> assertThat(context).hasNotFailed());
        application(WithTransactions.class, InModuleWithInbox.class)
                .withBean(Inbox.class, EmptyInbox::new)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(MethodConfigurationException.class)
                        .hasMessageContaining("@ApplicationModuleListener")
                        .hasMessageContaining("@Async @TransactionalEventListener @Idempotent(inbox = true)"));
    }

    static class Retried {
        @Retryable
        @Idempotent(scope = "retried", key = "#id", inbox = true)
        void on(String id) {}
    }

    static class RetriedByAspect {
        @Retry(name = "retried")
        @Idempotent(scope = "retried", key = "#id", inbox = true)
        void on(String id) {}
    }

    static class Broken {
        @CircuitBreaker
        @Idempotent(scope = "retried", key = "#id", inbox = true)
        void on(String id) {}
    }

    static class RetriedWithoutInbox {
        @Retryable
        @Idempotent(scope = "retried", key = "#id")
        void on(String id) {}
    }

    @EnableRetry
    static class InsideRetry {}

    @EnableRetry(order = 0)
    static class OutsideRetry {}

    @EnableAspectJAutoProxy
    @Import({RetryConfiguration.class, FallbackConfiguration.class, SpelResolverConfiguration.class})
    static class AspectRetry {

        @Bean
        RetryConfigurationProperties properties() {
            return new RetryConfigurationProperties();
        }
    }

    static class OutsideAspectRetry extends AspectRetry {

        @Override
        RetryConfigurationProperties properties() {
            RetryConfigurationProperties properties = super.properties();
            properties.setRetryAspectOrder(0);
            return properties;
        }
    }

    static Stream<Arguments> retriesInside() {
        return Stream.of(
                Arguments.of(InsideRetry.class, Retried.class), Arguments.of(AspectRetry.class, RetriedByAspect.class));
    }

    @ParameterizedTest
    @MethodSource("retriesInside")
    void aRetryInsideTheTransactionOfTheInboxIsRefused(Class<?> retry, Class<?> bean) {
        application(WithTransactions.class, retry, bean)
                .withBean(Inbox.class, EmptyInbox::new)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(MethodConfigurationException.class)
                        .hasMessageContaining("is called again there after a failure")
                        .hasMessageContaining("@EnableRetry(order = 0)"));
    }

    static Stream<Arguments> retriesOutside() {
        return Stream.of(
                Arguments.of(OutsideRetry.class, Retried.class),
                Arguments.of(OutsideAspectRetry.class, RetriedByAspect.class),
                Arguments.of(InsideRetry.class, Broken.class),
                Arguments.of(InsideRetry.class, RetriedWithoutInbox.class));
    }

    @ParameterizedTest
    @MethodSource("retriesOutside")
    void aRetryThatRepeatsNothingInTheTransactionIsNotRefused(Class<?> retry, Class<?> bean) {
        application(WithTransactions.class, retry, bean)
                .withBean(Inbox.class, EmptyInbox::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Configuration(proxyBeanMethods = false)
    static class LatePrivate {

        @Bean
        @Lazy
        static Supplier<String> late() {
            return new SuppliesInPrivate();
        }
    }

    static class SuppliesInPrivate implements Supplier<String> {

        @Override
        public String get() {
            return on("id");
        }

        @Idempotent(scope = "late", key = "#id")
        private String on(String id) {
            return id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(WithTransactions.class)
    static class LateTransaction {

        @Bean
        @Scope("prototype")
        static OutsideOfItsInbox late() {
            return new OutsideOfItsInbox();
        }
    }

    static class OutsideOfItsInbox {

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @Idempotent(scope = "late", key = "#id", inbox = true)
        void on(String id) {}
    }

    static Stream<Arguments> late() {
        return Stream.of(
                Arguments.of(LatePrivate.class, "is private"),
                Arguments.of(LateTransaction.class, "its @Transactional asks for work outside of it"));
    }

    @ParameterizedTest
    @MethodSource("late")
    void aBeanThatIsMadeLaterIsRefusedThen(Class<?> configuration, String problem) {
        application(configuration)
                .withBean(Inbox.class, EmptyInbox::new)
                .run(context -> assertThatThrownBy(() -> context.getBean("late"))
                        .hasRootCauseInstanceOf(MethodConfigurationException.class)
                        .hasMessageContaining(problem));
    }

    @Test
    void anObjectThatIsRegisteredWithoutADefinitionIsRefused() {
        application()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("object", new NeededEarly()))
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(MethodConfigurationException.class)
                        .hasMessageContaining("\"object\"")
                        .hasMessageContaining("is a finished object or no bean"));
    }

    static class NeededEarly {

        @Idempotent(scope = "early", key = "#id")
        void on(String id) {}
    }

    static class EarlyUser implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Early {

        @Bean
        static EarlyUser earlyUser(NeededEarly needed) {
            return new EarlyUser();
        }
    }

    @Test
    void aBeanThatIsMadeBeforeItsProxyIsRefused() {
        application(NeededEarly.class, Early.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(MethodConfigurationException.class)
                        .hasMessageContaining("is not guarded")
                        .hasMessageContaining("BeanPostProcessor"));
    }
}
