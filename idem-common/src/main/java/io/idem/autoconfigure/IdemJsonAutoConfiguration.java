package io.idem.autoconfigure;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.idem.json.Jackson2ResultCodec;
import io.idem.json.JacksonResultCodec;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Auto-configuration of results as JSON, with the application's own mapper if it has one. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.jackson2.autoconfigure.Jackson2AutoConfiguration"
        })
class IdemJsonAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class Jackson3 {

        @Bean
        @ConditionalOnMissingBean
        JacksonResultCodec idemJacksonResultCodec(ObjectProvider<JsonMapper> mapper) {
            return new JacksonResultCodec(
                    mapper.getIfUnique(() -> JsonMapper.builder().build()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ObjectMapper.class)
    static class Jackson2 {

        @Bean
        @ConditionalOnMissingBean
        Jackson2ResultCodec idemJackson2ResultCodec(ObjectProvider<ObjectMapper> mapper) {
            return new Jackson2ResultCodec(mapper.getIfUnique(() -> new ObjectMapper().findAndRegisterModules()));
        }
    }
}
