package io.idem.gateway.autoconfigure;

import io.idem.gateway.AwaitedOutcome;
import io.idem.gateway.internal.intake.AsyncAnswerFilter;
import io.idem.gateway.internal.intake.AsyncAnswers;
import io.idem.gateway.internal.intake.OutcomeWaits;
import io.idem.gateway.internal.intake.WaitingFilter;
import io.idem.http.OperationStatusReader;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.http.internal.servlet.Refusals;
import io.idem.http.outcome.OutcomeWatch;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Beans for clients that wait for an outcome. */
@Configuration(proxyBeanMethods = false)
class WaitingConfiguration {

    @Bean
    OutcomeWatch idemOutcomeWatch(OperationStatusReader operations, IdemGatewayProperties properties) {
        return new OutcomeWatch(operations, properties.maxWaiting());
    }

    @Bean
    WaitingEnd idemWaitingEnd(OutcomeWatch watch) {
        return new WaitingEnd(watch);
    }

    @Bean
    OutcomeWaits idemOutcomeWaits(
            OutcomeWatch watch, IdemGatewayProperties properties, ObjectProvider<AwaitedOutcome> coded) {
        List<AwaitedOutcome> awaited = new ArrayList<>(AwaitedRoutes.in(properties));
        coded.orderedStream().forEach(awaited::add);
        return new OutcomeWaits(watch, properties.maxWait(), awaited);
    }

    /** Creates the filter itself, because Boot would register a filter bean in another order. */
    @Bean
    FilterRegistrationBean<WaitingFilter> idemWaitingFilterRegistration(
            OutcomeWaits waits, IdempotencyFilterParts parts, Refusals refusals, ObjectProvider<JsonMapper> json) {
        AsyncAnswers answers =
                new AsyncAnswers(json.getIfUnique(() -> JsonMapper.builder().build()), refusals);
        FilterRegistrationBean<WaitingFilter> registration =
                new FilterRegistrationBean<>(new WaitingFilter(waits, parts.common(), answers));
        registration.setOrder(WaitingFilter.ORDER);
        registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        return registration;
    }

    @Bean
    FilterRegistrationBean<AsyncAnswerFilter> idemAsyncAnswerFilterRegistration() {
        FilterRegistrationBean<AsyncAnswerFilter> registration = new FilterRegistrationBean<>(new AsyncAnswerFilter());
        registration.setOrder(AsyncAnswerFilter.ORDER);
        return registration;
    }

    /**
     * Answers all waiting clients when the application stops, before the server's graceful stop, which would wait for
     * them.
     */
    static final class WaitingEnd implements SmartLifecycle {

        private final OutcomeWatch watch;
        private volatile boolean running;

        WaitingEnd(OutcomeWatch watch) {
            this.watch = watch;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            watch.close();
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        /** Returns the phase that stops first. */
        @Override
        public int getPhase() {
            return Integer.MAX_VALUE;
        }
    }
}
