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

    private static final StoreLoad LOAD = new StoreLoad(8, 150);

    @TempDir
    private Path scratch;

    @Test
    void threadsOnTheStoreInMemoryAreABehaviourOfTheModel() throws Exception {
        LoggedMemoryStore store = new LoggedMemoryStore();

        LOAD.run(() -> store);

        assertAccepted(store.events());
    }

    /** Connections are killed meanwhile, and what was not answered is sent again. */
    @Test
    void threadsOnARedisThatLosesSessionsAreABehaviourOfTheModel() throws Exception {
        try (LoggedRedis redis = LoggedRedis.start(UnaryOperator.identity())) {
            LOAD.run(redis::store);

            assertThat(redis.killed()).as("killed connections").isPositive();
            assertAccepted(redis.events());
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
        return new TraceChecker(scratch, false).check(Trace.of(REPEAT, false, false, events));
    }

    private void assertAccepted(List<TraceEvent> events) {
        TraceChecker checker = new TraceChecker(scratch, false);
        List<TraceVerdict> verdicts = verdicts(events);

        System.out.println("Compared with the model: " + events.size() + " events of " + verdicts.size() + " records");
        assertThat(kinds(events))
                .contains(
                        "ACQUIRE FRESH",
                        "ACQUIRE RETRY",
                        "ACQUIRE TAKEOVER",
                        "ACQUIRE REENTRANT",
                        "ACQUIRE REPLAY",
                        "RENEW OK",
                        "COMPLETE OK",
                        "COMPLETE LOST",
                        "FAIL OK",
                        "FAIL LOST");
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
