package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.AcquireRequest;
import io.idem.AttemptPolicy;
import io.idem.Claim;
import io.idem.CommitUnknownException;
import io.idem.ExecutionPolicy;
import io.idem.FailurePolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyEvent;
import io.idem.Inbox;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.Reconciliation;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.RecordUpdate;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.TakeoverPolicy;
import io.idem.UnreadableRecordException;
import io.idem.WorkResult;
import io.idem.spi.OutgoingTransport;
import io.idem.spi.Stages;
import io.idem.spi.StoreDecorator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** How an attempt ends, by the end of its work and the answer of the store to the update that records that end. */
class SettleTableTest extends ExecutorFixture {

    private static final StoredResult OTHERS = StoredResult.of("text", "other".getBytes(StandardCharsets.UTF_8));
    private static final Duration SHORT = Duration.ofMillis(100);

    private final MapInbox inbox = new MapInbox();
    private final List<String> written = new ArrayList<>();

    /** How the work ends, or what takes its place. */
    enum End {
        UNCONFIRMED,
        DONE,
        DONE_IN_ROW,
        SENT_BACK,
        DONE_BEFORE,
        FOUND,
        FOUND_UNCONFIRMED,
        OTHER_PAYLOAD,
        RELEASED,
        THROWN,
        REFUSED,
        REFUSED_BY_EXCEPTION,
        REFUSED_BY_TAKEOVER,
        REFUSED_BY_STEP,
        COMMIT_UNKNOWN
    }

    /** The answer of the store to the update. */
    enum Answer {
        OK,
        LOST_COMPLETED,
        LOST_PENDING,
        LOST_ABSENT,
        UNREADABLE,
        SILENT
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = {"settle-table.csv", "settle-table-inbox.csv"},
            delimiter = '|',
            numLinesToSkip = 1)
    void anAttemptEndsAsTheTableSays(End end, Answer answer, String update, String outcome, String event)
            throws Exception {
        try (IdempotentExecutor tested = executorOn(answer)) {
            Operation prepared = prepared(end);

            assertThat(ending(() -> tested.execute(prepared, context -> work(end, context))))
                    .isEqualTo(outcome);
        }
        assertThat(String.join(" ", written)).isEqualTo(update);
        assertThat(told()).isEqualTo(event);
    }

    /** Without the ends of an inbox, whose transaction belongs to one thread. */
    @ParameterizedTest
    @CsvFileSource(resources = "settle-table.csv", delimiter = '|', numLinesToSkip = 1)
    void theAsynchronousFormEndsInTheSameWay(End end, Answer answer, String update, String outcome, String event)
            throws Exception {
        try (IdempotentExecutor tested = executorOn(answer)) {
            Operation prepared = prepared(end);

            assertThat(ending(() -> Stages.joinOrThrow(tested.async(Runnable::run)
                            .execute(prepared, context -> CompletableFuture.completedFuture(work(end, context))))))
                    .isEqualTo(outcome);
        }
        assertThat(String.join(" ", written)).isEqualTo(update);
        assertThat(told()).isEqualTo(event);
    }

    private IdempotentExecutor executorOn(Answer answer) {
        return IdempotentExecutor.on(new Answering(answer))
                .transports(() -> transports)
                .listeners(List.of(events::add))
                .clock(scripted.clock())
                .build();
    }

    private Operation prepared(End end) {
        AttemptPolicy policy = AttemptPolicy.DEFAULT.withFailures(
                FailurePolicy.RETRY_ALL.with(List.of(IllegalArgumentException.class), List.of()));
        if (end == End.DONE_BEFORE || end == End.REFUSED_BY_TAKEOVER) {
            someoneElsesLease();
            scripted.advance(LEASE);
            policy = policy.withTakeover(
                    end == End.DONE_BEFORE
                            ? TakeoverPolicy.reconcile(question -> Reconciliation.done(RECEIPT))
                            : TakeoverPolicy.reject());
        }
        Duration lease = end == End.UNCONFIRMED || end == End.FOUND_UNCONFIRMED ? SHORT : LEASE;
        Operation plain = Operation.of(
                        operation.record().key(),
                        operation.record().scope(),
                        ExecutionPolicy.of(lease, POLICY.retention()).withAttempts(policy))
                .withFingerprint(Fingerprint.of("payload".getBytes(StandardCharsets.UTF_8)));
        return switch (end) {
            case FOUND -> withRow(plain, plain.fingerprint(), List.of());
            case FOUND_UNCONFIRMED -> withRow(plain, plain.fingerprint(), List.of(unconfirmed()));
            case OTHER_PAYLOAD ->
                withRow(plain, Fingerprint.of("another".getBytes(StandardCharsets.UTF_8)), List.of(unconfirmed()));
            case DONE_IN_ROW -> plain.withInbox(new InboxAlone(inbox));
            default -> plain;
        };
    }

    private Operation withRow(Operation plain, Fingerprint fingerprint, List<OutgoingMessage> outgoing) {
        inbox.rows().put(plain.record(), new Inbox.Effect(RECEIPT, outgoing, fingerprint));
        return plain.withInbox(inbox);
    }

