package io.idem.gateway.autoconfigure;

import io.idem.gateway.IntakeRouter;
import io.idem.internal.spring.ConditionalOnSwitch;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Conditional;

/** Matches if the application is an intake: a setting says so, or it has a route. */
final class IntakeCondition extends AnyNestedCondition {

    IntakeCondition() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnSwitch(value = "idem.gateway.enabled", byDefault = false)
    static class Enabled {}

    @Conditional(ConfiguredRoutesCondition.class)
    static class WithConfiguredRoutes {}

    @ConditionalOnBean(IntakeRouter.class)
    static class WithCodedRoutes {}
}
