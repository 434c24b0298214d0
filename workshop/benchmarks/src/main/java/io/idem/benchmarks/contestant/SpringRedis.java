package io.idem.benchmarks.contestant;

import io.lettuce.core.RedisURI;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** How peers that sit on Spring Data Redis connect: one shared connection of Lettuce, as Spring Boot sets it up. */
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
