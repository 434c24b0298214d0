package io.idem.gateway.internal.intake;

import io.idem.gateway.HandOffFailedException;
import io.idem.gateway.IntakeHandler;
import io.idem.gateway.IntakeRequest;
import io.idem.gateway.Middleware;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.ServerResponse;

/** Turns a failed hand-off into a 503, which releases the key. */
record HandOffFailures(Refusals refusals) implements Middleware {

    private static final Logger LOG = LoggerFactory.getLogger(HandOffFailures.class);
    private static final Refusal REFUSAL = Refusal.of(
                    GatewayProblem.HAND_OFF_FAILED,
                    "The message may not have reached its consumers, and the operation counts as failed."
                            + " Send the request again with the same key.")
            .retryAfter(Duration.ofSeconds(1));

    @Override
    public ServerResponse handle(IntakeRequest request, IntakeHandler next) throws Exception {
        try {
            return next.handle(request);
        } catch (HandOffFailedException failed) {
            LOG.warn("A hand-off failed; its request is answered with 503 and may be retried: {}", failed.getMessage());
            return new RefusalResponse(REFUSAL, refusals);
        }
    }
}
