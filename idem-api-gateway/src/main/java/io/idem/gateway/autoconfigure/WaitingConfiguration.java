package io.idem.gateway.autoconfigure;

import io.idem.gateway.AwaitedOutcome;
import io.idem.gateway.internal.intake.OutcomeWaits;
import io.idem.http.OperationStatusReader;
import io.idem.http.outcome.OutcomeWatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans for clients that wait for an outcome by the operation's status. */
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
        return new OutcomeWaits(
                watch,
                properties.maxWait(),
                Stream.concat(properties.awaited(), coded.stream().map(AwaitedOutcome::consumers))
                        .collect(Collectors.toSet()));
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
