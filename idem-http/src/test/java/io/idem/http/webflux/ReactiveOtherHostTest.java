package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.OtherHostContract;
import org.springframework.boot.WebApplicationType;

@AppTest(
        value = ReactiveOperationNameTest.Application.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/operations/**",
            "spring.webflux.apiversion.default=1"
        })
class ReactiveOtherHostTest extends OtherHostContract {

    ReactiveOtherHostTest(App app) {
        super(app);
    }
}
