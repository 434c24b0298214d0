package io.idem.cloudstream;

import static io.idem.cloudstream.StreamApplication.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.Lease;
import io.idem.RecordState;
import io.idem.cloudstream.PaymentFunctions.Answering;
import io.idem.cloudstream.PaymentFunctions.Consuming;
import io.idem.cloudstream.PaymentFunctions.Customizer;
import io.idem.cloudstream.PaymentFunctions.Customizing;
import io.idem.cloudstream.PaymentFunctions.Plain;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.operations.ScopeRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.integration.IntegrationMessageHeaderAccessor;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.GenericMessage;

/** The contract of guarded functions, which holds on each binder. */
@Tag("servers")
abstract class StreamContract {

    static final Duration LONG = Duration.ofMinutes(2);

    private @Nullable StreamApplication application;

    /** Settings that choose the binder and its broker. */
    abstract List<String> broker();

    /** Settings that give the input of {@code pay} the binder's own dead-letter queue. */
    abstract List<String> binderDeadLetters();

    /** Settings that give idem a place for dead letters. */
    abstract List<String> ownDeadLetters(String name);

    abstract void send(StreamApplication to, String destination, String body, Map<String, String> headers);

    /** Prepares to read what arrives at a destination; before it is sent. */
    abstract Arrivals listen(StreamApplication at, String destination);

    /** Reads the binder's dead letters of {@code pay}. */
    abstract Arrivals binderDeadLettersOf(StreamApplication application);

    /** Whether the broker keeps nothing for the group of {@code pay}: all is acknowledged. */
    abstract boolean isSettled(StreamApplication application, String destination, int sent);

    /** Messages as they arrive: body and headers. */
    @FunctionalInterface
    interface Arrivals {
        List<Map.Entry<String, Map<String, String>>> all();
    }

    final void launch(Class<?> functions, String function, String... more) {
        application = StreamApplication.start(functions, function, with(broker(), more));
    }

    final StreamApplication app() {
        return Objects.requireNonNull(application);
    }

    @AfterEach
    void close() {
        if (application != null) {
            application.close();
        }
    }

    private void pay(String key, String body) {
        send(app(), app().destination("pay-in-0"), body, Map.of(IdempotencyHeaders.KEY, key));
    }

    private boolean settled(int sent) {
        return isSettled(app(), app().destination("pay-in-0"), sent);
    }

    private String[] bothDeadLetters(String own) {
        return Stream.of(binderDeadLetters(), ownDeadLetters(own))
                .flatMap(List::stream)
                .toArray(String[]::new);
    }

