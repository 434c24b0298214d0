package io.idem.autoconfigure;

import io.idem.internal.method.AutoProxies;
import io.idem.internal.method.IdempotentMethodAdvisor;
import io.idem.internal.method.IdempotentMethods;
import io.idem.internal.method.MethodRegistrar;
import io.idem.internal.method.MethodShapeCheck;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Auto-configuration of {@link io.idem.Idempotent} methods of beans that are no handlers of HTTP requests. */
@AutoConfiguration(
        after = IdemAutoConfiguration.class,
        afterName = "org.springframework.boot.autoconfigure.aop.AopAutoConfiguration")
@Import({AutoProxies.class, IdempotentMethodAdvisor.class, IdempotentMethods.class, MethodRegistrar.class})
class IdemMethodsAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodShapeCheck idempotentMethodShapeCheck(Environment environment) {
        return new MethodShapeCheck(StoreChoice.isInbox(environment));
    }
}
