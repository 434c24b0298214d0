package io.idem.model.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.workshop.simulation.kernel.TraceEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model has a behaviour for every step of real stores that several threads use at once. */
@Tag("extended")
class StoreTracesTest {

    private static final String REPEAT = "mvn -Pextended verify -pl workshop/model -am -Dtest=StoreTracesTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false, which takes other turns each time";

    private static final Set<String> WRITES =
            Set.of("ACQUIRE FRESH", "ACQUIRE RETRY", "ACQUIRE TAKEOVER", "RENEW OK", "COMPLETE OK", "FAIL OK");
    private static final Set<String> OTHERS =
            Set.of("ACQUIRE REENTRANT", "ACQUIRE REPLAY", "COMPLETE LOST", "FAIL LOST");

    private static final StoreLoad LOAD = new StoreLoad(8, 150);

    @TempDir
    private Path scratch;

    @Test
    void threadsOnTheStoreInMemoryAreABehaviourOfTheModel() throws Exception {
        LoggedMemoryStore store = new LoggedMemoryStore();

        LOAD.run(() -> store, () -> {
            Set<String> seen = kinds(store.events());
            return seen.containsAll(WRITES) && seen.containsAll(OTHERS);
        });

        assertThat(kinds(store.events())).containsAll(WRITES).containsAll(OTHERS);
        assertAccepted(store.events());
    }

    /** Connections are killed meanwhile, and what was not answered is sent again. */
    @Test
    void threadsOnARedisThatLosesSessionsAreABehaviourOfTheModel() throws Exception {
        try (LoggedRedis redis = LoggedRedis.start(UnaryOperator.identity())) {
            LOAD.run(redis::store, () -> redis.killed() > 0);

            assertThat(redis.killed()).as("killed connections").isPositive();
            assertThat(kinds(redis.events())).containsAll(WRITES).containsAll(OTHERS);
            assertAccepted(redis.events());
        }
    }

    /** Sessions are killed meanwhile. Its log has what was written, and no refusals. Each call opens a session. */
    @Test
    void threadsOnAPostgresThatLosesSessionsAreABehaviourOfTheModel() throws Exception {
        try (LoggedPostgres postgres = new LoggedPostgres()) {
            new StoreLoad(8, 50).run(postgres::store, () -> postgres.killed() > 0);

            assertThat(postgres.killed()).as("killed sessions").isPositive();
            List<TraceEvent> events = postgres.events();
            assertThat(kinds(events)).containsAll(WRITES);
            assertAccepted(events);
        }
    }

    @Test
    void aRedisThatTakesLiveLeasesOverIsRefused() throws Exception {
        String looksAtTheLease = "if state == PENDING and not same_owner and at > now then";
        try (LoggedRedis redis = LoggedRedis.start(text -> text.replace(looksAtTheLease, "if false then"))) {
            LOAD.run(redis::store);

            assertThat(verdicts(redis.events()))
                    .anyMatch(verdict -> !verdict.accepted()
                            && verdict.toString().contains("lease live")
                            && verdict.toString().contains("-> TAKEOVER"));
        }
    }

    private List<TraceVerdict> verdicts(List<TraceEvent> events) {
        return new TraceChecker(scratch, false).check(Trace.of(REPEAT, false, events));
    }

    private void assertAccepted(List<TraceEvent> events) {
        TraceChecker checker = new TraceChecker(scratch, false);
        List<TraceVerdict> verdicts = verdicts(events);

        System.out.println("Compared with the model: " + events.size() + " events of " + verdicts.size() + " records");
        assertThat(verdicts.stream()
                        .filter(verdict -> !verdict.accepted())
                        .limit(1)
                        .map(checker::explained))
                .isEmpty();
    }

    private static Set<String> kinds(List<TraceEvent> events) {
        return events.stream().map(event -> event.step() + " " + event.answer()).collect(Collectors.toSet());
    }
}
