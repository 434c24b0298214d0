package io.idem.gateway.autoconfigure;

import io.idem.gateway.Destination;
import io.idem.gateway.GatewayConfigurationException;
import io.idem.gateway.HandOff;
import io.idem.gateway.IntakeRoute;
import io.idem.gateway.IntakeRouter;
import io.idem.gateway.JsonObjectCheck;
import io.idem.gateway.RejectedOperations;
import io.idem.gateway.TemplateAnswer;
import io.idem.gateway.TextTemplate;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.web.util.UriTemplate;

/** Makes routes of the settings, with the same parts that coded routes are made of. */
final class ConfiguredIntakeRoutes {

    private final IdemGatewayProperties properties;
    private final HandOff handOff;
    private final RejectedOperations rejected;
    private final JsonObjectCheck check = new JsonObjectCheck();

    ConfiguredIntakeRoutes(IdemGatewayProperties properties, HandOff handOff, RejectedOperations rejected) {
        this.properties = properties;
        this.handOff = handOff;
        this.rejected = rejected;
    }

    List<IntakeRoute> routes() {
        IntakeRouter router = IntakeRouter.create();
        for (int index = 0; index < properties.routes().size(); index++) {
            router = add(router, properties.routes().get(index), "idem.gateway.routes[" + index + "]");
        }
        return router.routes();
    }

    private IntakeRouter add(IntakeRouter router, IdemGatewayProperties.Route route, String name) {
        String path = path(route, name);
        Set<String> variables = Set.copyOf(new UriTemplate(path).getVariableNames());
        Destination destination = destination(route, variables, name);
        RejectionRule rule = new RejectionRule(route.afterRejection(), AwaitedRoutes.consumers(route, name), rejected);
        return router.route(
                HttpMethod.valueOf(route.httpMethod()),
                path,
                options -> rule.options(options.withCheck(check)),
                rule.around(handOff.to(destination)).then(answer(route.response(), variables, name + ".response")));
    }

    private static String path(IdemGatewayProperties.Route route, String name) {
        String path = route.path();
        if (path == null || !path.startsWith("/")) {
            throw invalid(name + ".path", path == null ? "is missing" : "does not start with /", "Set it", null);
        }
        return path;
    }

    private static Destination destination(IdemGatewayProperties.Route route, Set<String> variables, String name) {
        String exchange = route.exchange();
        String topic = route.topic();
        if (exchange != null && topic == null) {
            return exchange(exchange, route.routingKey(), name);
        }
        if (topic != null && exchange == null && !topic.isBlank()) {
            TextTemplate key =
                    checked(name + ".partition-key", () -> new TextTemplate(route.partitionKey(), variables));
            return Destination.topic(topic, key::render);
        }
        throw invalid(
                name,
                exchange == null
                        ? "says neither to which exchange nor to which topic the route goes"
                        : "goes both to an exchange and to a topic",
                "Set either exchange and routing-key, for RabbitMQ, or topic, for Kafka",
                null);
    }

    private static Destination exchange(String exchange, String routingKey, String name) {
        if (exchange.isEmpty() && routingKey.isEmpty()) {
            throw invalid(
                    name + ".routing-key",
                    "is missing beside the default exchange",
                    "Set it to the queue's name",
                    null);
        }
        return Destination.exchange(exchange, routingKey);
    }

    private TemplateAnswer answer(IdemGatewayProperties.Response response, Set<String> variables, String name) {
        String location = response.location() == null ? properties.operationsPath() + "/{key}" : response.location();
        TextTemplate where = checked(name + ".location", () -> new TextTemplate(location, variables));
        TextTemplate body = checked(name + ".body", () -> new TextTemplate(response.body(), variables));
        return checked(name, () -> new TemplateAnswer(response.status(), body, where));
    }

    private static <T> T checked(String name, Supplier<T> part) {
        try {
            return part.get();
        } catch (IllegalArgumentException invalid) {
            throw invalid(name, "is not usable: " + invalid.getMessage(), "Correct it", invalid);
        }
    }

    private static GatewayConfigurationException invalid(
            String name, String complaint, String action, @Nullable Throwable cause) {
        return new GatewayConfigurationException("Setting " + name + " " + complaint, action, cause);
    }
}
