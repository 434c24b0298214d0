package io.idem.gateway.autoconfigure;

import io.idem.gateway.IntakeRouter;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Conditional;

/** Matches if the application is an intake: a setting says so, or it has a route. */
final class IntakeCondition extends AnyNestedCondition {

    IntakeCondition() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBooleanProperty("idem.gateway.enabled")
    static class Enabled {}

    @Conditional(ConfiguredRoutesCondition.class)
    static class WithConfiguredRoutes {}

    @ConditionalOnBean(IntakeRouter.class)
    static class WithCodedRoutes {}
}
