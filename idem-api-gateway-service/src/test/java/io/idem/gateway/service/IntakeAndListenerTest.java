package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A client, the intake, a broker and a listener that refuses payments while their account is locked. */
@Tag("extended")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IntakeAndListenerTest {

    private static final String PATH = "/v1/payments";

    private final Broker broker = new Broker();
    private Intake intake;

    @BeforeAll
    void start() {
        broker.bind(Broker.PAYMENTS);
        intake = Intake.startWithKeys(
                Stream.of(
                                broker.settings(),
                                broker.route(0, PATH, Broker.PAYMENTS),
                                Stream.of(
                                        "idem.gateway.routes[0].await=payments",
                                        "idem.gateway.routes[0].after-rejection=reopen",
                                        "idem.gateway.max-wait=20s",
                                        "test.queue=" + broker.exchange() + "." + Broker.PAYMENTS))
                        .flatMap(part -> part),
                Payments.class);
    }

    @BeforeEach
    void unlock() {
        account().locked.set(false);
        account().payments.set(0);
    }

    @AfterAll
    void stop() {
        intake.close();
        broker.close();
    }

    @Test
    void aClientThatWaitsGetsTheListenersOutcome() {
        String key = Intake.newKey();
        intake.post(PATH, key);

        assertThat(outcome(key))
                .contains("\"scope\":\"http.intake\"")
                .contains("\"scope\":\"payments\",\"state\":\"COMPLETED\",\"attempts\":1");
        assertThat(account().payments).hasValue(1);
    }

    @Test
    void aRetryAfterTheListenersRejectionIsRunOnceTheCauseIsRemoved() {
        String key = Intake.newKey();
        account().locked.set(true);
        intake.post(PATH, key);
        assertThat(outcome(key)).contains("\"state\":\"REJECTED\"").doesNotContain("LockedException");

        account().locked.set(false);
        assertThat(intake.post(PATH, key).replayed()).isFalse();

        assertThat(outcome(key)).contains("\"scope\":\"payments\",\"state\":\"COMPLETED\"");
        assertThat(intake.post(PATH, key).replayed()).isTrue();
        assertThat(account().payments).hasValue(1);
    }

    /** Returns the operation's status once the listener is done. */
    private String outcome(String key) {
        return intake.send(intake.request("/v1/operations/" + key)
                        .header("Authorization", "Bearer " + Intake.NORTH)
                        .header("Prefer", "wait=20"))
                .body();
    }

    private Account account() {
        return intake.bean(Account.class);
    }

    record Account(AtomicBoolean locked, AtomicInteger payments) {}

    static final class LockedException extends RuntimeException {}

    @Configuration(proxyBeanMethods = false)
    static class Payments {

        @Bean
        Account account() {
            return new Account(new AtomicBoolean(), new AtomicInteger());
        }

        @Bean
        Listener listener(Account account) {
            return new Listener(account);
        }
    }

    static class Listener {

        private final Account account;

        Listener(Account account) {
            this.account = account;
        }

        @RabbitListener(queues = "${test.queue}")
        @IdempotentListener(scope = "payments", rejectOn = LockedException.class)
        void pay(byte[] payment) {
            if (account.locked().get()) {
                throw new LockedException();
            }
            account.payments().incrementAndGet();
        }
    }
}
