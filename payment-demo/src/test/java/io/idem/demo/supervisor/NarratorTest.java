package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.report.Store;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NarratorTest {

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Progress progress = new Progress(new PrintStream(said, true, StandardCharsets.UTF_8));
    private long living = 2;

    private Narrator narrator(Store store) {
        return new Narrator(store, progress, process -> process == living);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    private static WorkerEvent event(long pid, What what, String detail) {
        return new WorkerEvent("payments-" + pid, pid, what, "payments", "k", detail, 1, 0);
    }

    @Test
    void withoutRedisWorkOfAProcessThatDiedIsToldToBeginAgain() {
        Narrator narrator = narrator(Store.INBOX);
        narrator.on(event(1, What.GRANTED, "FRESH"));
        narrator.on(event(2, What.GRANTED, "FRESH"));

        assertThat(said()).contains("payments-2 begins rolled back work again in scope \"payments\"");
    }

    @Test
    void withoutRedisCommittedWorkOfAProcessThatDiedIsToldToBeFound() {
        Narrator narrator = narrator(Store.INBOX);
        narrator.on(event(1, What.GRANTED, "FRESH"));
        narrator.on(event(2, What.ANSWERED, "REPLAY"));

        assertThat(said()).contains("payments-2 finds it committed in the inbox: not done again");
    }

    @Test
    void duplicatesOfCompletedWorkAreNotTold() {
        Narrator narrator = narrator(Store.INBOX);
        narrator.on(event(1, What.GRANTED, "FRESH"));
        narrator.on(event(2, What.ANSWERED, "INPROGRESS"));
        narrator.on(event(1, What.SETTLED, "COMPLETED"));
        narrator.on(event(2, What.ANSWERED, "REPLAY"));

        assertThat(said()).isEmpty();
    }

    @Test
    void workWhoseOwnerLivesIsNotToldToBeFoundThoughItsEndIsReadLater() {
        living = 1;
        Narrator narrator = narrator(Store.INBOX);
        narrator.on(event(1, What.GRANTED, "FRESH"));
        narrator.on(event(2, What.ANSWERED, "REPLAY"));
        narrator.on(event(1, What.SETTLED, "COMPLETED"));

        assertThat(said()).isEmpty();
    }

    @Test
    void aTakeoverThatRemembersAStepIsToldAndItsDuplicatesAreNot() {
        Narrator narrator = narrator(Store.INBOX);
        narrator.on(event(1, What.GRANTED, "FRESH"));
        narrator.on(event(2, What.GRANTED, "TAKEOVER"));
        narrator.on(event(2, What.STEP_ENDED, "REMEMBERED charge"));
        narrator.on(event(2, What.SETTLED, "COMPLETED"));
        narrator.on(event(1, What.ANSWERED, "REPLAY"));

        assertThat(said())
                .contains("payments-2 takes over", "payments-2 remembers a step in scope \"payments\": not done again")
                .doesNotContain("inbox");
    }

    @Test
    void withRedisOnlyTakeoversAreTold() {
        Narrator narrator = narrator(Store.REDIS);
        narrator.on(event(1, What.GRANTED, "FRESH"));
        narrator.on(event(2, What.GRANTED, "TAKEOVER"));
        narrator.on(event(2, What.ANSWERED, "REPLAY"));

        assertThat(said()).contains("payments-2 takes over unfinished work").doesNotContain("again");
    }
}
