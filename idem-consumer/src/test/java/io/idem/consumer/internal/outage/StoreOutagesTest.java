package io.idem.consumer.internal.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.OutageSettings;
import io.idem.consumer.internal.guard.FakeMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class StoreOutagesTest {

    private static final Scope PAYMENTS = new Scope("payments");
    private static final OutageSettings SHORT_PAUSES =
            new OutageSettings(Duration.ofMillis(2), Duration.ofMillis(4), Duration.ofMinutes(1));
    private static final OutageSettings LONG_PAUSES =
            new OutageSettings(Duration.ofSeconds(4), Duration.ofHours(10), Duration.ofMinutes(1));
    private final StoreUnavailableException noMemory = unavailable("it is out of memory: raise maxmemory");

    private static final DeliveredMessage MESSAGE = new FakeMessage();
    private static final DeliveredMessage OTHER = new FakeMessage().at("behind it");

    private final AtomicBoolean silent = new AtomicBoolean(true);
    private final AtomicBoolean full = new AtomicBoolean();
    private final AtomicInteger questions = new AtomicInteger();
    private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();
    private StoreOutages outages = outages(SHORT_PAUSES);

    @AfterEach
    void close() {
        outages.close();
    }

    private StoreOutages outages(OutageSettings settings) {
        return new StoreOutages(
                settings, scope -> ask(silent), () -> ask(full), new ConsumerEvents(List.of(events::add)));
    }

    private static StoreUnavailableException unavailable(String why) {
        return new StoreUnavailableException(why, Execution.NOT_EXECUTED, new IllegalStateException());
    }

    private void ask(AtomicBoolean refuses) {
        questions.incrementAndGet();
        if (refuses.get()) {
            throw unavailable(refuses == full ? "full" : "silenced");
        }
    }

    private StoreOutage refused() {
        return outages.refused(PAYMENTS, MESSAGE, noMemory);
    }

    private void assertOneOutage(boolean over) {
        ConsumerEvent paused = new ConsumerEvent.Paused(PAYMENTS, "fake");
        ConsumerEvent resumed = new ConsumerEvent.Resumed(PAYMENTS, "fake");
        assertThat(events).isEqualTo(over ? List.of(paused, resumed) : List.of(paused));
    }

    @Test
    void theStoreIsAskedUntilItAnswersAndMessagesThatWaitAreTold(CapturedOutput output) {
        StoreOutage outage = refused();
        AtomicInteger told = new AtomicInteger();
        outage.whenOver(told::incrementAndGet);

        await().until(() -> questions.get() >= 3);
        assertThat(told).hasValue(0);
        assertThat(outages.silence(PAYMENTS)).contains(outage);
        silent.set(false);
        await().until(() -> told.get() == 1);

        assertThat(outages.silence(PAYMENTS)).isEmpty();
        outages.decided(PAYMENTS, MESSAGE, false);
        assertOneOutage(true);
        assertThat(output).containsOnlyOnce("pauses until it does: it is out of memory: raise maxmemory");
        assertThat(output).containsOnlyOnce("goes on");
    }

    /** As if a question could not tell, such as for an inbox beside the store. */
    @Test
    void anOutageLastsUntilAMessageWasDecidedHoweverOftenMessagesTry() {
        silent.set(false);
        outages = outages(new OutageSettings(Duration.ofMillis(1), Duration.ofMinutes(1), Duration.ofMinutes(1)));
        for (int i = 0; i < 5; i++) {
            assertThat(refused().await(Duration.ofMinutes(1), () -> false)).isTrue();
            assertOneOutage(false);
        }

        outages.decided(PAYMENTS, MESSAGE, true);

        assertOneOutage(true);
    }

    @Test
    void aStoreThatTakesNoWritesIsAskedForDuplicates(CapturedOutput output) {
        silent.set(false);
        full.set(true);

        StoreOutage unknown = refused();
        assertThat(unknown.await(Duration.ofMinutes(1), () -> false)).isTrue();
        assertThat(outages.silence(PAYMENTS)).isEmpty();
        StoreOutage held = refused();
        assertThat(held.isReadable()).isTrue();
        outages.decided(PAYMENTS, OTHER, false);
        int asked = questions.get();
        await().until(() -> questions.get() >= asked + 6);
        assertThat(held.await(Duration.ZERO, () -> false)).isFalse();
        assertOneOutage(false);
        assertThat(output).containsOnlyOnce("answers duplicates only of scope \"payments\"");

        full.set(false);
        assertThat(held.await(Duration.ofMinutes(1), () -> false)).isTrue();
        outages.decided(PAYMENTS, MESSAGE, false);
        assertOneOutage(true);
    }

    @Test
    void aStoreThatFallsSilentAltogetherIsNotAskedForDuplicatesAnyMore() {
        silent.set(false);
        full.set(true);
        assertThat(refused().await(Duration.ofMinutes(1), () -> false)).isTrue();

        silent.set(true);

        await().until(() -> outages.silence(PAYMENTS).isPresent());
        assertOneOutage(false);
    }

    @Test
    void workThatIsGrantedEndsTheOutageWhateverAQuestionSaid() {
        StoreOutage outage = refused();

        outages.decided(PAYMENTS, MESSAGE, true);

        assertThat(outage.await(Duration.ofMinutes(1), () -> false)).isTrue();
        assertOneOutage(true);
    }

    /** Such as one whose key is on another master of a cluster. */
    @Test
    void workOfOtherMessagesEndsNothingForAMessageThatIsRefused() {
        refused();

        outages.decided(PAYMENTS, OTHER, true);
        assertOneOutage(false);
        outages.refused(PAYMENTS, OTHER, noMemory);
        outages.decided(PAYMENTS, MESSAGE, true);
        assertOneOutage(false);
        outages.decided(PAYMENTS, OTHER, true);

        assertOneOutage(true);
    }

    /** The message may be with another instance by now. */
    @Test
    void anOutageThatNobodyIsHeldForAnyMoreEndsByItself() {
        silent.set(false);

        assertThat(refused().await(Duration.ofMinutes(1), () -> false)).isTrue();

        await().untilAsserted(() -> assertOneOutage(true));
    }

    @Test
    void everySilenceDuringAnOutageBelongsToItAndOtherScopesGoOn() {
        StoreOutage first = refused();

        assertThat(refused()).isSameAs(first);
        assertThat(outages.silence(PAYMENTS)).contains(first);
        assertThat(outages.silence(new Scope("receipts"))).isEmpty();
    }

    @Test
    void howeverLongAnOutageLastsItsEndIsNoticedWithinSeconds() {
        ScopeOutages scope = new ScopeOutages(PAYMENTS, "fake", OutageSettings.DEFAULTS, new ConsumerEvents(List.of()));

        assertThat(LongStream.generate(scope::nextPauseMillis).limit(1000)).allMatch(pause -> pause <= 2_000);
    }

    @Test
    void aWaitEndsWithItsLimitOrItsContainer() {
        StoreOutage outage = refused();

        assertThat(outage.await(Duration.ZERO, () -> false)).isFalse();
        assertThat(outage.await(Duration.ofDays(1), () -> true)).isFalse();
    }

    @Test
    void theEndOfTheApplicationEndsWaits() {
        StoreOutage outage = refused();

        outages.close();

        assertThat(outage.await(Duration.ofMinutes(1), () -> false)).isTrue();
        assertThat(refused().await(Duration.ofMinutes(1), () -> false)).isTrue();
    }

    /** A store that answers questions but refuses writes would else be written to at the shortest pace. */
    @Test
    void pausesGrowOnOverARelease() {
        ScopeOutages scope = new ScopeOutages(PAYMENTS, "fake", LONG_PAUSES, new ConsumerEvents(List.of()));

        scope.refused(MESSAGE, noMemory, unused -> {});
        assertThat(scope.nextPauseMillis()).isBetween(2_000L, 4_000L);
        scope.release();
        scope.refused(MESSAGE, noMemory, unused -> {});
        assertThat(scope.nextPauseMillis()).isBetween(4_000L, 8_000L);
        scope.decided(MESSAGE, true);
        scope.refused(MESSAGE, noMemory, unused -> {});
        assertThat(scope.nextPauseMillis()).isBetween(2_000L, 4_000L);
    }

    @Test
    void pausesHaveABound() {
        ScopeOutages scope = new ScopeOutages(PAYMENTS, "fake", SHORT_PAUSES, new ConsumerEvents(List.of()));

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
                () -> {
                    throw new IllegalStateException("a bug");
                },
                new ConsumerEvents(List.of()))) {
            StoreOutage outage = breaking.refused(PAYMENTS, MESSAGE, noMemory);

            assertThat(outage.await(Duration.ofSeconds(30), () -> false)).isTrue();
        }
    }
}
