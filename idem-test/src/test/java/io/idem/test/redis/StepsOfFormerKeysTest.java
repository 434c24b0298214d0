package io.idem.test.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.AsyncCall;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.spi.IdempotencyStore;
import io.idem.step.Step;
import io.idem.step.StepContext;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Work that failed behind a step under a key that earlier versions read otherwise, on a real Redis. */
@Tag("servers")
class StepsOfFormerKeysTest {

    private static final Scope SCOPE = new Scope("payments");
    private static final Step<String> CHARGE = Step.of("charge", String.class);
    private static final Step<String> LABEL = Step.of("label", String.class);
    private static final Step<String> MAIL = Step.of("mail", String.class).rejectedWhenUnknown();
    private static final int MANY = 64;

    private final RedisStoreHarness harness = new RedisStoreHarness();
    private final IdempotencyStore store = harness.store();
    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final IdempotentExecutor executor = IdempotentExecutor.on(store).build();
    private final Map<String, List<StepContext>> calls = new ConcurrentHashMap<>();
    private final String key = UUID.randomUUID().toString();

    @AfterEach
    void end() {
        workers.shutdownNow();
        executor.close();
        harness.stop();
    }

    /** Returns the operation as an earlier version knew it. */
    private static Operation before(String of) {
        return operation(IdempotencyKey.of("\"" + of + "\""));
    }

    private static Operation now(String of) {
        return operation(IdempotencyKey.of(of).formerly(before(of).record().key()));
    }

    private static Operation operation(IdempotencyKey of) {
        return Operation.of(of, SCOPE, ExecutionPolicy.defaults());
    }

    private static WorkResult<String> done(String value) {
        return new WorkResult.Complete<>(value, StoredResult.NONE);
    }

    private String call(String of, StepContext step) {
        List<StepContext> sameKey = calls.computeIfAbsent(of, unused -> new CopyOnWriteArrayList<>());
        sameKey.add(step);
        return step.id() + " " + sameKey.size();
    }

    private String callInVain(String of, StepContext step) {
        throw new IllegalStateException("no answer to " + call(of, step));
    }

    /** Lets the work charge and fail at its label. */
    private void failAtTheLabel(Operation operation, String of) {
        assertThatThrownBy(() -> executor.execute(operation, attempt -> {
                    attempt.step(CHARGE, step -> call(of, step));
                    return done(attempt.step(LABEL, step -> callInVain(of, step)));
                }))
                .hasMessageStartingWith("no answer to label");
    }

    private CompletionStage<WorkResult<String>> shipLater(String of, IdempotencyContext attempt) {
        return attempt.stepAsync(CHARGE, step -> CompletableFuture.supplyAsync(() -> call(of, step)))
                .thenCompose(receipt -> attempt.stepAsync(
                                LABEL, step -> CompletableFuture.supplyAsync(() -> call(of, step)))
                        .thenApply(label -> done(receipt + ", " + label)));
    }

    private static String valueOf(Outcome<String> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        return ((Outcome.Executed<String>) outcome).value();
    }

    private void assertThatOnlyTheLabelWasCalledAgain(String of) {
        List<StepContext> made = calls.getOrDefault(of, List.of());
        assertThat(made).extracting(StepContext::id).startsWith("charge").endsWith("label");
        assertThat(made.subList(1, made.size())).extracting(StepContext::id).containsOnly("label");
        assertThat(made.subList(1, made.size()))
                .extracting(StepContext::key)
                .containsOnly(made.get(1).key());
    }

    @Test
    void aRetryUnderThePresentKeyGoesOnBehindTheSteps() throws Exception {
        failAtTheLabel(before(key), key);
        failAtTheLabel(now(key), key);

        Outcome<String> third = executor.execute(
                now(key),
                attempt -> done(attempt.step(CHARGE, step -> call(key, step)) + ", "
                        + attempt.step(LABEL, step -> call(key, step))));

        assertThat(valueOf(third)).isEqualTo("charge 1, label 4");
        assertThatOnlyTheLabelWasCalledAgain(key);
    }

    @Test
    void asynchronousRetriesGoOnBehindTheSteps() {
        List<String> keys =
                IntStream.range(0, MANY).mapToObj(number -> key + number).toList();
        keys.forEach(each -> failAtTheLabel(before(each), each));

        List<CompletionStage<Outcome<String>>> outcomes = executor.async(workers)
                .executeAll(keys.stream()
                        .map(each -> new AsyncCall<String>(now(each), attempt -> shipLater(each, attempt)))
                        .toList());

        assertThat(outcomes)
                .extracting(outcome -> valueOf(outcome.toCompletableFuture().join()))
                .containsOnly("charge 1, label 3");
        assertThat(keys).allSatisfy(this::assertThatOnlyTheLabelWasCalledAgain);
    }

    @Test
    void aStepThatWasBegunUnderTheFormerKeyIsLeftToAPerson() throws Exception {
        assertThatThrownBy(() -> executor.execute(
                        before(key), attempt -> done(attempt.step(MAIL, step -> callInVain(key, step)))))
                .hasMessageStartingWith("no answer to mail");

        Outcome<String> second =
                executor.execute(now(key), attempt -> done(attempt.step(MAIL, step -> call(key, step))));

        assertThat(second).isInstanceOf(Outcome.Rejected.class);
        assertThat(calls.getOrDefault(key, List.of())).hasSize(1);
    }

    @Test
    void aFormerRecordThatAPersonReopenedRunsTheBegunStep() throws Exception {
        Operation before = before(key);
        assertThatThrownBy(() ->
                        executor.execute(before, attempt -> done(attempt.step(MAIL, step -> callInVain(key, step)))))
                .hasMessageStartingWith("no answer to mail");
        executor.execute(before, attempt -> done(attempt.step(MAIL, step -> call(key, step))));
        RecordSnapshot rejected = store.inspect(before.record()).orElseThrow();
        assertThat(rejected.state()).isEqualTo(RecordState.REJECTED);
        store.reopen(
                before.record(), rejected.fence(), ExecutionPolicy.defaults().retention());

        Outcome<String> third =
                executor.execute(now(key), attempt -> done(attempt.step(MAIL, step -> call(key, step))));

        assertThat(valueOf(third)).isEqualTo("mail 2");
    }
}
