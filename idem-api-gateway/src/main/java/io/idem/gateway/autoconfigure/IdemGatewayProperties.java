package io.idem.gateway.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.gateway}.
 *
 * @param enabled whether there is an intake; by default if it has a route
 * @param confirmTimeout how long a broker may take to confirm a message before the client gets 503; shorter than {@code idem.lease};
 *     default 5 s, or half the lease if that is shorter
 * @param authentication who authenticates the callers: {@code api-key}, {@code oauth2} or {@code none}
 * @param apiKeys whose the API keys are
 * @param openPaths patterns of paths that need no authentication
 * @param operationsPath where clients ask how far an operation is: {@code GET operationsPath/{key}}
 * @param routes what is taken, and where it goes
 */
@ConfigurationProperties("idem.gateway")
record IdemGatewayProperties(
        @Nullable Boolean enabled,
        @Nullable Duration confirmTimeout,
        @DefaultValue("api-key") Authentication authentication,
        @DefaultValue List<ApiKey> apiKeys,
        @DefaultValue({"/idem/**", "/actuator/health/**"}) List<String> openPaths,
        @DefaultValue("/v1/operations") String operationsPath,
        @DefaultValue List<Route> routes) {

    /**
     * A tenant's API key, itself or its digest.
     *
     * @param tenant who authenticates with it
     * @param key the key
     * @param sha256 its SHA-256 digest in hexadecimal digits
     */
    record ApiKey(
            String tenant, @Nullable String key, @Nullable String sha256) {

        /** Without the key. */
        @Override
        public String toString() {
            return "ApiKey[tenant=" + tenant + "]";
        }
    }

    /**
     * One route. It goes either to an exchange or to a topic. Placeholders are {@code {id}}, {@code {key}}, {@code {tenant}} and the
     * variables of the path.
     *
     * @param id what messages about this entry call it; default its position
     * @param method default POST
     * @param path as in {@code @RequestMapping}
     * @param exchange RabbitMQ exchange; empty text for the default exchange
     * @param routingKey its routing key
     * @param topic Kafka topic
     * @param partitionKey key of the record, with placeholders; default the idempotency key
     * @param response what the client gets when the broker has the message
     * @param requiredScope scope that the caller's token must have; needs {@code authentication=oauth2}; default none
     * @param await scopes of the consumers whose outcome clients may wait for
     * @param afterRejection what a retry with the same key does once a consumer has rejected the operation: one of {@code await}, or any
     *     if that is empty; default {@code replay}
     */
    record Route(
            @Nullable String id,
            @DefaultValue("POST") String method,
            @Nullable String path,
            @Nullable String exchange,
            @DefaultValue("") String routingKey,
            @Nullable String topic,
            @DefaultValue("{key}") String partitionKey,
            @DefaultValue Response response,
            @Nullable String requiredScope,
            @DefaultValue List<String> await,
            @DefaultValue("replay") AfterRejection afterRejection) {

        /** The method as HTTP has it. */
        String httpMethod() {
            return method.strip().toUpperCase(Locale.ROOT);
        }
    }

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
