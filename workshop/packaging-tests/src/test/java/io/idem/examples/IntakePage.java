package io.idem.examples;

import io.idem.Scope;
import io.idem.gateway.Destination;
import io.idem.gateway.IntakeHandler;
import io.idem.gateway.IntakeRouter;
import io.idem.gateway.Middleware;
import io.idem.gateway.RejectedOperations;
import io.idem.gateway.RouteDescription;
import io.idem.gateway.handoff.HandOff;
import io.idem.gateway.service.schema.JsonSchemaCheck;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.ServerResponse;

/** docs/intake.md and docs/intake-service.md. */
class IntakePage {

    private final Middleware audit = (request, next) -> next.handle(request);

    @Bean
    IntakeRouter payments(HandOff handOff) {
        return IntakeRouter.create()
                .use(audit)
                .POST(
                        "/v1/payments",
                        handOff.to(Destination.exchange("payments", "payment.requested"))
                                .then(request -> ServerResponse.accepted().body(Map.of("id", request.id()))));
    }

    static IntakeRouter described(JsonSchemaCheck schema, IntakeHandler handler) {
        return IntakeRouter.create()
                .POST("/v1/payments", options -> options.check(schema), handler)
                .describe(route -> route.withOperationId("requestPayment")
                        .withSummary("Requests a payment")
                        .withAnswer(new RouteDescription.Answer(202, Optional.of("{\"id\":\"x\"}"), true)));
    }

    static IntakeRouter reopening(RejectedOperations rejected, Set<Scope> consumers, HandOff handOff) {
        return IntakeRouter.create()
                .route(
                        HttpMethod.POST,
                        "/v1/payouts",
                        rejected.reopening(consumers),
                        rejected.opened(consumers)
                                .around(handOff.to(Destination.topic("payouts.requested")))
                                .then(request -> ServerResponse.accepted().build()));
    }
}
