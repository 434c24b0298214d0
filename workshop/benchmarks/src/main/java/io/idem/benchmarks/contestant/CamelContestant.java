package io.idem.benchmarks.contestant;

import org.apache.camel.component.redis.processor.idempotent.SpringRedisStringIdempotentRepository;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Camel's idempotent consumer with its default: the key is added before the work, and the confirmation does nothing.
 */
final class CamelContestant implements Contestant {

    private static final long RETENTION_SECONDS = 86_400;

    private final LettuceConnectionFactory factory;
    private final SpringRedisStringIdempotentRepository repository;

    CamelContestant(String uri) {
        factory = SpringRedis.connect(uri);
        repository = new SpringRedisStringIdempotentRepository(new StringRedisTemplate(factory), "camel");
        repository.setExpiry(RETENTION_SECONDS);
    }

    @Override
    public Object fresh(String key) {
        return repository.add(key) && repository.confirm(key);
    }

    @Override
    public Object duplicate(String key) {
        return repository.add(key);
    }

    @Override
    public void close() {
        factory.destroy();
    }
}
