package io.idem.http.contract;

import io.idem.http.HttpProblem;
import io.idem.http.IdempotentRoute;
import io.idem.http.IncomingRequest;
import io.idem.http.KeySource;
import io.idem.http.Refusal;
import io.idem.http.TenantResolver;
import io.idem.http.WebhookPreset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rules of a sender that has no preset: its key and its check are the application's own. */
public final class AcmeKey implements KeySource {

    static final Map<String, String> PASSWORD = Map.of("X-Acme-Password", "sesame");

    private static final Pattern NUMBER = Pattern.compile("\"number\":\"([^\"]+)\"");

    @Override
    public Optional<List<String>> read(IncomingRequest request, byte[] body) {
        return Optional.of(NUMBER.matcher(new String(body, StandardCharsets.UTF_8))
                .results()
                .map(found -> found.group(1))
                .toList());
    }

    /** Returns the route of this sender. */
    public static IdempotentRoute route() {
        return IdempotentRoute.post("/webhooks/acme")
                .with(options -> options.key(new AcmeKey())
                        .tenants(TenantResolver.single())
                        .check(AcmeKey::checkPassword));
    }

    /** Returns a route of Stripe's that asks for the password of this sender too. */
    public static IdempotentRoute both() {
        return IdempotentRoute.post("/webhooks/both")
                .with(options ->
                        options.webhook(WebhookPreset.STRIPE, Signatures.SECRET).check(AcmeKey::checkPassword));
    }

    private static Optional<Refusal> checkPassword(IncomingRequest request, byte[] body) {
        return request.header("X-Acme-Password").equals(List.of("sesame"))
                ? Optional.empty()
                : Optional.of(Refusal.of(HttpProblem.SIGNATURE_INVALID, "The password is wrong."));
    }

    /** Returns a route of a second endpoint of Stripe's. */
    public static IdempotentRoute billing() {
        return IdempotentRoute.post("/webhooks/billing")
                .with(options -> options.webhook(WebhookPreset.STRIPE, Signatures.SECRET));
    }

    /** Returns the route of a function that receives Stripe's events. */
    public static IdempotentRoute functions() {
        return IdempotentRoute.post("/functions/stripe")
                .with(options -> options.webhook(WebhookPreset.STRIPE, Signatures.SECRET));
    }

    /** Returns the route of a function whose path names the tenant. */
    public static IdempotentRoute tenants() {
        return IdempotentRoute.post("/functions/{tenant}/events")
                .with(options -> options.webhook(WebhookPreset.PAYPAL).verifiedBefore(true));
    }
}
