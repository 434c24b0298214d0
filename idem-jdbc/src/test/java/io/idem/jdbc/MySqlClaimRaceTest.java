package io.idem.jdbc;

import static io.idem.jdbc.Leases.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Inbox.Effect;
import io.idem.Inbox.InboxOutcome;
import io.idem.Inbox.InboxWork;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.JdbcInbox;
import io.idem.servers.junit.RequiresMySql;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Claims of several processes on MySQL, each an inbox of its own, for the same keys and with work that fails. */
@Tag("extended")
@RequiresMySql
class MySqlClaimRaceTest {

    private static final int PROCESSES = 4;
    private static final int THREADS_PER_PROCESS = 2;
    private static final int KEYS = 25;
    private static final int ONE_SUCCEEDS_OF = 6;

    private final ExecutorService threads = Executors.newFixedThreadPool(PROCESSES * THREADS_PER_PROCESS);
    private final Map<String, List<Long>> fences = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"READ-COMMITTED", "REPEATABLE-READ", "SERIALIZABLE"})
    void everyKeyTakesEffectOnceAndItsFencesGrow(String isolation) throws Exception {
        String options = "?sessionVariables=transaction_isolation='" + isolation + "'";
        try (InboxDatabase database = MySqlInboxContractTest.with(options)) {
            new InboxSchema(database.dataSource(), new JdbcTransactionManager(database.dataSource())).create();

            List<InboxOutcome> told = settleAll(database.dataSource());

            assertThat(told)
                    .filteredOn(InboxOutcome.Committed.class::isInstance)
                    .hasSize(KEYS);
            assertThat(database.ledger())
                    .isEqualTo(IntStream.range(0, KEYS)
                            .mapToObj(MySqlClaimRaceTest::key)
                            .sorted()
                            .toList());
        }
        assertThat(fences.values())
                .hasSize(KEYS)
                .allSatisfy(ofAKey -> assertThat(ofAKey).isSorted().doesNotHaveDuplicates())
                .anySatisfy(ofAKey -> assertThat(ofAKey).hasSizeGreaterThan(1));
    }

    private List<InboxOutcome> settleAll(DataSource dataSource) throws Exception {
        List<Callable<List<InboxOutcome>>> workers = new ArrayList<>();
        for (int process = 0; process < PROCESSES; process++) {
            JdbcInbox inbox = new JdbcInbox(dataSource, new JdbcTransactionManager(dataSource));
            workers.addAll(Collections.nCopies(THREADS_PER_PROCESS, () -> settleEveryKey(inbox, dataSource)));
        }
        List<InboxOutcome> told = new ArrayList<>();
        for (Future<List<InboxOutcome>> worker : threads.invokeAll(workers)) {
            told.addAll(worker.get());
        }
        return told;
    }

    private List<InboxOutcome> settleEveryKey(JdbcInbox inbox, DataSource dataSource) throws Exception {
        List<InboxOutcome> outcomes = new ArrayList<>();
        for (int number = 0; number < KEYS; number++) {
            String key = key(number);
            InboxOutcome outcome = attempt(inbox, dataSource, key);
            while (!(outcome instanceof InboxOutcome.Committed || outcome instanceof InboxOutcome.Found)) {
                outcome = attempt(inbox, dataSource, key);
            }
            assertThat(outcome).isIn(new InboxOutcome.Committed(effect(key)), new InboxOutcome.Found(effect(key)));
            outcomes.add(outcome);
        }
        return outcomes;
    }

    /** A claim that was chosen too often to end a deadlock counts as one that may be repeated. */
    private InboxOutcome attempt(JdbcInbox inbox, DataSource dataSource, String key) throws Exception {
        try {
            return inbox.run(request(key, 1), work(dataSource, key));
        } catch (StoreUnavailableException notExecuted) {
            assertThat(notExecuted.execution()).isEqualTo(StoreUnavailableException.Execution.NOT_EXECUTED);
            return new InboxOutcome.Open();
        }
    }

    private InboxWork work(DataSource dataSource, String key) {
        return mine -> {
            fences.computeIfAbsent(key, each -> new ArrayList<>()).add(mine.fence());
            new JdbcTemplate(dataSource).update("INSERT INTO ledger VALUES (?)", key);
            return ThreadLocalRandom.current().nextInt(ONE_SUCCEEDS_OF) == 0
                    ? Optional.of(effect(key))
                    : Optional.empty();
        };
    }

    private static Effect effect(String key) {
        return new Effect(StoredResult.of("text", key.getBytes(StandardCharsets.UTF_8)), List.of());
    }

    private static String key(int number) {
        return "key-" + number;
    }
}
