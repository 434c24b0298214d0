package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Outcome.Obstacle;
import io.idem.OutgoingMessage;
import io.idem.RecordState;
import io.idem.WorkResult;
import io.idem.spi.OutgoingTransport;
import io.idem.step.Step;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Work that sends its own message back to where it came from: a later attempt comes with the copy. */
class SentBackTest extends ExecutorFixture {

    private static final String MESSAGE = "payment";
    private static final String SETTLED = "settled";

    private final List<String> order = new ArrayList<>();
    private final MapInbox inbox = new MapInbox(order);
    private final Queue queue = new Queue();

    @BeforeEach
    void connect() {
        transports.add(queue);
    }

    /** A broker's queue, and where other messages go. */
    private final class Queue implements OutgoingTransport {

        private final List<String> ready = new ArrayList<>();
        private final List<String> others = new ArrayList<>();
        private boolean refuses;
        private Runnable before = () -> {};
        private Runnable after = () -> {};

        @Override
        public String name() {
            return "queue";
        }

        @Override
        public CompletionStage<?> publish(OutgoingMessage message) {
            return publish(new String(message.content(), StandardCharsets.UTF_8));
        }

        CompletionStage<?> publish(String message) {
            order.add("publish " + message);
            Runnable first = before;
            before = () -> {};
            first.run();
            if (!message.equals(MESSAGE)) {
                others.add(message);
                return CompletableFuture.completedFuture(message);
            }
            ready.add(message);
            Runnable last = after;
            after = () -> {};
            last.run();
            return refuses
                    ? CompletableFuture.failedFuture(new IllegalStateException("refused"))
                    : CompletableFuture.completedFuture(message);
        }
    }

    /** Publishes at once, or keeps for after the commit, as templates do. */
    private void publish(IdempotencyContext context, String message) {
        if (context.publications().keeping()) {
            context.publications()
                    .keep(new OutgoingMessage("queue", message, message.getBytes(StandardCharsets.UTF_8)));
        } else {
            context.publications().track(queue.publish(message), () -> queue.publish(message));
        }
    }

    private WorkResult<String> sendBack(IdempotencyContext context) {
        publish(context, SETTLED);
        publish(context, MESSAGE);
        context.publications().again();
        return done();
    }

