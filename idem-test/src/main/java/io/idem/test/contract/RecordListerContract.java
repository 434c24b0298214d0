package io.idem.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Claim;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.spi.RecordLister;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules that every {@link RecordLister} obeys. Extend this class and return a store with its lister. */
public abstract class RecordListerContract {

    private static final Scope PAYMENTS = new Scope("payments");

    private StoreHarness harness;
    private RecordLister lister;

    /** Returns the store whose records are listed, for one test; it is closed after the test. */
    protected abstract StoreHarness open();

    /** Returns a lister of that store; it is closed after the test. */
    protected abstract RecordLister lister();

    /** Returns a lister of the same kind whose store does not answer. */
    protected abstract RecordLister unavailable();

    @BeforeEach
    void start() {
        harness = open();
        lister = lister();
    }

    @AfterEach
    void stop() {
        lister.close();
        harness.close();
    }

    @Test
    void anEmptyStoreHasOnePage() {
        RecordLister.Page page = lister.list(RecordLister.START, 10);

        assertThat(page.records()).isEmpty();
        assertThat(page.next()).isEqualTo(RecordLister.START);
    }

    @Test
    void everyRecordIsOnSomePageAndNoOther() {
        Set<String> expected = thirtyRecords(PAYMENTS);
        expected.addAll(thirtyRecords(new Scope("receipts")));
        harness.store().announce(PAYMENTS);

        assertThat(all(7)).isEqualTo(expected);
    }

    @Test
    void recordsThatComeWhileItLooksHideNoOther() {
        Set<String> expected = thirtyRecords(PAYMENTS);

        assertThat(all(5, page -> acquire("later-" + page, PAYMENTS))).containsAll(expected);
    }

    @Test
    void aRecordIsToldWithItsScopeAndState() {
        acquire("k-1", PAYMENTS);

        List<RecordLister.Listed> listed =
                lister.list(RecordLister.START, 1_000).records();

        assertThat(listed).singleElement().satisfies(found -> {
            assertThat(found.keyId()).isEqualTo(IdempotencyKey.of("k-1").id());
            assertThat(found.record().scope()).isEqualTo(PAYMENTS);
            assertThat(found.record().state()).isEqualTo(RecordState.PENDING);
        });
    }

    @Test
    void anExpiredRecordIsNotListed() {
        acquire("long-ago", PAYMENTS);
        harness.advance(Duration.ofHours(2));

        assertThat(all(10)).isEmpty();
    }

    @Test
    void aTextThatIsNoCursorIsRefused() {
        assertThatThrownBy(() -> lister.list("1 OR true", 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a cursor");
    }

    @Test
    void aSilentStoreIsNotAnEmptyOne() {
        try (RecordLister away = unavailable()) {
            assertThatThrownBy(() -> away.list(RecordLister.START, 10)).isInstanceOf(StoreUnavailableException.class);
        }
    }

    private Set<String> thirtyRecords(Scope scope) {
        return IntStream.range(0, 30)
                .mapToObj(i -> acquire("k-" + i, scope))
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Set<String> all(int most) {
        return all(most, page -> {});
    }

    /** Returns what is on all pages, of which there are not endlessly many, and does something after each of them. */
    private Set<String> all(int most, IntConsumer afterPage) {
        Set<String> listed = new HashSet<>();
        int pages = 0;
        String cursor = RecordLister.START;
        do {
            RecordLister.Page page = lister.list(cursor, most);
            page.records()
                    .forEach(found ->
                            listed.add(found.keyId() + " " + found.record().scope()));
            cursor = page.next();
            afterPage.accept(pages++);
        } while (!cursor.equals(RecordLister.START) && pages < 1_000);
        assertThat(pages).isLessThan(1_000);
        return listed;
    }

    private String acquire(String key, Scope scope) {
        RecordId record = new RecordId(IdempotencyKey.of(key), scope);
        Claim claim = harness.store()
                .acquire(Request.of(record).retainedFor(Duration.ofHours(1)).build());
        assertThat(claim).isInstanceOf(Claim.Granted.class);
        return record.key().id() + " " + scope;
    }
}
