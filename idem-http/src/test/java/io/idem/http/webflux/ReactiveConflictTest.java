package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ConflictContract;
import org.springframework.boot.WebApplicationType;

@AppTest(value = ReactiveShop.class, type = WebApplicationType.REACTIVE)
class ReactiveConflictTest extends ConflictContract {

    ReactiveConflictTest(App shop) {
        super(shop);
    }
}
