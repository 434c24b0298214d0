package io.idem.gateway.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.Scope;
import io.idem.gateway.internal.handoff.PublishingLimit;
import io.idem.gateway.internal.intake.ScopedRoute;
import io.idem.http.KeyRules;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpMethod;
import org.springframework.util.unit.DataSize;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The settings under {@code idem.gateway}.
 *
 * @param enabled whether there is an intake; by default if it has a route
 * @param confirmTimeout how long a broker may take to confirm a message before the client gets 503; at most two thirds of
 *     idem.lease; default 5 s, or half the lease if that is shorter
 * @param maxPublishing how many messages may be on their way to each broker at a time; requests beyond that get 503; default 100, half of
 *     the threads that Tomcat has by default
 * @param maxWait for how long Prefer: wait on an operation's status is followed at most; zero for not at all; counts in whole seconds; default 10 s
 * @param maxWaiting how many clients wait at a time; further ones get the status at once; default 1,000
 * @param operationsPath where clients ask how far an operation is: GET operationsPath?key= or operationsPath/{key}
 * @param routes what is taken, and where it goes
 */
@ConfigurationProperties("idem.gateway")
record IdemGatewayProperties(
        @Nullable Boolean enabled,
        @Nullable Duration confirmTimeout,
        @DefaultValue("100") int maxPublishing,
        @DefaultValue("10s") Duration maxWait,
        @DefaultValue("1000") int maxWaiting,
        @DefaultValue("/v1/operations") String operationsPath,
        @DefaultValue List<Route> routes) {

    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    IdemGatewayProperties {
        if (maxPublishing < 1) {
            throw invalid(
                    "max-publishing: " + maxPublishing + " lets nothing be published",
                    "Set it to 1 or more, and to fewer than server.tomcat.threads.max");
        }
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
            throw invalid("max-wait: " + maxWait + " is not between 0 and " + LONGEST_WAIT, "Set it to some seconds");
        }
        if (maxWaiting < 0) {
            throw invalid("max-waiting: " + maxWaiting + " is negative", "Set it to 0 or more");
        }
    }

    private static ConfigurationException invalid(String complaint, String action) {
        return new ConfigurationException("Setting idem.gateway." + complaint, action);
    }

    /** Returns the limit for one broker. */
    PublishingLimit publishingLimit() {
        return new PublishingLimit(maxPublishing);
    }

    /** Returns the routes whose callers need a scope. */
    ScopedRoute.All scoped() {
        return new ScopedRoute.All(each(Route::scoped).flatMap(Optional::stream).toList());
    }

    /** Returns the consumers of each route whose outcome clients may wait for. */
    Stream<Set<Scope>> awaited() {
        return each(Route::consumers).filter(consumers -> !consumers.isEmpty());
    }

    /** Returns what {@code made} makes of each route and the name of its setting. */
    <T> Stream<T> each(BiFunction<Route, SettingName, T> made) {
        return IntStream.range(0, routes.size())
                .mapToObj(
                        index -> made.apply(routes.get(index), new SettingName("idem.gateway.routes[" + index + "]")));
    }

    /**
     * One route. It goes either to an exchange or to a topic. Placeholders are {@code {id}}, {@code {key}}, {@code {tenant}} and the
     * variables of the path.
     *
     * @param id name of the operation in the OpenAPI description
     * @param summary what the route is for, in a few words
     * @param description what the route is for, in CommonMark
     * @param method default POST
     * @param path as in @RequestMapping
     * @param exchange RabbitMQ exchange; empty text for the default exchange
     * @param routingKey its routing key
     * @param topic Kafka topic
     * @param partitionKey key of the record, with placeholders; default the idempotency key
     * @param response what the client gets when the broker has the message
     * @param requiredScope scope that the caller's token must have; needs idem-api-gateway-service and
     *     authentication=oauth2; default none
     * @param await scopes of the consumers whose outcome clients may wait for
     * @param afterRejection what a retry with the same key does once a consumer has rejected the operation: one of await, or any
     *     if that is empty; default answer
     * @param schema JSON Schema that bodies must satisfy, at classpath: or file:; needs idem-api-gateway-service;
     *     default any JSON object
     * @param keyRequired whether a request without a key is refused; otherwise it gets a key of its own, by which nobody can repeat it
     * @param retention how long answers are kept; default that of the scope
     * @param waitFor how long a duplicate of a running request waits for its answer before it gets 409, at most the lease; default
     *     idem.http.wait-for
     * @param minKeyLength shortest key; default idem.http.min-key-length
     * @param keyFormat what a key must look like; default idem.http.key-format
     * @param maxRequestBody largest body; default idem.http.max-request-body
     * @param tenant whose keys the requests carry; default what the application's resolver says
     */
    record Route(
            @Nullable String id,
            @Nullable String summary,
            @Nullable String description,
            @DefaultValue("POST") String method,
            @Nullable String path,
            @Nullable String exchange,
            @DefaultValue("") String routingKey,
            @Nullable String topic,
            @DefaultValue("{key}") String partitionKey,
            @DefaultValue Response response,
            @Nullable String schema,
            @DefaultValue("true") boolean keyRequired,
            @Nullable Duration retention,
            @Nullable Duration waitFor,
            @Nullable Integer minKeyLength,
            KeyRules.@Nullable Format keyFormat,
            @Nullable DataSize maxRequestBody,
            @DefaultValue Tenant tenant,
            @Nullable String requiredScope,
            @DefaultValue List<String> await,
            @DefaultValue("answer") AfterRejection afterRejection) {

        /** Returns the scope that callers need, if any; {@code name} is the route's. */
        Optional<ScopedRoute> scoped(SettingName name) {
            return Optional.ofNullable(requiredScope)
                    .map(scope -> new ScopedRoute(
                            name.dot("required-scope").toString(),
                            HttpMethod.valueOf(httpMethod()),
                            path == null ? null : PathPatternParser.defaultInstance.parse(path),
                            scope));
        }

        /** Returns the consumers to await; {@code name} is the route's. */
        Set<Scope> consumers(SettingName name) {
            return name.dot("await")
                    .checked(() -> await.stream().map(Scope::new).collect(Collectors.toSet()));
        }

        boolean reopens() {
            return afterRejection == AfterRejection.REOPEN;
        }

        /** Returns the method in HTTP's spelling. */
        String httpMethod() {
            return method.strip().toUpperCase(Locale.ROOT);
        }
    }

    /** The effect of a client's retry on an operation that a consumer has rejected. */
    enum AfterRejection {
        /** Answers the retry with the stored answer. */
        ANSWER,
        /** Opens the operation again and publishes it once more. */
        REOPEN
    }

    /**
     * Whose keys one route's requests carry; at most one is set.
     *
     * @param name the same tenant for every caller: all share its answers
     * @param claim claim of the verified token that names the tenant
     */
    record Tenant(@Nullable String name, @Nullable String claim) {}

    /**
     * An answer.
     *
     * @param status 2xx; default 202, for the work is still to be done
     * @param body JSON with placeholders inside of its strings
     * @param location with placeholders; default where the operation's status is
     */
    record Response(
            @DefaultValue("202") int status,

            @DefaultValue("{\"id\":\"{id}\",\"status\":\"accepted\"}")
            String body,

            @Nullable String location) {}
}
