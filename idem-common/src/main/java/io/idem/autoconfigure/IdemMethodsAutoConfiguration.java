package io.idem.autoconfigure;

import io.idem.Inbox;
import io.idem.ResultCodec;
import io.idem.ScopePolicies;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.internal.RawResultCodec;
import io.idem.internal.method.AutoProxies;
import io.idem.internal.method.CallWaits;
import io.idem.internal.method.IdempotentMethodAdvisor;
import io.idem.internal.method.IdempotentMethods;
import io.idem.internal.method.MethodRegistrar;
import io.idem.internal.method.MethodShapeCheck;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Auto-configuration of {@link io.idem.Idempotent} methods of beans that are no handlers of HTTP requests. */
@AutoConfiguration(
        after = IdemAutoConfiguration.class,
        afterName = "org.springframework.boot.autoconfigure.aop.AopAutoConfiguration")
@Import({AutoProxies.class, MethodRegistrar.class})
class IdemMethodsAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static IdempotentMethodAdvisor idempotentMethodAdvisor(
            ObjectProvider<IdempotentMethods> methods, ConfigurableListableBeanFactory beans) {
        return new IdempotentMethodAdvisor(methods::getObject, beans);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MethodShapeCheck idempotentMethodShapeCheck(Environment environment) {
        return new MethodShapeCheck(StoreChoice.isInbox(environment));
    }

    @Bean(IdempotentMethods.BEAN)
    IdempotentMethods idempotentMethods(
            IdempotentExecutor executor,
            AsyncIdempotentExecutor async,
            ObjectProvider<ResultCodec> codec,
            ScopePolicies scopes,
            ObjectProvider<Inbox> inbox,
            ObjectProvider<CallWaits> waits,
            ConfigurableListableBeanFactory beans) {
        return new IdempotentMethods(
                executor,
                async,
                codec.getIfAvailable(RawResultCodec::new),
                scopes,
                new EmbeddedValueResolver(beans),
                inbox::getIfAvailable,
                InstantSource.system(),
                waits.getIfAvailable(() -> failure -> false));
    }
}