    /** A message whose broker never confirms it. */
    private OutgoingMessage unconfirmed() {
        transports.add(new OutgoingTransport() {
            @Override
            public String name() {
                return "silent";
            }

            @Override
            public CompletionStage<?> publish(OutgoingMessage message) {
                written.add("publish");
                return new CompletableFuture<>();
            }
        });
        return new OutgoingMessage("silent", "ledger", new byte[0]);
    }

    private static WorkResult<String> work(End end, IdempotencyContext context) {
        return switch (end) {
            case UNCONFIRMED -> {
                context.publications().track(new CompletableFuture<>(), CompletableFuture::new);
                yield done();
            }
            case SENT_BACK -> {
                context.publications().again();
                yield done();
            }
            case RELEASED -> new WorkResult.Release<>("later", Duration.ofSeconds(1));
            case THROWN -> throw new IllegalStateException("broken");
            case REFUSED -> new WorkResult.Reject<>("refused", "no such account");
            case REFUSED_BY_EXCEPTION -> throw new IllegalArgumentException("no such account");
            case COMMIT_UNKNOWN ->
                throw new CommitUnknownException(
                        ((Attempt) context).record(), new IllegalStateException("connection reset"));
            case REFUSED_BY_STEP -> throw refusedByStep(context);
            default -> done();
        };
    }

    private static RuntimeException refusedByStep(IdempotencyContext context) {
        Attempt attempt = (Attempt) context;
        attempt.steps().endBy(new Reconciliation.Reject("no such account"), new IllegalStateException("the step"));
        return new IllegalStateException("what the work made of it");
    }

    private static String ending(Callable<Outcome<String>> attempt) {
        try {
            Outcome<String> outcome = attempt.call();
            String name = outcome.getClass().getSimpleName();
            if (outcome instanceof Outcome.Unrecorded<String> open) {
                return name + " " + open.why().getClass().getSimpleName()
                        + (open.why() instanceof Outcome.Obstacle.RecordLost lost ? " " + lost.state() : "");
            }
            if (outcome instanceof Outcome.Replayed<String> replayed) {
                return name + " " + new String(replayed.result().content(), StandardCharsets.UTF_8);
            }
            return outcome instanceof Outcome.InProgress<String> later ? name + " " + later.retryAfter() : name;
        } catch (Exception thrown) {
            return "throws " + thrown.getClass().getSimpleName();
        }
    }

    /** The events of the end, in their order. */
    private String told() {
        return events.stream()
                .filter(event -> !(event instanceof IdempotencyEvent.Claimed)
                        && !(event instanceof IdempotencyEvent.WorkBegun)
                        && !(event instanceof IdempotencyEvent.TakeoverDecided))
                .map(event -> event instanceof IdempotencyEvent.Settled settled
                        ? settled.state().name()
                        : event.getClass().getSimpleName())
                .collect(Collectors.joining(" "));
    }

    /** An inbox whose rows are the records. */
    private record InboxAlone(MapInbox rows) implements Inbox, Inbox.Failures {

        @Override
        public InboxOutcome run(Request request, InboxWork work) throws Exception {
            rows.leastFenceIs(2);
            return rows.run(request, work);
        }

        @Override
        public Optional<Effect> find(RecordId record) {
            return rows.find(record);
        }

        @Override
        public Optional<Failures> failures() {
            return Optional.of(this);
        }

        @Override
        public Claim grant(AcquireRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StoreAnswer fail(Request attempt, Duration delay, boolean counted) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StoreAnswer reject(Request attempt, String reason) {
            throw new UnsupportedOperationException();
        }
    }

    /** Grants as the reference does, and gives every update of an end the same answer. */
    private final class Answering extends StoreDecorator {

        private final Answer answer;

        Answering(Answer answer) {
            super(scripted.memory());
            this.answer = answer;
        }

        @Override
        public List<CompletionStage<StoreAnswer>> update(List<RecordUpdate> updates) {
            return Stages.each(updates, this::answered);
        }

        private StoreAnswer answered(RecordUpdate update) {
            if (update instanceof RecordUpdate.Renew) {
                return new StoreAnswer.Ok(StoredResult.NONE);
            }
            written.add(update.name());
            return switch (answer) {
                case OK ->
                    new StoreAnswer.Ok(
                            update instanceof RecordUpdate.Complete complete ? complete.result() : StoredResult.NONE);
                case LOST_COMPLETED -> new StoreAnswer.Lost(RecordState.COMPLETED, OTHERS);
                case LOST_PENDING -> new StoreAnswer.Lost(RecordState.PENDING, StoredResult.NONE);
                case LOST_ABSENT -> new StoreAnswer.Lost(RecordState.ABSENT, StoredResult.NONE);
                case UNREADABLE ->
                    throw new UnreadableRecordException(update.lease().record(), "5 bytes");
                case SILENT -> throw ScriptedStore.silence();
            };
        }
    }
}
