package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.ConflictContract;

@AppTest(value = Shop.class)
class ConflictTest extends ConflictContract {

    ConflictTest(App shop) {
        super(shop);
    }
}
