package io.idem.gateway.service.autoconfigure;

import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Conditional;

/** Whether somebody else than Spring Security authenticates the callers. */
final class OtherAuthenticationCondition extends NoneNestedConditions {

    OtherAuthenticationCondition() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @Conditional(OAuth2Condition.class)
    static class WithOAuth2 {}

    @Conditional(ClientCertificateCondition.class)
    static class WithClientCertificates {}
}
