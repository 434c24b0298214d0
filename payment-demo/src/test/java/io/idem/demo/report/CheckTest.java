package io.idem.demo.report;

import static io.idem.demo.report.Exchanges.accepted;
import static io.idem.demo.report.Exchanges.hungUp;
import static io.idem.demo.report.Exchanges.payment;
import static io.idem.demo.report.Exchanges.replay;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.story.Exchange;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckTest {

    private static Finding find(List<Exchange> exchanges, Effect... effects) {
        return new Check(exchanges).of(Consumer.PAYMENTS, List.of(effects));
    }

    private static Effect effect(String key, long amount) {
        return new Effect("north", key, amount);
    }

    @Test
    void onePromiseAndOneEffectIsClean() {
        Finding finding = find(List.of(accepted("a", 5), replay("a", 5)), effect("a", 5));

        assertThat(finding.clean()).isTrue();
        assertThat(finding.expected()).isEqualTo(1);
        assertThat(finding.rows()).isEqualTo(1);
    }

    @Test
    void aPromiseWithoutAnEffectIsLost() {
        assertThat(find(List.of(accepted("a", 5), accepted("b", 5)), effect("a", 5))
                        .lost())
                .containsExactly("north/b");
    }

    @Test
    void twoEffectsOfOnePromiseAreDouble() {
        assertThat(find(List.of(accepted("a", 5)), effect("a", 5), effect("a", 5))
                        .doubled())
                .containsExactly("north/a");
    }

    @Test
    void twoEffectsAreDoubleEvenIfNoClientWasToldAnything() {
        assertThat(find(List.of(hungUp("a", 5)), effect("a", 5), effect("a", 5)).doubled())
                .containsExactly("north/a");
    }

    @Test
    void whatNoClientWasPromisedMayOrMayNotHaveHappened() {
        assertThat(find(List.of(hungUp("a", 5))).clean()).isTrue();
        assertThat(find(List.of(hungUp("a", 5)), effect("a", 5)).clean()).isTrue();
    }

    @Test
    void anEffectWithAnotherAmountIsAltered() {
        assertThat(find(List.of(accepted("a", 5), payment("a", 6, 422, "")), effect("a", 6))
                        .altered())
                .containsExactly("north/a");
    }

    @Test
    void anEffectThatNobodyAskedForIsUnexpected() {
        assertThat(find(List.of(), effect("a", 5)).unexpected()).containsExactly("north/a");
    }

    @Test
    void aKeyOfAnotherTenantIsAnotherOperation() {
        Finding finding = find(List.of(accepted("a", 5)), new Effect("south", "a", 5));

        assertThat(finding.lost()).containsExactly("north/a");
        assertThat(finding.unexpected()).containsExactly("south/a");
    }

    @Test
    void payoutsAreNoneOfThePaymentsBusiness() {
        assertThat(new Check(List.of(accepted("a", 5)))
                        .of(Consumer.PAYOUTS, List.of())
                        .expected())
                .isZero();
    }

    @Test
    void answersThatDifferInOneByteAreDifferent() {
        Check check = new Check(List.of(payment("a", 5, 202, "{\"id\":1}"), payment("a", 5, 202, "{\"id\":1} ")));

        assertThat(check.differentAnswers()).containsExactly("PAYMENT north/a");
    }

    @Test
    void refusalsNeedNotBeEqualToTheAnswer() {
        Check check = new Check(List.of(payment("a", 5, 202, "yes"), payment("a", 5, 409, "wait"), replay("b", 5)));

        assertThat(check.differentAnswers()).isEmpty();
    }
}
