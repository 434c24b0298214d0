package io.idem.autoconfigure;

import io.idem.json.JacksonResultCodec;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/** Auto-configuration of results as JSON, with the application's own mapper if it has one. */
@AutoConfiguration(afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass(JsonMapper.class)
class IdemJsonAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    JacksonResultCodec idemJacksonResultCodec(ObjectProvider<JsonMapper> mapper) {
        return new JacksonResultCodec(
                mapper.getIfUnique(() -> JsonMapper.builder().build()));
    }
}
