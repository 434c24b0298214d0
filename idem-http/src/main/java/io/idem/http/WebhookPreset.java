package io.idem.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which known senders of webhooks number and sign what they send, as their documentation has them. A key is made of the name
 * of the sender, the account or the subscription where a request names it, and the event's number. Where two lists of parts are named, the
 * second one counts for requests that lack a part of the first.
 */
@SuppressWarnings("ImmutableEnumChecker") // Schemes and sources have no state.
public enum WebhookPreset implements KeySource {

    /**
     * <a href="https://docs.stripe.com/webhooks">Stripe</a>: {@code /account}, which Connect sends, and {@code /id}, or {@code /id}.
     * Signed: {@code Stripe-Signature} (v1), a time within 5 minutes. The same change reported by two events has two keys.
     */
    STRIPE(WebhookSignature::stripe, "/account /id", "/id"),

    /**
     * <a href="https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers">GitHub</a>: {@code X-GitHub-Hook-ID} and
     * {@code X-GitHub-Delivery}, which is <a
     * href="https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks">the same when a delivery is
     * repeated</a> and which the webhooks of an event have in common; or {@code X-GitHub-Delivery}. Signed: {@code X-Hub-Signature-256},
     * which covers the body only.
     */
    GITHUB(WebhookSignature::github, "X-GitHub-Hook-ID X-GitHub-Delivery", "X-GitHub-Delivery"),

    /**
     * <a href="https://shopify.dev/docs/apps/build/webhooks/verify-deliveries">Shopify</a>: {@code X-Shopify-Shop-Domain},
     * {@code X-Shopify-Topic} and {@code X-Shopify-Event-Id}, which the subscriptions to an event have in common; or with
     * {@code X-Shopify-Webhook-Id} in place of the last. Signed: {@code X-Shopify-Hmac-Sha256}, which covers the body only.
     */
    SHOPIFY(WebhookSignature::shopify, "X-Shopify-Shop-Domain X-Shopify-Topic X-Shopify-Event-Id", Shopify.DELIVERY),

    /**
     * <a href="https://docs.adyen.com/development-resources/webhooks/handle-webhook-events">Adyen</a>, standard webhooks in JSON:
     * {@code merchantAccountCode}, {@code eventCode}, {@code pspReference} and {@code success} of the only item. Adyen names the second and
     * the third; {@code success} is there so that a failure is never taken for a success. Of duplicates Adyen counts the last, idem the
     * first. Signed are fields of the item, not the bytes, so the application verifies it. A list of several items has no key.
     */
    ADYEN(
            null,
            Adyen.ITEM + "merchantAccountCode " + Adyen.ITEM + "eventCode " + Adyen.ITEM + "pspReference " + Adyen.ITEM
                    + "success"),

    /**
     * <a href="https://developer.paypal.com/api/rest/webhooks/rest/">PayPal</a>: {@code /id}, the number by which an event is sent again.
     * Signed with a certificate, so the application verifies it.
     */
    PAYPAL(null, "/id"),

    /**
     * <a href="https://api.slack.com/types/event">Slack</a>, Events API: {@code /api_app_id} and {@code /event_id}; or, when an address is
     * verified, {@code /type} and {@code /challenge}; or, in a notice of too many events, its type, application, workspace and minute.
     * Signed: <a href="https://api.slack.com/docs/verifying-requests-from-slack">{@code X-Slack-Signature}</a>, a time within 5 minutes.
     */
    SLACK(
            WebhookSignature::slack,
            "/api_app_id /event_id",
            "/type /challenge",
            "/type /api_app_id /team_id /minute_rate_limited"),

    /**
     * <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">Standard Webhooks</a>:
     * {@code webhook-id}, or {@code svix-id}. Signed: {@code webhook-signature} (v1), a time within 5 minutes; where the number is in
     * {@code svix-id}, {@code svix-signature} and {@code svix-timestamp}. Secrets are in Base64, with or without {@code whsec_}.
     */
    STANDARD_WEBHOOKS(WebhookSignature::standard, "webhook-id", "svix-id"),

    /**
     * <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md">CloudEvents</a>: {@code source} and {@code id}, of <a
     * href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md">binary and of structured
     * mode</a> (JSON); a batch has no key. No signature is defined, so the application verifies the sender. The tenant is that of other
     * routes.
     */
    CLOUD_EVENTS(new CloudEventKey(true));

    private final WebhookSignature.@Nullable Scheme scheme;
    private final KeySource source;

    /** @param alternatives names of parts, separated by blanks, as {@link KeyParts} has them */
    WebhookPreset(WebhookSignature.@Nullable Scheme scheme, String... alternatives) {
        this.scheme = scheme;
        this.source = KeyParts.anyOf(
                Stream.of(alternatives).map(parts -> List.of(parts.split(" "))).toList());
    }

    WebhookPreset(KeySource source) {
        this.scheme = null;
        this.source = source;
    }

    @Override
    public Optional<List<String>> read(IncomingRequest request, byte[] body) {
        boolean whole = this != ADYEN
                || JsonBody.of(body).value().at("/notificationItems/1").isMissingNode();
        return whole ? source.read(request, body).map(this::named) : Optional.empty();
    }

    /** Returns the parts as earlier versions read them: of Shopify's deliveries, and of CloudEvents in quotes. */
    @Override
    public Optional<List<String>> former(IncomingRequest request, byte[] body) {
        return (this == SHOPIFY ? Shopify.FORMER.read(request, body) : source.former(request, body)).map(this::named);
    }

    private List<String> named(List<String> parts) {
        List<String> named = new ArrayList<>(List.of(name().toLowerCase(Locale.ROOT)));
        named.addAll(parts);
        return named;
    }

    @Override
    public String place() {
        return source.place() + (this == ADYEN ? " of the only item" : "");
    }

    /**
     * Returns a check of the sender's signature over the body as received. It refuses with {@link HttpProblem#SIGNATURE_INVALID}, and
     * compares in constant time.
     *
     * @param secrets signing secrets as the sender shows them, at least one; while one replaces another, both
     * @throws IllegalArgumentException if there is no secret, if one is not in the sender's form, or if idem does not verify this sender
     */
    public RequestCheck signature(String... secrets) {
        return signature(List.of(secrets));
    }

    WebhookSignature signature(List<String> secrets) {
        if (scheme == null) {
            throw new IllegalArgumentException("idem does not verify signatures of " + this
                    + "; verify the sender in a check, or in front and say so by signature=verified-before");
        }
        return new WebhookSignature(scheme, this, secrets);
    }

    /** Returns whether the requests of a route come from one sender, so that keys need no tenant. */
    boolean hasOneSender() {
        return this != CLOUD_EVENTS;
    }

    /** The place of the number of a delivery of Shopify. */
    private static final class Shopify {

        static final String DELIVERY = "X-Shopify-Shop-Domain X-Shopify-Topic X-Shopify-Webhook-Id";
        static final KeySource FORMER = KeyParts.anyOf(List.of(List.of(DELIVERY.split(" "))));
    }

    /** The place of the item in a webhook of Adyen. */
    private static final class Adyen {

        static final String ITEM = "/notificationItems/0/NotificationRequestItem/";
    }
}
