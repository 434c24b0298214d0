package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.BodyContract;
import org.springframework.boot.WebApplicationType;

@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveBodyTest extends BodyContract {

    ReactiveBodyTest(App shop) {
        super(shop);
    }
}
