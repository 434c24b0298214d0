package io.idem.examples.filter;

import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;

class FilterBetween {

    @Bean
    RecordFilterStrategy<Object, Object> seenBeforeTheSwitch(StringRedisTemplate redis) {
        return record -> "1".equals(redis.opsForValue().get("seen:" + record.key())); // reads, never writes
    }
}
