package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PublicationsTest {

    private static final IdempotencyKey KEY = new IdempotencyKey("acme", "k-1");
    private static final Scope SCOPE = new Scope("payments");

    private static Publications of(IdempotencyKey key, Scope scope) {
        return new Publications(operation(key, scope).withRoot("root"), key);
    }

    private static Operation operation(IdempotencyKey key, Scope scope) {
        return Operation.of(key, scope, ExecutionPolicy.defaults());
    }

    private static List<IdempotencyKey> keysOf(Publications publications) {
        return List.of(
                publications.nextKey("settled"),
                publications.nextKey("settled"),
                publications.nextKey("audit"),
                publications.namedKey("settled", "receipt"));
    }

    @Test
    void everyMessageHasAKeyOfItsOwnAndTheTenantOfItsStory() {
        assertThat(keysOf(of(KEY, SCOPE)))
                .doesNotHaveDuplicates()
                .doesNotContain(KEY)
                .allSatisfy(key -> assertThat(key.tenant()).isEqualTo("acme"));
    }

    @Test
    void anotherAttemptGivesTheSameKeys() {
        assertThat(keysOf(of(KEY, SCOPE))).isEqualTo(keysOf(of(KEY, SCOPE)));
    }

    @Test
    void anotherScopeOrAnotherKeyGivesOtherKeys() {
        assertThat(keysOf(of(KEY, SCOPE)))
                .doesNotContainAnyElementsOf(keysOf(of(KEY, new Scope("receipts"))))
                .doesNotContainAnyElementsOf(keysOf(of(new IdempotencyKey("acme", "k-2"), SCOPE)));
    }

    @Test
    void theFirstMessageOfAnIntakeCarriesTheClientsKey() {
        Publications intake = new Publications(operation(KEY, SCOPE).atIntake(), KEY);

        assertThat(intake.nextKey("payments")).isEqualTo(KEY);
        assertThat(intake.nextKey("payments")).isNotEqualTo(KEY);
    }

    @Test
    void callsLeaveTheClientsKeyToTheFirstMessage() {
        Publications intake = new Publications(operation(KEY, SCOPE).atIntake(), KEY);

        assertThat(intake.nextCallKey("POST https://bank.example.com/transfers"))
                .isNotEqualTo(KEY)
                .isNotEqualTo(intake.nextCallKey("POST https://bank.example.com/transfers"));
        assertThat(intake.nextKey("payments")).isEqualTo(KEY);
    }

    @Test
    void theClientsKeyComesBackWithTheMessageThatIsDropped() {
        Publications intake = new Publications(operation(KEY, SCOPE).atIntake(), KEY);
        intake.keeping(true);

        assertThat(kept(intake)).isEqualTo(KEY);
        IdempotencyKey second = kept(intake);
        intake.keepOnly(1);
        assertThat(kept(intake)).as("the first is still kept").isNotIn(KEY, second);

        intake.keepOnly(0);
        assertThat(kept(intake)).isEqualTo(KEY);
        assertThat(kept(intake)).isNotEqualTo(KEY);
    }

    private static IdempotencyKey kept(Publications publications) {
        IdempotencyKey key = publications.nextKey("settled");
        publications.keep(new OutgoingMessage("rabbit", "settled", new byte[0]));
        return key;
    }

    @Test
    void theClientsKeyOfAMessageThatWasSentDoesNotComeBack() {
        Publications intake = new Publications(operation(KEY, SCOPE).atIntake(), KEY);
        assertThat(intake.nextKey("settled")).isEqualTo(KEY);
        intake.keeping(true);
        assertThat(kept(intake)).isNotEqualTo(KEY);

        intake.keepOnly(0);

        assertThat(intake.nextKey("settled")).isNotEqualTo(KEY);
    }

    @Test
    void theClientsKeyOfARequestThatWasSentAtOnceDoesNotComeBack() {
        Publications intake = new Publications(operation(KEY, SCOPE).atIntake(), KEY);
        intake.keeping(true);
        assertThat(intake.nextKey("quotes")).isEqualTo(KEY);

        intake.keepOnly(0);

        assertThat(intake.nextKey("quotes")).isNotEqualTo(KEY);
    }

    @Test
    void callsOfTwoTenantsUnderOneKeyHaveKeysOfTheirOwn() {
        assertThat(callKeys("acme")).isEqualTo(callKeys("acme")).doesNotContainAnyElementsOf(callKeys("globex"));
    }

    private static List<String> callKeys(String tenant) {
        Publications calls = of(new IdempotencyKey(tenant, "k-1"), SCOPE);
        return List.of(
                calls.nextCallKey("POST https://bank.example.com/transfers").value(),
                calls.namedCallKey("POST https://bank.example.com/transfers", "refund")
                        .value());
    }

    /** Messages carry their tenant beside the key, and their keys must not change with a version. */
    @Test
    void theKeysOfMessagesAreTheSameInEveryVersion() {
        assertThat(keysOf(of(KEY, SCOPE)))
                .extracting(IdempotencyKey::value)
                .containsExactly(
                        "1DLDRiTAC3lV_g1g1r49cg",
                        "WA290v3Uk861zFbEuN2vzA",
                        "GxvaYkUSAcGEs7Wj9pHtjg",
                        "iakzBsEQ3dDsovgRIEJosg");
    }

    @Test
    void messagesAreRefusedBetweenTheWritingOfTheirRowAndTheEndOfItsTransaction() {
        OutgoingMessage message = new OutgoingMessage("rabbit", "settled", new byte[] {1});
        Publications publications = of(KEY, SCOPE);
        publications.keeping(true);
        publications.keep(message);

        assertThat(publications.endKeeping()).containsExactly(message);
        assertThat(publications.keeping()).isTrue();
        assertThatThrownBy(() -> publications.keep(message))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("settled")
                .hasMessageContaining("Publish it in the work");

        publications.keeping(false);
        assertThat(publications.keeping()).isFalse();
        assertThat(publications.kept()).containsExactly(message);
    }

    @Test
    void aLaterAttemptComesWithAMessageUnlessTheMessageIsDropped() {
        Publications publications = of(KEY, SCOPE);
        OutgoingMessage copy = new OutgoingMessage("rabbit", "payments", new byte[0]);
        assertThat(publications.isAgain()).isFalse();

        publications.keep(copy);
        publications.again();
        publications.keep(copy);
        publications.keepOnly(1);
        assertThat(publications.isAgain()).isTrue();

        publications.keepOnly(0);
        assertThat(publications.isAgain()).isFalse();

        publications.again();
        publications.keepOnly(0);
        assertThat(publications.isAgain())
                .as("one that was sent cannot be dropped")
                .isTrue();
    }
}
