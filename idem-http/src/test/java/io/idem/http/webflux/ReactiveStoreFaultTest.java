package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.StoreFaultContract;
import org.springframework.boot.WebApplicationType;

@AppTest(
        value = ReactiveShop.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/orders/**",
            "idem.http.routes[1].path=/orders/callable",
            "idem.http.routes[1].hand-off=true",
            "idem.http.routes[2].path=/orders/no-content",
            "idem.http.routes[2].retention=1h"
        })
class ReactiveStoreFaultTest extends StoreFaultContract {

    ReactiveStoreFaultTest(App shop) {
        super(shop);
    }
}
