package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Admission;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.WorkResult;
import io.idem.step.Step;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is observed of executions, by every way of running work. */
class ObservedExecutionTest extends ExecutorFixture {

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final ObservationRegistry registry = registry(new Recording(seen));
    private final IdempotentExecutor observed = with(registry);

    private static ObservationRegistry registry(ObservationHandler<Observation.Context> handler) {
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(handler);
        return registry;
    }

    private IdempotentExecutor with(ObservationRegistry observations) {
        return IdempotentExecutor.on(store)
                .transports(() -> transports)
                .clock(scripted.clock())
                .observations(observations)
                .build();
    }

    private WorkResult<String> work() {
        seen.add("work in " + name());
        return done();
    }

    private String name() {
        Observation current = registry.getCurrentObservation();
        return current == null
                ? "none"
                : String.valueOf(current.getContextView().getName());
    }

    @Test
    void workIsSeenFromItsGrantToItsRecord() throws Exception {
        observed.execute(operation, context -> work());
        observed.execute(operation, context -> done());

        assertThat(seen)
                .containsExactly(
                        "acquire fresh",
                        "work in idem.execution",
                        "settling",
                        "settle executed",
                        "execution executed",
                        "acquire replay",
                        "execution replayed");
        assertThat(name()).isEqualTo("none");
    }

    @Test
    void workThatThrowsIsSeenWithItsFailure() {
        IllegalStateException failure = new IllegalStateException("broken");

        assertThatThrownBy(() -> observed.execute(operation, context -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(seen).containsExactly("acquire fresh", "settling", "settle failed", "execution failed " + failure);
    }

    @Test
    void workThatCannotRunNowIsSeenUntilItsKeyIsGivenBack() {
        StoreUnavailableException silent =
                new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());

        assertThatThrownBy(() -> observed.execute(operation, context -> {
                    throw silent;
                }))
                .isSameAs(silent);
        assertThat(seen).containsExactly("acquire fresh", "settling", "settle released", "execution released");
    }

    @Test
    void aSilentStoreIsAnEndToo() {
        StoreUnavailableException silent =
                new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());
        scripted.before("acquire", () -> {
            throw silent;
        });

        assertThatThrownBy(() -> observed.execute(operation, context -> done())).isSameAs(silent);
        assertThat(seen).containsExactly("acquire none " + silent, "execution unavailable " + silent);
    }

    @Test
    void workWhoseLeaseIsLostSaysSo() throws Exception {
        observed.execute(operation, context -> {
            scripted.advance(LEASE);
            context.requireOwner();
            return done();
        });

        assertThat(seen).containsExactly("acquire fresh", "execution lease-lost");
    }

    @Test
    void workThatEndsElsewhereIsSeenToItsEnd() throws Exception {
        RunningOperation running = ((Admission.Granted<String>) observed.<String>begin(operation)).operation();
        WorkResult<String> result = running.call(context -> work());
        running.settle(result);
        observed.<String>begin(operation);

        assertThat(seen)
                .containsExactly(
                        "acquire fresh",
                        "work in idem.execution",
                        "settling",
                        "settle executed",
                        "execution executed",
                        "acquire replay",
                        "execution replayed");
    }

    @Test
    void workThatIsAbandonedOrLeftIsSeenToItsEnd() {
        ((Admission.Granted<String>) observed.<String>begin(operation))
                .operation()
                .abandon();
        ((Admission.Granted<String>) observed.<String>begin(operation))
                .operation()
                .leave();

        assertThat(seen).containsExactly("acquire fresh", "execution released", "acquire retry", "execution left");
    }

    @Test
    void asynchronousWorkIsSeenToItsEnd() {
        AsyncIdempotentExecutor async = observed.async(Runnable::run);
        async.execute(operation, context -> CompletableFuture.completedStage(work()))
                .toCompletableFuture()
                .join();
        async.execute(operation, context -> CompletableFuture.completedStage(done()))
                .toCompletableFuture()
                .join();

        assertThat(seen)
                .containsExactly(
                        "acquire fresh",
                        "work in idem.execution",
                        "settling",
                        "settle executed",
                        "execution executed",
                        "acquire replay",
                        "execution replayed");
    }

