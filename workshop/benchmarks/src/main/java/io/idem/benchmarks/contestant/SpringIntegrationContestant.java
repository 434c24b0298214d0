package io.idem.benchmarks.contestant;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.metadata.RedisMetadataStore;

/** The calls that the metadata selector of the idempotent receiver makes to its store. */
final class SpringIntegrationContestant implements Contestant {

    private final LettuceConnectionFactory factory;
    private final RedisMetadataStore entries;

    SpringIntegrationContestant(String uri) {
        factory = SpringRedis.connect(uri);
        entries = new RedisMetadataStore(factory, "spring-integration");
    }

    @Override
    public Object fresh(String key) {
        return String.valueOf(entries.putIfAbsent(key, "1"));
    }

    @Override
    public Object duplicate(String key) {
        return String.valueOf(entries.putIfAbsent(key, "1"));
    }

    @Override
    public void close() {
        factory.destroy();
    }
}
