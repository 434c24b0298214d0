package io.idem.demo.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.provider.Accounts;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoryPlanTest {

    @Test
    void theSameSeedGivesTheSamePlan() {
        assertThat(StoryPlan.of(42, 50, "run")).isEqualTo(StoryPlan.of(42, 50, "run"));
    }

    @Test
    void anotherSeedGivesAnotherPlan() {
        assertThat(StoryPlan.of(42, 50, "run").operations())
                .isNotEqualTo(StoryPlan.of(43, 50, "run").operations());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 200})
    void thereIsAlwaysSomethingToKillAConsumerAt(int payments) {
        StoryPlan plan = StoryPlan.of(1, payments, "run");

        assertThat(plan.slowPayment().kind()).isEqualTo(Kind.PAYMENT);
        assertThat(plan.slowPayment().body().account()).isEqualTo(Accounts.SLOW);
        assertThat(plan.heldPayment().body().account()).isEqualTo(Accounts.HELD);
        assertThat(plan.slowPayout().kind()).isEqualTo(Kind.PAYOUT);
        assertThat(plan.slowPayout().body().account()).isEqualTo(Accounts.SLOW);
        assertThat(plan.operations()).contains(plan.slowPayment(), plan.heldPayment(), plan.slowPayout());
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 10, 30, 200})
    void theThreeHeldPaymentsDifferUnlessTheStoryIsShort(int payments) {
        StoryPlan plan = StoryPlan.of(1, payments, "run");

        assertThat(plan.chargedPayment().body().account()).isEqualTo(Accounts.CHARGED);
        assertThat(List.of(plan.slowPayment(), plan.chargedPayment(), plan.heldPayment()))
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 200})
    void everyTroubleComesUpForEachKind(int payments) {
        StoryPlan plan = StoryPlan.of(1, payments, "run");

        for (Kind kind : Kind.values()) {
            EnumSet<Trouble> seen = EnumSet.noneOf(Trouble.class);
            plan.operations().stream()
                    .filter(operation -> operation.kind() == kind)
                    .forEach(operation -> seen.addAll(operation.troubles()));
            assertThat(seen).containsExactlyInAnyOrder(Trouble.values());
        }
    }

    @Test
    void noTwoOperationsShareTheirKeyButTenantsShareValues() {
        StoryPlan plan = StoryPlan.of(7, 30, "run");

        assertThat(plan.operations()).extracting(PlannedOperation::key).doesNotHaveDuplicates();
        assertThat(plan.operations())
                .extracting(operation -> operation.key().value())
                .contains("run-payment-0000", "run-payment-0009")
                .doesNotContain("run-payment-0010");
    }
}
