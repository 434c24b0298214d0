package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.HostileInputContract;
import org.springframework.boot.WebApplicationType;

@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveHostileInputTest extends HostileInputContract {

    ReactiveHostileInputTest(App shop) {
        super(shop);
    }
}
