package io.idem.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idem.ExecutionPolicy;
import io.idem.Scope;
import io.idem.http.contract.Signatures;
import io.idem.http.internal.servlet.IncomingServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class KeySourceTest {

    private static final RequestCheck CHECK = (request, body) -> Optional.empty();

    @ParameterizedTest
    @ValueSource(strings = {"", "id", "event/id", "/a~2", "/a~", "#/id"})
    void whatIsNoJsonPointerIsRefusedByName(String pointer) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeySource.jsonPointers("/id", pointer))
                .withMessageContaining("\"" + pointer + "\" is no JSON pointer");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "X Delivery", "X-Delivery:", "ä"})
    void whatIsNoHeaderIsRefusedByName(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeySource.header(name))
                .withMessageContaining("\"" + name + "\" is not the name of a header");
    }

    @Test
    void noPointerIsNoSource() {
        assertThatIllegalArgumentException().isThrownBy(KeySource::jsonPointers).withMessageContaining("is empty");
    }

    @ParameterizedTest
    @EnumSource
    void aPresetDoesNotStartWithoutAVerifiedSender(WebhookPreset preset) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().webhook(preset).build())
                .withMessageContaining("nothing verifies who sent it");
        assertThat(options().webhook(preset).verifiedBefore(true).build().keySource())
                .contains(preset);
        assertThat(options().webhook(preset).check(CHECK).build().check()).isSameAs(CHECK);
    }

    @Test
    void aSourceOfOnesOwnDoesNotStartWithoutAVerifiedSender() {
        KeySource own = (request, body) -> Optional.empty();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().key(own).build())
                .withMessageContaining("signature=verified-before");
    }

    @Test
    void aHeaderNeedsNoVerifiedSender() {
        assertThat(options().key(KeySource.header("X-Delivery")).build().check())
                .isSameAs(RequestCheck.NONE);
    }

    @Test
    void aKeyFromTheRequestIsAlwaysRequired() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options()
                        .key(KeySource.header("X-Delivery"))
                        .required(false)
                        .build())
                .withMessageContaining("required=false");
    }

    @Test
    void aSignatureWithoutAKeyFromTheRequestIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options().verifiedBefore(true).build())
                .withMessageContaining("signature=verified-before has an effect only");
    }

    @ParameterizedTest
    @EnumSource(names = {"ADYEN", "PAYPAL", "CLOUD_EVENTS"})
    void signaturesThatIdemDoesNotVerifyAreSaidToBeSo(WebhookPreset preset) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> preset.signature("secret"))
                .withMessageContaining("idem does not verify signatures of " + preset);
    }

    @ParameterizedTest
    @ValueSource(strings = {"whsec_not base64!", " "})
    void aSecretInAnotherFormIsRefusedWithoutBeingTold(String secret) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebhookPreset.STANDARD_WEBHOOKS.signature(secret))
                .withMessageContaining("signing-secrets of STANDARD_WEBHOOKS")
                .withMessageNotContaining("not base64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "secret\n", " secret"})
    void aSecretWithBlanksAroundItIsRefused(String secret) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebhookPreset.STRIPE.signature("whsec_", secret))
                .withMessageContaining("signing-secrets of STRIPE has an empty one, or one with blanks around it");
    }

    @Test
    void aSignatureIsNotReplacedByACheckNorKeptForAnotherPreset() {
        RouteOptions.Builder stripe = options().webhook(WebhookPreset.STRIPE, "secret");

        assertThat(stripe.check(RequestCheck.NONE).build().check()).isNotSameAs(RequestCheck.NONE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stripe.webhook(WebhookPreset.PAYPAL).build())
                .withMessageContaining("nothing verifies who sent it");
    }

    @Test
    void aCheckWithoutSecretIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(WebhookPreset.GITHUB::signature)
                .withMessageContaining("signing-secrets of GITHUB is empty");
    }

    @Test
    void aSecondSenderWhoseClockIsWrongIsToldOfTheTime() {
        NamedSenders senders =
                new NamedSenders(WebhookPreset.STRIPE, Map.of("north", List.of("a"), "south", List.of("b")));

        for (String secret : List.of("a", "b")) {
            MockHttpServletRequest request = new MockHttpServletRequest();
            Signatures.stripe(secret, "{}", Duration.ofMinutes(10)).forEach(request::addHeader);

            assertThat(senders.check(IncomingServletRequest.of(request), "{}".getBytes(StandardCharsets.UTF_8)))
                    .hasValueSatisfying(refusal -> assertThat(refusal.detail()).startsWith("The time that was signed"));
        }
    }

    private static RouteOptions.Builder options() {
        return RouteOptions.builder(new Scope("http.shop"), ExecutionPolicy.defaults());
    }
}
