package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.ClosingWaitContract;
import org.springframework.boot.WebApplicationType;

class ReactiveClosingWaitTest extends ClosingWaitContract {

    @Override
    protected App start() {
        return App.start(
                WebApplicationType.REACTIVE,
                ReactiveWaitTest.Patient.class,
                "idem.http.tenant=SINGLE",
                "idem.http.routes[0].path=/patient/**",
                "idem.http.routes[0].wait-for=20s");
    }
}
