package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.HostileWireContract;
import org.springframework.boot.WebApplicationType;

@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveHostileWireTest extends HostileWireContract {

    ReactiveHostileWireTest(App shop) {
        super(shop);
    }
}
