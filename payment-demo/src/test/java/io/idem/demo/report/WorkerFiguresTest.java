package io.idem.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerFiguresTest {

    private static WorkerEvent event(What what, String scope, String key, String detail) {
        return new WorkerEvent("w", 1, what, scope, key, detail, 7, 0);
    }

    private static WorkerEvent grantOf(long pid, long nanos) {
        return new WorkerEvent("w", pid, What.GRANTED, "payments", "k", "FRESH", 7, nanos);
    }

    private static WorkerEvent completionOf(long pid, long nanos) {
        return new WorkerEvent("w", pid, What.SETTLED, "payments", "k", "COMPLETED", 7, nanos);
    }

    @Test
    void aRabbitRedeliveryIsOneThatTheBrokerMarks() {
        WorkerFigures figures = WorkerFigures.of(
                List.of(
                        event(What.DELIVERED, "queue", "", ""),
                        event(What.DELIVERED, "queue", "", ""),
                        event(What.DELIVERED, "queue", "", WorkerEvent.REDELIVERED)),
                Store.REDIS);

        assertThat(figures.messages()).isEqualTo(3);
        assertThat(figures.redeliveries()).isEqualTo(1);
    }

    @Test
    void aKafkaRedeliveryIsOneFromTheSamePlaceToTheSameGroup() {
        WorkerFigures figures = WorkerFigures.of(
                List.of(
                        event(What.DELIVERED, "receipts", "topic-0@1", ""),
                        event(What.DELIVERED, "risk", "topic-0@1", ""),
                        event(What.DELIVERED, "risk", "topic-0@1", "")),
                Store.REDIS);

        assertThat(figures.redeliveries()).isEqualTo(1);
    }

    @Test
    void takeoversAndDuplicatesAreToldApart() {
        WorkerFigures figures = WorkerFigures.of(
                List.of(
                        event(What.GRANTED, "payments", "k", "FRESH"),
                        event(What.GRANTED, "payments", "k", "TAKEOVER"),
                        event(What.ANSWERED, "payments", "k", "REPLAY"),
                        event(What.ANSWERED, "payments", "k", "INPROGRESS")),
                Store.REDIS);

        assertThat(figures.executions()).isEqualTo(2);
        assertThat(figures.takeovers()).isEqualTo(1);
        assertThat(figures.duplicates()).isEqualTo(1);
    }

    @Test
    void workThatAnotherProcessHadBegunIsCountedAsARestart() {
        List<WorkerEvent> events = List.of(
                grantOf(1, 1),
                grantOf(2, 2),
                grantOf(2, 3),
                completionOf(2, 4),
                event(What.GRANTED, "risk", "k", "FRESH"));

        assertThat(WorkerFigures.of(events, Store.INBOX).restarts()).isEqualTo(1);
        assertThat(WorkerFigures.of(events, Store.REDIS).restarts()).isEqualTo(1);
    }

    @Test
    void withoutRedisCommittedWorkOfADeadOwnerIsKnownByItsDuplicate() {
        List<WorkerEvent> events = List.of(
                grantOf(1, 1),
                event(What.ANSWERED, "payments", "k", "REPLAY"),
                event(What.GRANTED, "risk", "k", "FRESH"),
                event(What.SETTLED, "risk", "k", "COMPLETED"),
                event(What.ANSWERED, "risk", "k", "REPLAY"));

        assertThat(WorkerFigures.of(events, Store.INBOX).foundInInbox()).isEqualTo(1);
        assertThat(WorkerFigures.of(events, Store.REDIS).foundInInbox()).isZero();
    }

    @Test
    void handlingTimeIsMeasuredWithinOneProcess() {
        List<WorkerEvent> events = List.of(grantOf(1, 1_000_000), grantOf(2, 5_000_000), completionOf(2, 8_000_000));

        assertThat(HandlingTimes.medians(events)).containsExactly(java.util.Map.entry("payments", 3.0));
    }

    @Test
    void aLineSurvivesTheLogAndACutOffOneIsIgnored() {
        WorkerEvent event = event(What.GRANTED, "payments", "k", "FRESH");

        assertThat(WorkerEvent.parse("12:00 INFO - " + event.line())).contains(event);
        assertThat(WorkerEvent.parse(event.line().substring(0, 30))).isEmpty();
        assertThat(WorkerEvent.parse(event.line().substring(0, 30) + event.line()))
                .contains(event);
        assertThat(WorkerEvent.parse("Started in 3 s")).isEmpty();
    }
}
