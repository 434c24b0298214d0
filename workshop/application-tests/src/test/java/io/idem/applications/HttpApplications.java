package io.idem.applications;

import static io.idem.applications.story.Outcome.PROTECTED;
import static io.idem.applications.story.Outcome.REFUSED;
import static io.idem.applications.story.Trait.KILLED_IN_CI;
import static io.idem.applications.story.Trait.NO_LISTENER;
import static io.idem.applications.story.Trait.QUICK;

import io.idem.applications.http.handler.GuardedHandler;
import io.idem.applications.http.service.HandlerOfService;
import io.idem.applications.http.webhook.WebhookPayments;
import io.idem.applications.story.Application;
import io.idem.applications.story.KeyPlace;
import io.idem.applications.story.Outcome;
import io.idem.applications.story.Transport;
import java.util.List;

/** The applications that receive requests of HTTP. */
final class HttpApplications {

    private HttpApplications() {}

    static List<Application> all() {
        return List.of(
                of(GuardedHandler.class, "`@Idempotent` on a handler", PROTECTED)
                        .with("shop.key-place=IDEMPOTENCY_KEY"),
                of(WebhookPayments.class, "a webhook with a preset", PROTECTED)
                        .with(
                                "shop.key-place=GITHUB",
                                "idem.http.routes[0].path=/payments",
                                "idem.http.routes[0].key.preset=github",
                                "idem.http.routes[0].signing-secrets=" + KeyPlace.SIGNING_SECRET)
                        .is(QUICK, KILLED_IN_CI),
                of(WebhookPayments.class, "a webhook that nobody verifies", REFUSED)
                        .named("HTTP WebhookPayments unverified")
                        .with("idem.http.routes[0].path=/payments", "idem.http.routes[0].key.preset=github")
                        .saying("signing-secrets"),
                of(HandlerOfService.class, "`@Idempotent` on a method of a service", PROTECTED)
                        .is(KILLED_IN_CI));
    }

    private static Application of(Class<?> application, String configuration, Outcome outcome) {
        return Application.of(Transport.HTTP, application, configuration, outcome)
                .with("idem.http.tenant=single", "idem.http.scope=payments")
                .is(NO_LISTENER);
    }
}
