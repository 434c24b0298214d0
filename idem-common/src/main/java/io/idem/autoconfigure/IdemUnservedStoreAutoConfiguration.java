package io.idem.autoconfigure;

import io.idem.internal.spring.InvalidSettingException;
import io.idem.spi.IdempotencyStore;
import java.util.Locale;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Refuses to start an application that asks for a store which no module on the class path provides. */
@AutoConfiguration(
        after = IdemRedisAutoConfiguration.class,
        afterName = {
            "io.idem.jdbc.autoconfigure.StoreAutoConfiguration",
            "io.idem.jdbc.autoconfigure.InboxStoreAutoConfiguration",
            "io.idem.zookeeper.autoconfigure.ZooKeeperAutoConfiguration"
        },
        before = IdemAutoConfiguration.class)
@ConditionalOnMissingBean(IdempotencyStore.class)
class IdemUnservedStoreAutoConfiguration {

    @Bean
    IdempotencyStore idemUnservedStore(Environment environment) {
        String asked = environment.getProperty(StoreChoice.PROPERTY, StoreChoice.REDIS);
        String store = asked.toLowerCase(Locale.ROOT);
        throw new InvalidSettingException(StoreChoice.PROPERTY, complaint(asked, store));
    }

    private static String complaint(String asked, String store) {
        if (!StoreChoice.ALL.contains(store)) {
            return asked + " is not one of " + String.join(", ", StoreChoice.ALL);
        }
        return switch (store) {
            case StoreChoice.REDIS ->
                "redis needs io.lettuce:lettuce-core on the class path, which every starter but"
                        + " idem-inbox-spring-boot-starter brings; an application without Redis sets idem.store=inbox";
            case StoreChoice.ZOOKEEPER, StoreChoice.ZOOKEEPER_WITH_REDIS ->
                asked + " needs the module idem-zookeeper on the class path";
            default -> asked + " needs the module idem-jdbc on the class path";
        };
    }
}
