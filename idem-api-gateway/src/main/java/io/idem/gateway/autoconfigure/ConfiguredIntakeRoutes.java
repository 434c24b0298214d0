package io.idem.gateway.autoconfigure;

import io.idem.Scope;
import io.idem.gateway.Destination;
import io.idem.gateway.IntakeRoute;
import io.idem.gateway.IntakeRouter;
import io.idem.gateway.Middleware;
import io.idem.gateway.RejectedOperations;
import io.idem.gateway.RouteDescription;
import io.idem.gateway.handoff.HandOff;
import io.idem.gateway.internal.intake.SchemaChecks;
import io.idem.http.RouteOptions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.UriTemplate;

/**
 * Makes routes from the settings, of the same parts as coded routes.
 *
 * @param schemas makes checks of schemas; absent without the service
 * @param inboxAlways whether every route has the inbox, because it is the store
 * @param issuer the one issuer of tokens that the settings name; null if they name none
 */
record ConfiguredIntakeRoutes(
        IdemGatewayProperties properties,
        HandOff handOff,
        RejectedOperations rejected,
        @Nullable SchemaChecks schemas,
        boolean inboxAlways,
        @Nullable String issuer) {

    List<IntakeRoute> routes() {
        return properties.each(this::routed).flatMap(List::stream).toList();
    }

    private List<IntakeRoute> routed(IdemGatewayProperties.Route route, SettingName name) {
        String path = path(route, name);
        Set<String> variables = variables(path, name.dot("path"));
        Destination destination = destination(route, variables, name);
        requireRowsToStay(route, name.dot("after-rejection"));
        Set<Scope> consumers = route.consumers(name);
        Consumer<RouteOptions.Builder> settings = new RouteSettings(route, name, schemas, issuer).options();
        return IntakeRouter.create()
                .route(
                        HttpMethod.valueOf(route.httpMethod()),
                        path,
                        route.reopens() ? settings.andThen(rejected.reopening(consumers)) : settings,
                        published(route, destination, consumers)
                                .then(answer(route.response(), variables, name.dot("response"))))
                .describe(nothing -> described(route))
                .routes();
    }

    private void requireRowsToStay(IdemGatewayProperties.Route route, SettingName name) {
        if (route.reopens() && inboxAlways) {
            throw name.invalid(
                    "is reopen, which removes what is known of an accepted request, and with idem.store=inbox that is the"
                            + " row that its message was committed with",
                    "Set it to answer, or choose another idem.store");
        }
    }

    /**
     * Returns the hand-off. On a route that reopens, the consumers' records are reopened before the message is
     * published.
     */
    private Middleware published(IdemGatewayProperties.Route route, Destination destination, Set<Scope> consumers) {
        Middleware publishing = handOff.to(destination);
        return route.reopens() ? rejected.opened(consumers).around(publishing) : publishing;
    }

    private static RouteDescription described(IdemGatewayProperties.Route route) {
        IdemGatewayProperties.Response response = route.response();
        return new RouteDescription(
                Optional.ofNullable(route.id()),
                Optional.ofNullable(route.summary()),
                Optional.ofNullable(route.description()),
                Stream.ofNullable(route.requiredScope()).toList(),
                Optional.of(new RouteDescription.Answer(response.status(), Optional.of(response.body()), true)));
    }

    private static String path(IdemGatewayProperties.Route route, SettingName name) {
        String path = route.path();
        if (path == null || !path.startsWith("/")) {
            throw name.dot("path").invalid(path == null ? "is missing" : "does not start with /", "Set it");
        }
        return path;
    }

    private static Set<String> variables(String path, SettingName name) {
        Set<String> variables = new UriTemplate(path)
                .getVariableNames().stream()
                        .map(variable -> variable.replace("*", ""))
                        .collect(Collectors.toUnmodifiableSet());
        variables.stream().filter(TextTemplate::isAlwaysKnown).findFirst().ifPresent(taken -> {
            throw name.invalid(
                    "has a variable {" + taken
                            + "}, and placeholders of that name stand for something else: {id} for the"
                            + " operation, {key} for the client's key, {tenant} for its tenant",
                    "Give the variable another name");
        });
        return variables;
    }

    private static Destination destination(IdemGatewayProperties.Route route, Set<String> variables, SettingName name) {
        String exchange = route.exchange();
        String topic = route.topic();
        if (exchange != null && topic == null) {
            return exchange(exchange, route.routingKey(), name);
        }
        if (topic != null && exchange == null && !topic.isBlank()) {
            TextTemplate key =
                    name.dot("partition-key").checked(() -> new TextTemplate(route.partitionKey(), variables));
            return Destination.topic(topic, key::render);
        }
        throw name.invalid(
                exchange == null
                        ? "says neither to which exchange nor to which topic the route goes"
                        : "goes both to an exchange and to a topic",
                "Set either exchange and routing-key, for RabbitMQ, or topic, for Kafka");
    }

    private static Destination exchange(String exchange, String routingKey, SettingName name) {
        if (exchange.isEmpty() && routingKey.isEmpty()) {
            throw name.dot("routing-key")
                    .invalid("is missing beside the default exchange", "Set it to the queue's name");
        }
        return Destination.exchange(exchange, routingKey);
    }

    private TemplateAnswer answer(IdemGatewayProperties.Response response, Set<String> variables, SettingName name) {
        String set = response.location();
        String location = set == null ? properties.operationsPath() + "?key={key}" : set;
        TextTemplate where = name.dot("location").checked(() -> new TextTemplate(location, variables));
        TextTemplate body = name.dot("body").checked(() -> new TextTemplate(response.body(), variables));
        return name.checked(() -> new TemplateAnswer(response.status(), body, where, set == null));
    }
}
