package io.idem.demo.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.demo.story.Exchange;
import io.idem.demo.story.Kind;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowTest {

    private static final String ID = new IdempotencyKey("north", "k").id();

    private final Flow flow = new Flow();

    private static Exchange exchange(int status, boolean replayed, long amount) {
        return new Exchange(Kind.PAYMENT, "north", "k", amount, 1, 1, status, "", replayed, "", "", "");
    }

    private static WorkerEvent event(String worker, What what, String scope, String key, String detail, long fence) {
        return new WorkerEvent(worker, 1, what, scope, key, detail, fence, 0);
    }

    private OperationView operation() {
        return flow.since(0).operations().get(0);
    }

    private StepView step(String scope) {
        return operation().steps().stream()
                .filter(step -> step.scope().equals(scope))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPaymentThatIsSentWaitsAtEveryStep() {
        flow.sending(exchange(0, false, 1250));

        assertThat(operation().key()).isEqualTo("k");
        assertThat(operation().amount()).isEqualTo(1250);
        assertThat(operation().steps())
                .extracting(step -> step.scope() + " " + step.state())
                .containsExactly("intake WAITING", "payments WAITING", "receipts WAITING", "risk WAITING");
    }

    @Test
    void repliesOfOneSortAreCountedAndAnotherAmountDoesNotReplaceTheFirst() {
        flow.sending(exchange(0, false, 1250));
        flow.answered(exchange(202, false, 1250));
        flow.answered(exchange(202, true, 1250));
        flow.answered(exchange(202, true, 1250));
        flow.sending(exchange(0, false, 1251));
        flow.answered(exchange(422, false, 1251));

        assertThat(operation().replies())
                .containsExactly(
                        new ReplyView(202, false, 1), new ReplyView(202, true, 2), new ReplyView(422, false, 1));
        assertThat(operation().amount()).isEqualTo(1250);
    }

    @Test
    void aStepFollowsTheRecordsStateAndTellsOfTakeoverAndInbox() {
        flow.sending(exchange(0, false, 1250));
        flow.on(event("payments-1", What.GRANTED, "payments", ID, "FRESH", 5));
        assertThat(step("payments").state()).isEqualTo("PENDING");

        flow.on(event("payments-1", What.STEP_ENDED, "payments", ID, "RAN charge", 5));
        assertThat(step("payments").parts()).containsExactly(Map.entry("charge", "RAN"));

        flow.on(event("payments-2", What.ANSWERED, "payments", ID, "INPROGRESS", 0));
        flow.on(event("payments-2", What.GRANTED, "payments", ID, "TAKEOVER", 9));
        flow.on(event("payments-2", What.STEP_ENDED, "payments", ID, "REMEMBERED charge", 9));
        flow.on(event("payments-2", What.FOUND_IN_INBOX, "payments", ID, "", 9));
        flow.on(event("payments-2", What.SETTLED, "payments", ID, "COMPLETED", 9));
        flow.on(event("payments-1", What.ANSWERED, "payments", ID, "REPLAY", 0));

        assertThat(step("payments"))
                .isEqualTo(new StepView(
                        "payments", "COMPLETED", "payments-2", 1, 1, 1, true, Map.of("charge", "REMEMBERED")));
    }

    @Test
    void aDuplicateThatIsAnsweredShowsThatTheWorkIsDone() {
        flow.sending(exchange(0, false, 1250));
        flow.on(event("payments-1", What.GRANTED, "payments", ID, "FRESH", 5));
        flow.on(event("payments-2", What.ANSWERED, "payments", ID, "INPROGRESS", 0));
        assertThat(step("payments").state()).isEqualTo("PENDING");

        flow.on(event("payments-2", What.ANSWERED, "payments", ID, "REPLAY", 0));

        assertThat(step("payments").state()).isEqualTo("COMPLETED");
    }

    @Test
    void whatAnEarlierOwnerSaidIsNoNewsAfterATakeover() {
        flow.sending(exchange(0, false, 1250));
        flow.on(event("payments-2", What.GRANTED, "payments", ID, "TAKEOVER", 9));
        flow.on(event("payments-1", What.GRANTED, "payments", ID, "FRESH", 5));
        flow.on(event("payments-1", What.STEP_ENDED, "payments", ID, "LOST charge", 5));
        flow.on(event("payments-1", What.SETTLED, "payments", ID, "FAILED", 5));

        assertThat(step("payments").parts()).isEmpty();
        assertThat(step("payments").state()).isEqualTo("PENDING");
        assertThat(step("payments").worker()).isEqualTo("payments-2");
    }

    @Test
    void aMessageWithAKeyOfItsOwnBelongsToTheOperationThatItFollowsFrom() {
        flow.sending(exchange(0, false, 1250));
        flow.on(event("events-1", What.FOLLOWS, "receipts", "derived", ID, 0));
        flow.on(event("events-1", What.GRANTED, "receipts", "derived", "FRESH", 1));

        assertThat(flow.since(0).operations()).hasSize(1);
        assertThat(step("receipts").state()).isEqualTo("PENDING");
    }

    @Test
    void theIntakesScopeIsTheIntakeWhateverItsRouteIsCalled() {
        flow.sending(exchange(0, false, 1250));
        flow.on(event("intake", What.GRANTED, "http:payments", ID, "FRESH", 1));

        assertThat(step("intake").state()).isEqualTo("PENDING");
    }

    @Test
    void whoHasSeenAVersionIsToldOnlyWhatCameAfterIt() {
        flow.sending(exchange(0, false, 1250));
        flow.say("first");
        long seen = flow.since(0).version();
        flow.say("second");

        Changes news = flow.since(seen);

        assertThat(news.operations()).isEmpty();
        assertThat(news.lines()).extracting(LogLine::text).containsExactly("second");
        assertThat(flow.since(news.version())).isEqualTo(new Changes(news.version(), news.operations(), List.of()));
    }

    @Test
    void onlyTheLatestOperationsAndLinesAreRemembered() {
        for (int index = 0; index < 500; index++) {
            flow.on(event("payments-1", What.GRANTED, "payments", "key-" + index, "FRESH", 1));
            flow.say("line " + index);
        }

        assertThat(flow.since(0).operations())
                .hasSizeLessThan(100)
                .last()
                .matches(last -> last.id().equals("key-499"));
        assertThat(flow.since(0).lines()).hasSizeLessThan(100);
    }
}
