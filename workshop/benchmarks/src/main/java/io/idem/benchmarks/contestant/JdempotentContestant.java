package io.idem.benchmarks.contestant;

import com.trendyol.jdempotent.core.model.IdempotencyKey;
import com.trendyol.jdempotent.core.model.IdempotentRequestWrapper;
import com.trendyol.jdempotent.core.model.IdempotentResponseWrapper;
import com.trendyol.jdempotent.redis.RedisConfigProperties;
import com.trendyol.jdempotent.redis.RedisIdempotentRepository;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;

/** The calls that Jdempotent's aspect makes of its repository. */
final class JdempotentContestant implements Contestant {

    private static final long HOURS = 24;

    private final LettuceConnectionFactory factory;
    private final RedisIdempotentRepository repository;

    JdempotentContestant(String uri) {
        factory = SpringRedis.connect(uri);
        RedisTemplate<Object, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(factory);
        template.afterPropertiesSet();
        RedisConfigProperties properties = new RedisConfigProperties();
        properties.setPersistReqRes(false);
        properties.setExpirationTimeHour(HOURS);
        repository = new RedisIdempotentRepository(template, properties);
    }

    @Override
    public Object fresh(String text) {
        IdempotencyKey key = new IdempotencyKey("jdempotent:" + text);
        IdempotentRequestWrapper request = new IdempotentRequestWrapper(text);
        if (repository.contains(key)) {
            return key;
        }
        repository.store(key, request, HOURS, TimeUnit.HOURS);
        repository.setResponse(key, request, new IdempotentResponseWrapper("1"), HOURS, TimeUnit.HOURS);
        return key;
    }

    @Override
    public Object duplicate(String text) {
        IdempotencyKey key = new IdempotencyKey("jdempotent:" + text);
        return repository.contains(key) ? String.valueOf(repository.getResponse(key)) : fresh(text);
    }

    @Override
    public void close() {
        factory.destroy();
    }
}
