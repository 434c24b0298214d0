package io.idem.autoconfigure;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The part of {@code spring.data.redis} that idem reads itself in an application without Spring Data Redis. Not annotated as
 * properties, since their description belongs to Spring Boot.
 */
record PlainRedisAddress(
        @Nullable String url,
        @DefaultValue("localhost") String host,
        @DefaultValue("6379") int port,
        @DefaultValue("0") int database,
        @Nullable String username,
        @Nullable String password,
        @DefaultValue Ssl ssl) {

    static final String PREFIX = "spring.data.redis";

    RedisAddress toAddress() {
        if (url != null) {
            return RedisAddress.ofUrl(PREFIX + ".url", url);
        }
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(host)
                .withPort(port)
                .withDatabase(database)
                .withSsl(ssl.enabled());
        authenticate(uri, username, password);
        return new RedisAddress(uri.build(), SslOptions.create());
    }

    static void authenticate(RedisURI.Builder uri, @Nullable String username, @Nullable String password) {
        if (password != null && username != null) {
            uri.withAuthentication(username, password.toCharArray());
        } else if (password != null) {
            uri.withPassword(password.toCharArray());
        }
    }

    record Ssl(@DefaultValue("false") boolean enabled) {}
}
