package io.idem.demo.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.story.StoryPlan;
import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrashPlanTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 200})
    void atLeastTwoConsumersAreKilledInEveryStory(int payments) {
        assertThat(CrashPlan.of(StoryPlan.of(5, payments, "run"), 5)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void anOrdinaryStoryKillsAConsumerBetweenChargeAndCommit() {
        StoryPlan plan = StoryPlan.of(5, 4, "run");

        assertThat(CrashPlan.of(plan, 5))
                .anyMatch(point -> point.matches(
                        event(What.COMMITTING, plan.chargedPayment().key().id())));
    }

    @Test
    void theSameSeedKillsAtTheSameMoments() {
        StoryPlan plan = StoryPlan.of(5, 20, "run");

        assertThat(CrashPlan.of(plan, 5)).isEqualTo(CrashPlan.of(plan, 5));
    }

    @Test
    void aConsumerIsKilledWhenItSaysThatItIsAtThePlannedOperation() {
        StoryPlan plan = StoryPlan.of(5, 20, "run");
        CrashPoint point = CrashPlan.of(plan, 5).get(0);
        String slow = plan.slowPayment().key().id();

        assertThat(point.matches(event(What.GRANTED, slow))).isTrue();
        assertThat(point.matches(event(What.SETTLED, slow))).isFalse();
        assertThat(point.matches(event(What.GRANTED, plan.heldPayment().key().id())))
                .isFalse();
    }

    private static WorkerEvent event(What what, String key) {
        return new WorkerEvent("payments-1", 1, what, "payments", key, "", 1, 0);
    }
}