    @Test
    void aDuplicateIsAcknowledgedWithoutACall() {
        launch(Consuming.class, "pay");
        pay("k1", "one");
        pay("k1", "one");
        pay("k2", "two");

        await().atMost(LONG).until(() -> app().journal().bodies().contains("two"));
        await().atMost(LONG).until(() -> settled(3));
        assertThat(app().journal().bodies()).containsExactlyInAnyOrder("one", "two");
        assertThat(app().journal().events(ConsumerEvent.Duplicate.class)).hasSize(1);
        assertThat(app().state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    private void assertOneOfTwoCopiesRuns() {
        pay("k1", "one");
        pay("k1", "one");

        await().atMost(LONG)
                .until(() ->
                        app().journal().events(ConsumerEvent.Duplicate.class).size() == 1);
        await().atMost(LONG).until(() -> settled(2));
        assertThat(app().journal().bodies()).containsExactly("one");
    }

    @ParameterizedTest
    @ValueSource(classes = {Customizing.class, Customizer.class})
    void aBinderThatTheApplicationCustomizesIsGuarded(Class<?> functions) {
        launch(functions, "pay");
        assertOneOfTwoCopiesRuns();
    }

    /** Fifty waits of 200 ms in place are the ten seconds for which the key is in progress. */
    @Test
    void aDeferralIsNoAttemptOfTheBinder() {
        launch(Consuming.class, "pay");
        Lease otherOwner = app().occupy("k1");
        pay("k1", "one");

        await().atMost(LONG)
                .until(() ->
                        app().journal().events(ConsumerEvent.Deferred.class).size() >= 50);
        assertThat(app().journal().calls()).isEmpty();
        assertThat(app().journal().errors()).isEmpty();
        app().release(otherOwner);
        await().atMost(LONG).until(() -> app().state("k1") == RecordState.COMPLETED);

        await().atMost(LONG).until(() -> settled(1));
        assertThat(app().journal().bodies()).containsExactly("one");
        assertThat(attempts()).containsExactly(1);
        assertThat(app().journal().errors()).isEmpty();
    }

    private List<Integer> attempts() {
        return app().journal().calls().stream()
                .map(call -> call.getHeaders().get(IntegrationMessageHeaderAccessor.DELIVERY_ATTEMPT))
                .map(AtomicInteger.class::cast)
                .map(AtomicInteger::get)
                .toList();
    }

    @Test
    void aFailureIsRetriedByTheBinderUnderItsKey() {
        launch(Consuming.class, "pay");
        AtomicInteger calls = new AtomicInteger();
        app().journal().does(body -> {
            if (calls.incrementAndGet() < 3) {
                throw new IllegalStateException("card refused");
            }
        });
        pay("k1", "one");

        await().atMost(LONG).until(() -> app().state("k1") == RecordState.COMPLETED);
        await().atMost(LONG).until(() -> settled(1));
        assertThat(app().journal().bodies()).containsExactly("one", "one", "one");
        assertThat(app().journal().errors()).isEmpty();
    }

    @Test
    void aMessageThatTheBinderGivesUpIsItsDeadLetterAlone() {
        String letters = "idem-letters-" + System.nanoTime();
        launch(Consuming.class, "pay", bothDeadLetters(letters));
        Arrivals own = listen(app(), ownDeadLetterDestination(letters));
        Arrivals binders = binderDeadLettersOf(app());
        app().journal().does(body -> {
            throw new IllegalStateException("card refused");
        });
        pay("k1", "one");

        await().atMost(LONG).until(() -> !binders.all().isEmpty());
        await().atMost(LONG).until(() -> settled(1));
        assertThat(app().journal().bodies()).containsExactly("one", "one", "one");
        assertThat(binders.all()).hasSize(1);
        assertThat(own.all()).isEmpty();
        assertThat(app().state("k1")).isEqualTo(RecordState.FAILED);
    }

    /** The destination to which idem's dead letters of {@code pay} go. */
    abstract String ownDeadLetterDestination(String name);

    @Test
    void aMessageThatIdemRejectsIsItsDeadLetterAlone() {
        String letters = "idem-letters-" + System.nanoTime();
        launch(Consuming.class, "pay", bothDeadLetters(letters));
        Arrivals own = listen(app(), ownDeadLetterDestination(letters));
        Arrivals binders = binderDeadLettersOf(app());
        app().journal().does(body -> {
            throw new IllegalArgumentException("no such account");
        });
        pay("k1", "one");

        await().atMost(LONG).until(() -> !own.all().isEmpty());
        await().atMost(LONG).until(() -> settled(1));
        assertThat(app().journal().bodies()).containsExactly("one");
        assertThat(own.all()).hasSize(1);
        assertThat(own.all().get(0).getValue())
                .containsEntry(IdempotencyHeaders.REASON, "java.lang.IllegalArgumentException: no such account");
        assertThat(binders.all()).isEmpty();
        assertThat(app().state("k1")).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void aBindingIsGuardedByASetting() {
        launch(Plain.class, "pay", "idem.cloud-stream.bindings.pay-in-0=" + StreamApplication.SCOPE);
        assertThat(app().bean(ScopeRegistry.class).descriptions().get(StreamApplication.SCOPE))
                .isNotNull()
                .doesNotContain("not proved at start");
        assertOneOfTwoCopiesRuns();
    }

    @Test
    void whatAFunctionSendsCarriesKeysOfItsOwn() {
        String output = "idem-out-" + System.nanoTime();
        String notes = "idem-notes-" + System.nanoTime();
        launch(
                Answering.class,
                "receipt",
                "spring.cloud.stream.bindings.receipt-out-0.destination=" + output,
                "spring.cloud.stream.bindings.notes.destination=" + notes);
        Arrivals receipts = listen(app(), output);
        Arrivals bridged = listen(app(), notes);
        String input = app().destination("receipt-in-0");
        send(app(), input, "one", Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.FINGERPRINT, "0".repeat(32)));

        await().atMost(LONG)
                .until(() -> !receipts.all().isEmpty() && !bridged.all().isEmpty());
        for (Arrivals sent : List.of(receipts, bridged)) {
            Map<String, String> headers = sent.all().get(0).getValue();
            assertThat(headers).containsEntry(IdempotencyHeaders.ROOT, "k1");
            assertThat(headers.get(IdempotencyHeaders.KEY)).isNotNull().isNotEqualTo("k1");
            assertThat(headers).doesNotContainKey(IdempotencyHeaders.FINGERPRINT);
        }
        assertThat(receipts.all().get(0).getKey()).isEqualTo("receipt of one");
        assertThat(bridged.all().get(0).getKey()).isEqualTo("note of one");
    }

    @Test
    void aMessageThatComesByAnotherWayIsRefused() {
        launch(Consuming.class, "pay");
        MessageChannel input = app().channel("pay-in-0");

        assertThatThrownBy(() -> input.send(new GenericMessage<>("one")))
                .rootCause()
                .isInstanceOf(ListenerConfigurationException.class)
                .hasMessageContaining("outside a delivery");
        assertThat(app().journal().calls()).isEmpty();
    }

    @Test
    void aMessageFromTheWorkOfAnotherDeliveryIsRefused() {
        launch(Consuming.class, "pay");
        MessageChannel input = app().channel("pay-in-0");
        app().journal().does(body -> {
            if (body.equals("one")) {
                input.send(new GenericMessage<>("two"));
            }
        });
        pay("k1", "one");

        await().atMost(LONG)
                .untilAsserted(() -> assertThat(app().journal().bodies()).contains("one"));
        await().atMost(LONG).until(() -> app().state("k1") == RecordState.FAILED);
        assertThat(app().journal().bodies()).doesNotContain("two");
    }

    /** A setting under which idem refuses the container of {@code pay}. */
    abstract String unsafe();

    @Test
    void aContainerThatCannotBeMadeSafeEndsTheStart() {
        assertThatThrownBy(() -> launch(Consuming.class, "pay", unsafe()))
                .hasStackTraceContaining("@IdempotentListener Consuming.pay");
    }
}
