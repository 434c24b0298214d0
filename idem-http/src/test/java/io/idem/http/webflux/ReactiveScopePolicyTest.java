package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ScopePolicyContract;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

@AppTest(
        value = ReactiveScopePolicyTest.Asked.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.scope=rejecting",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[1].path=/orders",
            "idem.http.routes[1].scope=asking",
            "idem.http.routes[1].retention=3h",
            "idem.http.routes[2].path=/orders/optional",
            "idem.http.routes[2].scope=unmeasured",
            "idem.scopes.rejecting.takeover=reject",
            "idem.scopes.rejecting.retention=5h",
            "idem.scopes.rejecting.max-attempts=7",
            "idem.scopes.asking.takeover=reconcile",
            "idem.scopes.asking.retention=9h",
        })
class ReactiveScopePolicyTest extends ScopePolicyContract {

    ReactiveScopePolicyTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, ReactiveShop.Orders.class})
    static class Asked {

        @Bean
        Questions questions() {
            return new Questions();
        }
    }
}
