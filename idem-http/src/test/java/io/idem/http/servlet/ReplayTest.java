package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ReplayContract;

@AppTest(value = Shop.class)
class ReplayTest extends ReplayContract {

    ReplayTest(App shop) {
        super(shop);
    }
}
