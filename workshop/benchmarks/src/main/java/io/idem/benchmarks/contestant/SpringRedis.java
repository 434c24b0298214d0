package io.idem.benchmarks.contestant;

import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The connection of peers based on Spring Data Redis: one shared connection of Lettuce, as Spring Boot configures it.
 */
final class SpringRedis {

    private SpringRedis() {}

    static LettuceConnectionFactory connect(String uri) {
        RedisURI address = RedisURI.create(uri);
        LettuceConnectionFactory factory =
                new LettuceConnectionFactory(new RedisStandaloneConfiguration(address.getHost(), address.getPort()));
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }
}
