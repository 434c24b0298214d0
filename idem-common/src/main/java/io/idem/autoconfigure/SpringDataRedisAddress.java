package io.idem.autoconfigure;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.ssl.SslBundle;

/** Translates what Spring Boot found out about the application's Redis, be it from settings or from a container. */
final class SpringDataRedisAddress {

    private SpringDataRedisAddress() {}

    static RedisAddress of(DataRedisConnectionDetails details) {
        Standalone server = details.getStandalone();
        boolean several =
                details.getSentinel() != null || details.getCluster() != null || details.getMasterReplica() != null;
        if (server == null || several) {
            throw new InvalidSettingException(
                    PlainRedisAddress.PREFIX,
                    "names a Sentinel, cluster or replicated Redis, and this version of idem speaks to a single server;"
                            + " set idem.redis.url to one");
        }
        SslBundle bundle = details.getSslBundle();
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(server.getHost())
                .withPort(server.getPort())
                .withDatabase(server.getDatabase())
                .withSsl(bundle != null);
        PlainRedisAddress.authenticate(uri, details.getUsername(), details.getPassword());
        return new RedisAddress(uri.build(), ssl(bundle));
    }

    private static SslOptions ssl(@Nullable SslBundle bundle) {
        SslOptions.Builder options = SslOptions.builder();
        if (bundle != null) {
            options.keyManager(bundle.getManagers().getKeyManagerFactory());
            options.trustManager(bundle.getManagers().getTrustManagerFactory());
            if (bundle.getOptions().getCiphers() != null) {
                options.cipherSuites(bundle.getOptions().getCiphers());
            }
            if (bundle.getOptions().getEnabledProtocols() != null) {
                options.protocols(bundle.getOptions().getEnabledProtocols());
            }
        }
        return options.build();
    }
}
