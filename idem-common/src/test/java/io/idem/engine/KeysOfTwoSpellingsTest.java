package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.DerivedKeys;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.Publications;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The keys that work derives where earlier versions took two spellings of a key for two keys. */
class KeysOfTwoSpellingsTest {

    private static final String BANK = "POST https://bank.example";
    private static final WorkResult<String> DONE = new WorkResult.Complete<>("paid", StoredResult.NONE);
    private static final Scope SCOPE = new Scope("payments");
    private static final Operation PRESENT = operation(IdempotencyKey.of("order-1"));
    private static final Operation FORMER = operation(IdempotencyKey.of("ORDER-1"));
    private static final Operation UPPER =
            operation(PRESENT.record().key().formerly(FORMER.record().key()));

    private final IdempotencyStore store = new InMemoryIdempotencyStore();
    private final IdempotentExecutor executor = IdempotentExecutor.on(store).build();
    private final List<List<String>> keys = new ArrayList<>();

    @AfterEach
    void close() {
        executor.close();
    }

    private static Operation operation(IdempotencyKey key) {
        return Operation.of(key, SCOPE, ExecutionPolicy.defaults());
    }

    /** Derives a key of each kind. */
    private void derive(IdempotencyContext attempt) {
        Publications publications = attempt.publications();
        List<String> derived = new ArrayList<>(List.of(
                publications.nextCallKey(BANK).value(),
                publications.namedCallKey(BANK, "fee").value(),
                publications.nextKey("receipts").value(),
                publications.namedKey("receipts", "copy").value()));
        keys.add(derived);
        attempt.step("label", String.class, step -> {
            derived.add(step.key());
            derived.add(IdempotencyContext.current()
                    .orElseThrow()
                    .publications()
                    .nextCallKey(BANK)
                    .value());
            throw new IllegalStateException("no answer");
        });
    }

    private void fail(Operation operation) {
        assertThatThrownBy(() -> executor.execute(operation, attempt -> {
                    derive(attempt);
                    return DONE;
                }))
                .hasMessage("no answer");
    }

    private void assertThatAllAreDerivedFrom(Operation operation) {
        assertThat(keys).hasSizeGreaterThan(1).containsOnly(keys.get(0));
        assertThat(keys.get(0))
                .contains(DerivedKeys.derive(operation.record().key().value(), SCOPE, "receipts", "#1"))
                .contains(DerivedKeys.derive(operation.record().key().id(), SCOPE, "step", "label"));
    }

    @Test
    void retriesInBothSpellingsDeriveTheSameKeys() {
        fail(UPPER);
        fail(PRESENT);
        fail(UPPER);
        fail(UPPER);

        assertThatAllAreDerivedFrom(PRESENT);
    }

    @Test
    void duplicatesOfRunningWorkChangeNoKeyOfItsRetry() {
        assertThatThrownBy(() -> executor.execute(PRESENT, attempt -> {
                    for (int i = 0; i < 3; i++) {
                        assertThat(executor.<String>execute(UPPER, duplicate -> {
                                    throw new AssertionError("runs twice");
                                }))
                                .isInstanceOf(Outcome.InProgress.class);
                    }
                    derive(attempt);
                    return DONE;
                }))
                .hasMessage("no answer");

        fail(UPPER);

        assertThatAllAreDerivedFrom(PRESENT);
    }

    @Test
    void workThatAPersonReopensDerivesTheSameKeys() throws Exception {
        fail(UPPER);
        executor.execute(UPPER, attempt -> new WorkResult.Reject<>("no", "no such account"));
        RecordId record = PRESENT.record();
        store.reopen(
                record,
                store.inspect(record).orElseThrow().fence(),
                ExecutionPolicy.defaults().retention());

        fail(UPPER);

        assertThatAllAreDerivedFrom(PRESENT);
    }

    @Test
    void workThatAnEarlierVersionBeganGoesOnUnderItsKeys() {
        fail(FORMER);
        fail(UPPER);
        fail(UPPER);

        assertThatAllAreDerivedFrom(FORMER);
    }
}
