package io.idem.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.StoreAnswer;
import io.idem.StoredResult;
import io.idem.engine.Leases;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.DeadLetterRedriver.Order;
import io.idem.operations.DeadLetterRedriver.Redrive;
import io.idem.operations.OperatorAct.Action;
import io.idem.spi.DeadLetterSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DeadLetterRedriverTest {

    private static final RecordId RECORD = new RecordId(IdempotencyKey.of("k"), new Scope("payments"));
    private static final Fingerprint PAYLOAD = Fingerprint.of("payload".getBytes(StandardCharsets.UTF_8));

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();
    private final List<OperatorAct> audited = new ArrayList<>();
    private final RecordOperator operator =
            new RecordOperator(store, ScopePolicies.same(ExecutionPolicy.defaults()), audited::add);
    private final Box box = new Box("rabbit");

    @Test
    void theLetterIsFoundThenItsRecordIsOpenedThenItIsMoved() {
        store.reject(lease(), "no such account");
        box.does = permission -> {
            assertThat(state()).isEqualTo(RecordState.REJECTED);
            assertThat(permission.getAsBoolean()).isTrue();
            assertThat(state()).isEqualTo(RecordState.FAILED);
            return new DeadLetterSource.Search.Moved(3, "payments");
        };

        Redrive redrive = redrive(box);

        assertThat(redrive.moved()).isTrue();
        assertThat(redrive.found()).isEqualTo(RecordState.REJECTED);
        assertThat(box.sought).containsExactly(new DeadLetterSource.Sought(RECORD, PAYLOAD, "dead", 10));
        assertThat(audited).extracting(OperatorAct::action).containsExactly(Action.REOPEN, Action.REDRIVE);
        assertThat(audited).allSatisfy(act -> {
            assertThat(act.done()).isTrue();
            assertThat(act.operator()).isEqualTo("anna");
            assertThat(act.reason()).isEqualTo("ticket 7");
        });
    }

    @Test
    void workThatIsDoneOrForgottenIsNotEvenLookedFor() {
        assertThat(redrive(box)).isEqualTo(new Redrive(RecordState.ABSENT, Optional.empty()));
        store.complete(lease(), StoredResult.NONE);
        assertThat(redrive(box)).isEqualTo(new Redrive(RecordState.COMPLETED, Optional.empty()));

        assertThat(box.sought).isEmpty();
        assertThat(state()).isEqualTo(RecordState.COMPLETED);
        assertThat(audited).extracting(OperatorAct::action).containsExactly(Action.REDRIVE, Action.REDRIVE);
        assertThat(audited).noneMatch(OperatorAct::done);
    }

    @Test
    void workInProgressIsNotOpenedAndItsLetterStays() {
        Lease owner = lease();
        box.does = permission -> permission.getAsBoolean() ? new DeadLetterSource.Search.Moved(1, "payments") : kept();

        assertThat(redrive(box).moved()).isFalse();

        assertThat(state()).isEqualTo(RecordState.PENDING);
        assertThat(store.complete(owner, StoredResult.NONE)).isInstanceOf(StoreAnswer.Ok.class);
        assertThat(audited).noneMatch(OperatorAct::done);
    }

    @Test
    void aLetterThatIsNotThereOpensNothing() {
        store.reject(lease(), "no such account");
        box.does = permission -> new DeadLetterSource.Search.Missing(10, true);

        assertThat(redrive(box).search()).contains(new DeadLetterSource.Search.Missing(10, true));

        assertThat(state()).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void aBrokerThatFailsAfterTheRecordWasOpenedLeavesItOpenForTheNextCall() {
        store.reject(lease(), "no such account");
        box.does = permission -> {
            assertThat(permission.getAsBoolean()).isTrue();
            throw new IllegalStateException("no confirm");
        };
        assertThatThrownBy(() -> redrive(box)).hasMessage("no confirm");
        assertThat(audited.get(1).failure())
                .hasValueSatisfying(text -> assertThat(text).contains("no confirm"));

        box.does = permission -> {
            assertThat(permission.getAsBoolean()).isTrue();
            return new DeadLetterSource.Search.Moved(1, "payments");
        };
        assertThat(redrive(box).moved()).isTrue();
    }

    @Test
    void withTwoBrokersTheOrderSaysWhose() {
        Box other = new Box("kafka");
        store.reject(lease(), "no such account");

        assertThatThrownBy(() -> redrive(box, other)).hasMessageContaining("kafka, rabbit");
        assertThatThrownBy(() -> redrive()).hasMessageContaining("no broker");
        new DeadLetterRedriver(store, operator, List.of(box, other))
                .redrive(new Order(RECORD, "dead", "kafka", 10), "anna", "ticket 7");

        assertThat(box.sought).isEmpty();
        assertThat(other.sought).hasSize(1);
    }

    @Test
    void whatCannotBeUsedIsRefusedBeforeAnythingIsAsked() {
        store.reject(lease(), "no such account");

        assertThatThrownBy(() -> new Order(RECORD, " ", null, 10)).hasMessageContaining("from");
        assertThatThrownBy(() -> new Order(RECORD, "dead", null, 0)).hasMessageContaining("limit is 0");
        assertThatThrownBy(() -> new Order(RECORD, "dead", null, DeadLetterRedriver.MOST + 1))
                .hasMessageContaining("limit is 10001");
        assertThatThrownBy(() -> new DeadLetterRedriver(store, operator, List.of(box))
                        .redrive(new Order(RECORD, "dead", null, 10), "anna", " "))
                .hasMessageContaining("reason");
        assertThatThrownBy(() -> operator.act(Action.REDRIVE, RECORD, "anna", "ticket 7"))
                .hasMessageContaining("DeadLetterRedriver");

        assertThat(box.sought).isEmpty();
        assertThat(state()).isEqualTo(RecordState.REJECTED);
    }

    private static DeadLetterSource.Search kept() {
        return new DeadLetterSource.Search.Kept(1);
    }

    private Redrive redrive(DeadLetterSource... sources) {
        return new DeadLetterRedriver(store, operator, List.of(sources))
                .redrive(new Order(RECORD, "dead", null, 10), "anna", "ticket 7");
    }

    private RecordState state() {
        return store.inspect(RECORD).orElseThrow().state();
    }

    private Lease lease() {
        return Leases.take(store, RECORD, PAYLOAD);
    }

    /** Dead letters of a broker that does as it is told. */
    private static final class Box implements DeadLetterSource {

        private final String transport;
        private final List<Sought> sought = new ArrayList<>();
        private Function<BooleanSupplier, Search> does = permission -> kept();

        private Box(String transport) {
            this.transport = transport;
        }

        @Override
        public String transport() {
            return transport;
        }

        @Override
        public Search moveBack(Sought wanted, BooleanSupplier permission) {
            sought.add(wanted);
            return does.apply(permission);
        }
    }
}
