package io.idem.examples.filter;

import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;

class FilterBefore {

    @Bean
    RecordFilterStrategy<Object, Object> seen(StringRedisTemplate redis) {
        return record ->
                !Boolean.TRUE.equals(redis.opsForValue().setIfAbsent("seen:" + record.key(), "1", Duration.ofDays(7)));
    }
}
