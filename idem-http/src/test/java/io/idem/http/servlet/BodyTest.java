package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.BodyContract;

@AppTest(value = Shop.class)
class BodyTest extends BodyContract {

    BodyTest(App shop) {
        super(shop);
    }
}
