package io.idem.consumer.internal.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.OutageSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreOutagesTest {

    private static final Scope PAYMENTS = new Scope("payments");
    private static final OutageSettings SHORT_PAUSES =
            new OutageSettings(Duration.ofMillis(2), Duration.ofMillis(4), Duration.ofMinutes(1));
    private static final OutageSettings LONG_PAUSES =
            new OutageSettings(Duration.ofSeconds(4), Duration.ofHours(10), Duration.ofMinutes(1));

    private final AtomicBoolean silent = new AtomicBoolean(true);
    private final AtomicInteger questions = new AtomicInteger();
    private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();
    private final StoreOutages outages =
            new StoreOutages(SHORT_PAUSES, this::ask, new ConsumerEvents(List.of(events::add)));

    @AfterEach
    void close() {
        outages.close();
    }

    private void ask(Scope scope) {
        questions.incrementAndGet();
        if (silent.get()) {
            throw new StoreUnavailableException("silenced", Execution.NOT_EXECUTED, new IllegalStateException());
        }
    }

    @Test
    void theStoreIsAskedUntilItAnswersAndWhoeverWaitsIsTold() {
        StoreOutage outage = outages.silent(PAYMENTS, "test");
        AtomicInteger told = new AtomicInteger();
        outage.whenOver(told::incrementAndGet);

        await().until(() -> questions.get() >= 3);
        assertThat(told).hasValue(0);
        silent.set(false);
        await().until(() -> told.get() == 1);

        assertThat(outages.lasting(PAYMENTS)).isEmpty();
        assertThat(events)
                .containsExactly(
                        new ConsumerEvent.Paused(PAYMENTS, "test"), new ConsumerEvent.Resumed(PAYMENTS, "test"));
    }

    @Test
    void everySilenceDuringAnOutageBelongsToItAndOtherScopesGoOn() {
        StoreOutage first = outages.silent(PAYMENTS, "test");

        assertThat(outages.silent(PAYMENTS, "test")).isSameAs(first);
        assertThat(outages.lasting(PAYMENTS)).contains(first);
        assertThat(outages.lasting(new Scope("receipts"))).isEmpty();
    }

    @Test
    void howeverLongAnOutageLastsItsEndIsNoticedWithinSeconds() {
        ScopeOutages scope = new ScopeOutages(PAYMENTS, "test", OutageSettings.DEFAULTS, new ConsumerEvents(List.of()));

        assertThat(LongStream.generate(scope::nextPauseMillis).limit(1000)).allMatch(pause -> pause <= 2_000);
    }

    @Test
    void aDecidedMessageEndsTheOutageWithoutAQuestion() {
        StoreOutage outage = outages.silent(PAYMENTS, "test");

        outages.answered(PAYMENTS);

        assertThat(outage.await(Duration.ofMinutes(1), () -> false)).isTrue();
        assertThat(outages.lasting(PAYMENTS)).isEmpty();
    }

    @Test
    void aWaitEndsWithItsLimitOrItsContainer() {
        StoreOutage outage = outages.silent(PAYMENTS, "test");

        assertThat(outage.await(Duration.ZERO, () -> false)).isFalse();
        assertThat(outage.await(Duration.ofDays(1), () -> true)).isFalse();
    }

    @Test
    void theEndOfTheApplicationEndsWaits() {
        StoreOutage outage = outages.silent(PAYMENTS, "test");

        outages.close();

        assertThat(outage.await(Duration.ofMinutes(1), () -> false)).isTrue();
        StoreOutage late = outages.silent(PAYMENTS, "test");
        assertThat(late.await(Duration.ofMinutes(1), () -> false)).isTrue();
    }

    /** A store that answers questions but refuses writes would else be written to at the shortest pace. */
    @Test
    void pausesGrowOnOverAnEndThatOnlyAQuestionToldOf() {
        ScopeOutages scope = new ScopeOutages(PAYMENTS, "test", LONG_PAUSES, new ConsumerEvents(List.of()));

        scope.begin(unused -> {});
        assertThat(scope.nextPauseMillis()).isBetween(2_000L, 4_000L);
        scope.over();
        scope.begin(unused -> {});
        assertThat(scope.nextPauseMillis()).isBetween(4_000L, 8_000L);
        scope.decided();
        scope.begin(unused -> {});
        assertThat(scope.nextPauseMillis()).isBetween(2_000L, 4_000L);
    }

    @Test
    void pausesHaveABound() {
        ScopeOutages scope = new ScopeOutages(PAYMENTS, "test", SHORT_PAUSES, new ConsumerEvents(List.of()));

        for (int i = 0; i < 100; i++) {
            assertThat(scope.nextPauseMillis()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void aQuestionThatBreaksDoesNotKeepTheListenerWaiting() {
        try (StoreOutages breaking = new StoreOutages(
                SHORT_PAUSES,
                scope -> {
                    throw new NoClassDefFoundError("a class of the store's client");
                },
                new ConsumerEvents(List.of()))) {
            StoreOutage outage = breaking.silent(PAYMENTS, "test");

            assertThat(outage.await(Duration.ofSeconds(30), () -> false)).isTrue();
        }
    }
}
