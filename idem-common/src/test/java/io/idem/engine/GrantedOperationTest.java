package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idem.Claim;
import io.idem.CommitUnknownException;
import io.idem.Outcome;
import io.idem.RecordState;
import io.idem.WorkResult;
import io.idem.internal.RawResultCodec;
import io.idem.spi.ResultPipeline;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of the end of an attempt and of its renewals, without time: {@link LeaseTest} lets leases pass. */
class GrantedOperationTest extends ExecutorFixture {

    private static final String RENEWALS_END = "the renewals end";

    private final List<String> order = new CopyOnWriteArrayList<>();
    private final Engine engine = Engine.of(
            store,
            List.of(),
            scripted.clock(),
            ResultPipeline.UNCHANGED,
            new RawResultCodec(),
            ObservationRegistry.NOOP,
            false);

    @AfterEach
    void closeEngine() {
        engine.close();
    }

    private GrantedOperation granted() {
        Attempt attempt = new Attempt(
                operation,
                new Claim.Granted(someoneElsesLease(), Claim.GrantKind.FRESH),
                engine.watch(operation, scripted.clock().nanoTime()),
                engine.observe(operation),
                engine.steps());
        return new GrantedOperation(attempt, engine.settling(new CallerLane(store)), () -> order.add(RENEWALS_END));
    }

    /** Results, and the call of the store that settles each. */
    static Stream<Arguments> ends() {
        return Stream.of(
                arguments(done(), "complete"),
                arguments(new WorkResult.Reject<>("refused", "no such account"), "reject"),
                arguments(new WorkResult.Release<>("later", Duration.ZERO), "fail"));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void theLeaseIsRenewedUntilTheEndIsWritten(WorkResult<String> result, String call) {
        scripted.before(call, () -> order.add(call));

        Outcome<String> unused = granted().settle(result);

        assertThat(order).containsExactly(call, RENEWALS_END);
    }

    @Test
    void theRenewalsOfWorkThatThrewEndBeforeItsEndIsWritten() {
        scripted.before("fail", () -> order.add("fail"));
        GrantedOperation operation = granted();

        Throwable thrown =
                catchThrowable(() -> operation.settle(operation.<String>ending(new IllegalStateException("declined"))));

        assertThat(thrown).hasMessage("declined");
        assertThat(order).startsWith(RENEWALS_END, "fail");
    }

    /** Its lease runs out then. */
    @Test
    void theRenewalsEndIfTheCauseOfAFailureCannotBeHad() {
        GrantedOperation operation = granted();
        IllegalStateException causeless = new IllegalStateException("declined") {
            @Override
            public synchronized Throwable getCause() {
                throw new UnsupportedOperationException("no cause");
            }
        };

        assertThatThrownBy(() -> operation.<String>ending(causeless)).hasMessage("no cause");

        assertThat(order).containsExactly(RENEWALS_END);
    }

    /** An exception whose message is made when it is asked for, which fails. */
    private static final class Wordless extends IllegalStateException {

        Wordless(@Nullable Throwable cause) {
            super("", cause);
        }

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("no message");
        }
    }

    @Test
    void aFailureWhoseMessageThrowsGivesTheKeyBack() {
        GrantedOperation operation = granted();

        Throwable thrown = catchThrowable(() -> operation.settle(Ending.<String>of(operation, new Wordless(null))));

        assertThat(thrown != null).isTrue();
        assertThat(record().state()).isEqualTo(RecordState.FAILED);
        assertThat(order).containsOnly(RENEWALS_END);
    }

    @Test
    void theRenewalsOfACommitOfUnknownOutcomeEndIfItsMessageThrows() throws Exception {
        GrantedOperation operation = granted();
        Throwable unknown = new Wordless(
                new CommitUnknownException(this.operation.record(), new IllegalStateException("connection reset")));

        assertThat(operation.settle(Ending.<String>of(operation, unknown))).isEqualTo(new Outcome.InProgress<>(LEASE));

        assertThat(record().state()).isEqualTo(RecordState.PENDING);
        assertThat(order).containsOnly(RENEWALS_END);
    }

    @Test
    void theLeaseIsRenewedUntilWorkInAnInboxIsWritten() throws Exception {
        scripted.before("complete", () -> order.add("complete"));
        WorkResult.Complete<String> effect = new WorkResult.Complete<>("charged", RECEIPT);

        Outcome<String> unused = granted().settle(new Ending.Done<>(effect, effect));

        assertThat(order).containsExactly("complete", RENEWALS_END);
    }
}