    @Test
    void asynchronousWorkThatFailsIsSeenWithItsFailure() {
        IllegalStateException failure = new IllegalStateException("broken");
        AsyncIdempotentExecutor async = observed.async(Runnable::run);

        assertThat(async.<String>execute(operation, context -> CompletableFuture.failedStage(failure)))
                .isCompletedExceptionally();
        assertThat(seen).containsExactly("acquire fresh", "settling", "settle failed", "execution failed " + failure);
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "open", "close", "error", "stop", "start!", "open!", "close!", "error!", "stop!"})
    void aHandlerThatFailsHurtsNothing(String at) throws Exception {
        IdempotentExecutor hurt = with(registry(new Failing(at)));
        IllegalStateException broken = new IllegalStateException("broken");

        assertThat(hurt.execute(operation, this::charge)).isInstanceOf(Outcome.Executed.class);
        Operation other =
                Operation.of(IdempotencyKey.of("k-2"), operation.record().scope(), POLICY);
        assertThatThrownBy(() -> hurt.execute(other, context -> {
                    throw broken;
                }))
                .isSameAs(broken);
    }

    private WorkResult<String> charge(IdempotencyContext context) {
        var unused = context.step("charge", "item", String.class, step -> {
            seen.add("charge in " + name());
            return "charged";
        });
        return work();
    }

    @Test
    void aStepIsSeenWhileItsWorkRunsAndNotWhenItIsRemembered() throws Exception {
        observed.execute(operation, context -> {
            var unused = charge(context);
            return new WorkResult.Release<>("", Duration.ZERO);
        });
        observed.execute(operation, this::charge);

        assertThat(seen)
                .containsExactly(
                        "acquire fresh",
                        "charge in idem.step.work",
                        "step.work ran",
                        "work in idem.execution",
                        "settling",
                        "settle released",
                        "execution released",
                        "acquire retry",
                        "work in idem.execution",
                        "settling",
                        "settle executed",
                        "execution executed");
    }

    @Test
    void aStepThatFailsIsSeenToItsEnd() {
        IllegalStateException failure = new IllegalStateException("broken");

        assertThatThrownBy(() -> observed.execute(operation, context -> {
                    var unused = context.step("charge", String.class, step -> {
                        throw failure;
                    });
                    return done();
                }))
                .isSameAs(failure);

        assertThat(seen).contains("step.work failed");
    }

    @Test
    void anAsynchronousStepIsSeenUntilItsResultIsStored() {
        CompletableFuture<String> charged = new CompletableFuture<>();
        CompletionStage<Outcome<String>> outcome = observed.async(Runnable::run)
                .execute(
                        operation,
                        context -> context.stepAsync(Step.of("charge", String.class), step -> {
                                    seen.add("charge in " + name());
                                    return charged;
                                })
                                .thenApply(receipt -> done()));
        assertThat(seen).contains("charge in idem.step.work").doesNotContain("step.work ran");

        charged.complete("charged");

        assertThat(outcome.toCompletableFuture().join()).isInstanceOf(Outcome.Executed.class);
        assertThat(seen).contains("step.work ran");
    }

    @Test
    void theBeginningOfWorkIsAnEventOnceAlsoWhereNothingIsObserved() throws Exception {
        try (IdempotentExecutor unobserved = IdempotentExecutor.on(store)
                .observations(disabled())
                .listeners(List.of(events::add))
                .build()) {
            unobserved.execute(operation, this::charge);
            unobserved.execute(operation, this::charge);
        }

        assertThat(events)
                .filteredOn(IdempotencyEvent.WorkBegun.class::isInstance)
                .singleElement()
                .extracting(IdempotencyEvent::record)
                .isEqualTo(operation.record());
    }

    /** Tells of the ends of observations, and of the beginning of what follows the work. */
    private record Recording(List<String> seen) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            if ("idem.settle".equals(context.getName())) {
                seen.add("settling");
            }
        }

        @Override
        public void onStop(Observation.Context context) {
            String end = Stream.of("outcome", "answer", "how")
                    .map(context::getLowCardinalityKeyValue)
                    .filter(Objects::nonNull)
                    .map(KeyValue::getValue)
                    .findFirst()
                    .orElse("");
            Throwable error = context.getError();
            seen.add(String.valueOf(context.getName()).replace("idem.", "") + " " + end
                    + (error == null ? "" : " " + error));
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    /** Throws from one of its methods; an error if its name is followed by an exclamation mark. */
    private record Failing(String at) implements ObservationHandler<Observation.Context> {

        private void fail(String where) {
            if (where.equals(at)) {
                throw new IllegalStateException("bug");
            }
            if (at.equals(where + "!")) {
                throw new NoClassDefFoundError("of a tracer");
            }
        }

        @Override
        public void onStart(Observation.Context context) {
            fail("start");
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            fail("open");
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            fail("close");
        }

        @Override
        public void onError(Observation.Context context) {
            fail("error");
        }

        @Override
        public void onStop(Observation.Context context) {
            fail("stop");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
