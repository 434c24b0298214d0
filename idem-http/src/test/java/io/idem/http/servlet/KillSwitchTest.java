package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.KillSwitchContract;

@AppTest(
        value = Shop.class,
        settings = {
            "idem.enabled=false",
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/orders/**",
        })
class KillSwitchTest extends KillSwitchContract {

    KillSwitchTest(App shop) {
        super(shop);
    }
}
