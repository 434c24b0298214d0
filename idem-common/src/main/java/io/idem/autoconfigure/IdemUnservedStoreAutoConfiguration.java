package io.idem.autoconfigure;

import io.idem.spi.IdempotencyStore;
import java.util.Locale;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Refuses to start an application that asks for a store which no module on the class path provides. */
@AutoConfiguration(
        after = IdemRedisAutoConfiguration.class,
        afterName = "io.idem.jdbc.autoconfigure.StoreAutoConfiguration",
        before = IdemAutoConfiguration.class)
@ConditionalOnProperty(StoreChoice.PROPERTY)
@ConditionalOnMissingBean(IdempotencyStore.class)
class IdemUnservedStoreAutoConfiguration {

    @Bean
    IdempotencyStore idemUnservedStore(Environment environment) {
        String asked = environment.getRequiredProperty(StoreChoice.PROPERTY);
        throw new InvalidSettingException(
                StoreChoice.PROPERTY,
                StoreChoice.ALL.contains(asked.toLowerCase(Locale.ROOT))
                        ? asked + " needs the module idem-jdbc on the class path"
                        : asked + " is not one of " + String.join(", ", StoreChoice.ALL));
    }
}
