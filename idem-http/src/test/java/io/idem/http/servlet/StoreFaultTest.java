package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.StoreFaultContract;

@AppTest(
        value = Shop.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[1].path=/orders/callable",
            "idem.http.routes[1].hand-off=true",
            "idem.http.routes[2].path=/orders/no-content",
            "idem.http.routes[2].retention=1h"
        })
class StoreFaultTest extends StoreFaultContract {

    StoreFaultTest(App shop) {
        super(shop);
    }
}