    @Test
    void theRecordIsFailedAndDueAtOnceWhenTheCopyIsConfirmed() throws Exception {
        scripted.before("fail", () -> order.add("fail"));

        assertThat(run(this::sendBack)).isEqualTo(new Outcome.Released<>("charged", true));

        assertThat(order).containsExactly("publish settled", "publish payment", "fail");
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(scripted.calls()).doesNotContain("complete");
        assertThat(run(context -> {
                    assertThat(context.attempt()).isEqualTo(2);
                    assertThat(context.takeover()).isFalse();
                    return done();
                }))
                .isInstanceOf(Outcome.Executed.class);
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void theNextAttemptHasTheKeysAndStepsOfTheOneBefore() throws Exception {
        List<String> keys = new ArrayList<>();
        List<String> steps = new ArrayList<>();
        for (int attempt = 1; attempt <= 2; attempt++) {
            boolean last = attempt == 2;
            run(context -> {
                steps.add(context.step(Step.of("charge", String.class), step -> "receipt " + keys.size()));
                keys.add(context.publications().nextKey("ledger").value());
                return last ? done() : sendBack(context);
            });
        }

        assertThat(keys.get(1)).isEqualTo(keys.get(0));
        assertThat(steps).containsExactly("receipt 0", "receipt 0");
    }

    @Test
    void aCopyThatIsNotConfirmedEndsNothing() throws Exception {
        queue.refuses = true;
        Operation impatient = Operation.of(
                operation.record().key(),
                operation.record().scope(),
                ExecutionPolicy.of(Duration.ofMillis(300), Duration.ofHours(24)));

        Outcome<String> outcome = executor.execute(impatient, this::sendBack);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Unrecorded.class,
                        open -> assertThat(open.why()).isInstanceOf(Obstacle.Unconfirmed.class));
        assertThat(scripted.calls()).doesNotContain("fail", "complete");
        queue.refuses = false;
        assertThat(((Outcome.Unrecorded<String>) outcome).again().get())
                .isEqualTo(new Outcome.Released<>("charged", true));
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void aSilentStoreIsAskedAgain() throws Exception {
        scripted.fail("fail", ScriptedStore.silence());

        Outcome<String> outcome = run(this::sendBack);

        assertThat(outcome).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(((Outcome.Unrecorded<String>) outcome).again().get())
                .isEqualTo(new Outcome.Released<>("charged", true));
    }

    @Test
    void anInboxCommitsARowThatKeepsTheCopyUntilItIsConfirmed() throws Exception {
        scripted.before("fail", () -> order.add("fail"));

        assertThat(executor.execute(operation.withInbox(inbox), this::sendBack))
                .isEqualTo(new Outcome.Released<>("charged", true));

        assertThat(order).containsExactly("commit", "publish settled", "publish payment", "fail", "remove");
        assertThat(inbox.rows()).isEmpty();
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void attemptsThatAreUsedUpStillSendTheCopyOfTheirRow() throws Exception {
        Operation once = Operation.of(
                        operation.record().key(), operation.record().scope(), POLICY.withMaxAttempts(1))
                .withInbox(inbox);
        queue.before = SentBackTest::kill;
        assertThat(killed(() -> executor.execute(once, this::sendBack))).isTrue();
        scripted.advance(LEASE.multipliedBy(2));

        assertThat(executor.execute(once, this::sendBack)).isInstanceOf(Outcome.Replayed.class);
        assertThat(queue.ready).containsExactly(MESSAGE);
        assertThat(executor.execute(once, this::sendBack)).isEqualTo(new Outcome.Exhausted<>(1));
    }

    /** The step at which the process of the first attempt dies. */
    private enum Death {
        NEVER,
        BEFORE_PUBLISHING,
        BEFORE_THE_CONFIRM,
        BEFORE_FAIL,
        AFTER_FAIL,
        BEFORE_THE_ACKNOWLEDGEMENT
    }

    @ParameterizedTest
    @EnumSource(Death.class)
    void aKillLosesNoCopy(Death death) throws Exception {
        order(death);

        assertThat(consume(operation, death)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Death.class)
    void aKillLosesNoCopyInAnInbox(Death death) throws Exception {
        order(death);

        assertThat(consume(operation.withInbox(inbox), death)).isEqualTo(1);
        assertThat(inbox.rows().values()).noneMatch(Inbox.Effect::again);
    }

    private void order(Death death) {
        switch (death) {
            case BEFORE_PUBLISHING -> queue.before = SentBackTest::kill;
            case BEFORE_THE_CONFIRM -> queue.after = SentBackTest::kill;
            case BEFORE_FAIL -> scripted.before("fail", SentBackTest::kill);
            case AFTER_FAIL -> scripted.loseAnswerTo("fail");
            case NEVER, BEFORE_THE_ACKNOWLEDGEMENT -> {}
        }
    }

    private static void kill() {
        throw new Killed();
    }

    private static boolean killed(Callable<?> process) throws Exception {
        try {
            process.call();
            return false;
        } catch (Killed dead) {
            return true;
        }
    }

    /** Delivers messages until there are none; the first two attempts send their message back. Returns how often the work was done. */
    private int consume(Operation delivered, Death death) throws Exception {
        int[] runs = new int[2];
        queue.ready.add(MESSAGE);
        boolean mayDie = death == Death.BEFORE_THE_ACKNOWLEDGEMENT;
        for (int deliveries = 0; !queue.ready.isEmpty(); deliveries++) {
            assertThat(deliveries).isLessThan(20);
            String message = queue.ready.remove(0);
            List<Outcome<String>> outcome = new ArrayList<>();
            boolean dead = killed(() -> outcome.add(executor.execute(delivered, context -> {
                if (++runs[0] <= 2) {
                    return sendBack(context);
                }
                runs[1]++;
                return done();
            })));
            boolean acknowledged = !dead && !mayDie && acknowledges(outcome.get(0));
            mayDie = false;
            if (!acknowledged) {
                queue.ready.add(message);
                scripted.advance(LEASE.multipliedBy(2));
            }
        }
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(queue.others).contains(SETTLED);
        return runs[1];
    }

    private static boolean acknowledges(Outcome<String> outcome) {
        return Stream.of(Outcome.Released.class, Outcome.Executed.class, Outcome.Replayed.class)
                .anyMatch(done -> done.isInstance(outcome));
    }

    private static final class Killed extends Error {}
}
