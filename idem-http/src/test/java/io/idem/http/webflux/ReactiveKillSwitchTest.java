package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.KillSwitchContract;
import org.springframework.boot.WebApplicationType;

@AppTest(
        value = ReactiveShop.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.enabled=false",
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/orders/**",
        })
class ReactiveKillSwitchTest extends KillSwitchContract {

    ReactiveKillSwitchTest(App app) {
        super(app);
    }
}
