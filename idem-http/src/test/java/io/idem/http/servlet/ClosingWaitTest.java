package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.ClosingWaitContract;
import org.springframework.boot.WebApplicationType;

class ClosingWaitTest extends ClosingWaitContract {

    @Override
    protected App start() {
        return App.start(
                WebApplicationType.SERVLET,
                WaitTest.Patient.class,
                "idem.http.tenant=SINGLE",
                "idem.http.routes[0].path=/patient/**",
                "idem.http.routes[0].wait-for=20s");
    }
}
