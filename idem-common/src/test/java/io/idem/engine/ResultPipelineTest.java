package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyEvent;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Lease;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.ResultCodecException;
import io.idem.ResultLoss;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.spi.ResultPipeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When results are turned into what records keep, and what their failures may do. */
class ResultPipelineTest extends ExecutorFixture {

    private static final StoredResult SHORT = StoredResult.of("text", "r".getBytes(StandardCharsets.UTF_8));

    private final Wrapping pipeline = new Wrapping();
    private final IdempotentExecutor packing = IdempotentExecutor.on(store)
            .transports(() -> transports)
            .listeners(List.of(events::add))
            .clock(scripted.clock())
            .results(pipeline)
            .build();

    /** Marks what it kept by another codec name. */
    private static final class Wrapping implements ResultPipeline {

        private @Nullable RuntimeException failure;
        private boolean tooLarge;

        @Override
        public Handled pack(Lease lease, StoredResult result, StoredResult shortened) {
            if (failure != null) {
                throw failure;
            }
            return tooLarge
                    ? Handled.without(ResultLoss.TOO_LARGE, packShortened(lease, shortened))
                    : Handled.whole(packed(result));
        }

        @Override
        public StoredResult packShortened(Lease lease, StoredResult shortened) {
            return packed(shortened);
        }

        @Override
        public Handled unpack(RecordId record, StoredResult kept) {
            if (failure != null) {
                throw failure;
            }
            return Handled.whole(StoredResult.of("text", kept.content()));
        }

        private static StoredResult packed(StoredResult result) {
            return StoredResult.of("packed", result.content());
        }
    }

    private Outcome<String> runPacking(Operation of) throws Exception {
        return packing.execute(of, context -> new WorkResult.Complete<>("charged", RECEIPT, SHORT));
    }

    @Test
    void theRecordKeepsThePackedFormAndEverybodyIsAnsweredTheOther() throws Exception {
        assertThat(runPacking(operation)).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        assertThat(runPacking(operation)).isEqualTo(new Outcome.Replayed<>(RECEIPT));

        assertThat(record().result().codec()).isEqualTo("packed");
    }

    @Test
    void theInboxRowKeepsThePackedFormAndItsReplayIsTheOther() throws Exception {
        MapInbox inbox = new MapInbox();
        assertThat(runPacking(operation.withInbox(inbox))).isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
        Inbox.Effect row = inbox.find(operation.record()).orElseThrow();
        StoredResult kept = row.result();

        Operation recordGone = Operation.of(IdempotencyKey.of("k-2"), new Scope("payments"), POLICY);
        inbox.rows().put(recordGone.record(), row);
        assertThat(runPacking(recordGone.withInbox(inbox))).isEqualTo(new Outcome.Replayed<>(RECEIPT));

        assertThat(kept.codec()).isEqualTo("packed");
        assertThat(scripted.memory().inspect(recordGone.record()).orElseThrow().result())
                .isEqualTo(kept);
    }

    @Test
    void aResultThatCannotBeKeptRollsAnInboxTransactionBack() {
        MapInbox inbox = new MapInbox();
        pipeline.failure = new ResultCodecException("no room");

        assertThatThrownBy(() -> runPacking(operation.withInbox(inbox))).isSameAs(pipeline.failure);

        assertThat(inbox.rows()).isEmpty();
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
    }

    @Test
    void withoutInboxAResultThatCannotBeKeptIsShortenedAndTheWorkCountsAsDone() throws Exception {
        pipeline.failure = new IllegalStateException("the storage is away");

        Outcome<String> outcome = runPacking(operation);

        assertThat(outcome).isInstanceOf(Outcome.Executed.class);
        assertThat(record().state()).isEqualTo(RecordState.COMPLETED);
        assertThat(record().result()).isEqualTo(Wrapping.packed(SHORT));
        assertThat(eventsOf(IdempotencyEvent.ResultOmitted.class))
                .containsExactly(new IdempotencyEvent.ResultOmitted(operation.record(), ResultLoss.NOT_STORABLE));
    }

    @Test
    void aLargeResultIsShortenedAndTold() throws Exception {
        pipeline.tooLarge = true;

        runPacking(operation);

        assertThat(runPacking(operation)).isEqualTo(new Outcome.Replayed<>(SHORT));
        assertThat(eventsOf(IdempotencyEvent.ResultOmitted.class))
                .containsExactly(new IdempotencyEvent.ResultOmitted(operation.record(), ResultLoss.TOO_LARGE));
    }

    @Test
    void aStorageThatIsAwayAtAReplayIsLikeASilentStore() throws Exception {
        runPacking(operation);
        pipeline.failure = new StoreUnavailableException("away", Execution.NOT_EXECUTED, new IllegalStateException());

        assertThatThrownBy(() -> runPacking(operation)).isSameAs(pipeline.failure);
    }

    @Test
    void whatAnotherOwnerCompletedIsAnsweredUnpacked() throws Exception {
        scripted.before("complete", () -> scripted.memory().complete(takenOver(), Wrapping.packed(SHORT)));

        assertThat(runPacking(operation)).isEqualTo(new Outcome.Superseded<>("charged", SHORT));
    }

    @Test
    void aRecordThatHadToBeRestoredIsAnsweredUnpackedToo() throws Exception {
        scripted.before("complete", () -> scripted.memory().fail(takenOver(), Duration.ZERO));

        Outcome<String> lost = runPacking(operation);

        assertThat(lost).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(((Outcome.Unrecorded<String>) lost).again().get())
                .isEqualTo(new Outcome.Executed<>("charged", RECEIPT));
    }
}
